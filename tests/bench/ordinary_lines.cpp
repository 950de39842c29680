// Templates, each with how often it comes, and the slots in them:
//   {t} time   {s} time without milliseconds   {1} {3} {6} {9} a number of so many digits   {f} 1.2345   {h}
//   eight hex digits
#include "ordinary_lines.h"

#include "digits.h"

namespace bench {

namespace {

struct Template {
  int weight;
  const char* line;
};

constexpr Template templates[] = {
    // The trainer's own words, with a logger in front.
    {9,
     "{t} INFO data.loader: epoch {1} shard {3}/512 worker {1} prefetched {3} batches, queue {1}/8, {3} ms "
     "behind"},
    {6, "{t} INFO data.packing: packed {6} documents into {6} sequences of 8192 tokens, {1}.{3} % padding"},
    {5,
     "{t} DEBUG trainer.schedule: micro batch {1} of 8, pipeline stage {1}, {3} activations kept, {3} "
     "recomputed"},
    {4,
     "{t} INFO checkpoint.writer: shard {3} of 256 written to /ckpt/run-{6}/step-{6}/shard-{3}.bin, {6} KiB "
     "at {3} MiB/s"},
    {3, "{t} INFO checkpoint.writer: snapshot of {9} parameters copied to pinned memory in {3} ms"},
    {3, "{t} WARNING data.loader: worker {1} was slow for {3} ms, batch {6} comes from the spare queue"},
    {2, "{t} WARNING trainer.amp: scaler kept at 65536 after {3} good updates; nothing to do"},
    {2, "{t} INFO trainer: finished epoch {1}, shuffling {9} samples with seed {6}"},
    {3, "{s} | INFO     | trainer.eval:evaluate:{3} - batch {3}/400 of split validation, {6} tokens so far"},
    {4,
     "[{s}] [rank{1}] prefetch of layer {1}{1} parameters took {3} us, {6} bytes gathered from 8 peers, {3} "
     "cached"},
    // Communication.
    {9, "node{3}:{6}:{6} [{1}] NCCL INFO Channel {1}{1}/0 : {1}[{1}] -> {1}[{1}] via P2P/CUMEM/read"},
    {4,
     "node{3}:{6}:{6} [{1}] NCCL INFO Trees [0] {1}/-1/-1->{1}->{1} [1] {1}/-1/-1->{1}->{1} [2] "
     "-1/-1/-1->{1}->{1} [3] "
     "{1}/-1/-1->{1}->{1} [4] {1}/-1/-1->{1}->{1}"},
    {4,
     "node{3}:{6}:{6} [{1}] NCCL INFO comm 0x55{h} rank {1} nranks 8 cudaDev {1} nvmlDev {1} busId {1}a000 "
     "commId "
     "0x{h}{h} - Init START"},
    {2, "node{3}:{6}:{6} [{1}] NCCL INFO threadThresholds 8/8/64 | 64/8/64 | 512 | 512"},
    // Lists: configuration, timers, parameters, shapes.
    {12, "  optimizer_cpu_offload_{1}{1} ......................... False"},
    {10, "  data_cache_slots_{3} ........................... {6}"},
    {5, "  tokenizer_path_{1} ................................ /data/tokenizers/bpe-{6}k/merges-{h}.model"},
    {9, "    forward-compute-{1} ...............................: ({3}.{1}{1}, {3}.{1}{1})"},
    {6, "    optimizer-inner-update ...........................: ({1}.{1}{1}, {1}.{1}{1})"},
    {8,
     "\tmodel.blocks.{1}{1}.attention.query_key_value.weight torch.Size([{3}, 4096]) torch.bfloat16 sharded "
     "over 8"},
    {6, "\tmodel.blocks.{1}{1}.mlp.down.weight torch.Size([4096, {6}]) torch.bfloat16 norm {f} absmax {f}"},
    {3,
     "bucket {3}: {9} elements, {9} after padding, {1} parameters, reduce-scatter over 64 ranks, launched "
     "after block {1}{1}"},
    {2,
     "{\"event\": \"heartbeat\", \"host\": \"node{3}\", \"gpu\": [{1}{1}, {1}{1}, {1}{1}, {1}{1}], "
     "\"power_w\": [{3}, {3}, {3}, {3}], "
     "\"id\": \"{h}{h}\"}"},
    // Long ones.
    {3,
     "{t} INFO config: ModelConfig(hidden=4096, layers=32, heads=32, kv_heads=8, rope_base={6}, vocab={6}, "
     "tie_embeddings=False, norm='rms', norm_eps=1e-05, dropout=0.0, init_std=0.02, sequence=8192, "
     "bias=False, "
     "activation='swiglu', ffn_multiple=256, checkpointing='selective', compile=True, attention='flash', "
     "window=None, seed={6})"},
    {3,
     "{t} INFO data.mixture: web 0.{3} code 0.{3} books 0.{3} papers 0.{3} forum 0.{3}; documents {9} {9} "
     "{9} {9} {9}; "
     "epochs 0.{3} 0.{3} 1.{3} 1.{3} 0.{3}; next shards web-{6} code-{6} books-{6} papers-{6} forum-{6}"},
    {2,
     "/opt/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py:{3}: UserWarning: the default of "
     "use_reentrant "
     "will change in a later release; pass it explicitly to keep the present behaviour."},
    // Small things.
    {7, ""},
    {3, "================================================================================"},
    {2, "--------------------------------------------------"},
    {3, "Warming up kernels: {1}{1} of 96"},
    {3, "Resolving data files: 100%|##########| {3}/{3} [00:0{1}<00:00, {3}.{1}{1}files/s]"},
    {2, "done in {1}.{3} s"},
    {2, "saving"},
};

constexpr std::size_t pool = 16384;

std::vector<const char*> chances() {
  std::vector<const char*> all;
  for (const Template& row : templates) all.insert(all.end(), static_cast<std::size_t>(row.weight), row.line);
  return all;
}

std::string hex_word(Dice& dice) {
  std::string word;
  for (int i = 0; i < 8; ++i) word += "0123456789abcdef"[dice.below(16)];
  return word;
}

// Return a number of so many digits, the first of which is not 0.
std::string number(Dice& dice, int places) {
  std::string word(1, static_cast<char>('1' + dice.below(9)));
  while (--places > 0) word += static_cast<char>('0' + dice.below(10));
  return word;
}

std::string filled(char slot, Dice& dice) {
  if (slot == 'h') return hex_word(dice);
  if (slot == 'f') return "1." + number(dice, 4);
  return number(dice, slot - '0');
}

}  // namespace

void Clock::tick(Dice& dice) {
  ms_ += dice.below(25);
  put_digits(&text_[20], ms_ % 1000, 3);
  if (ms_ / 1000 == second_) return;
  second_ = ms_ / 1000;
  std::string_view("2026-03-00 00:00:00,").copy(text_.data(), 20);
  put_digits(&text_[8], second_ / 86400 % 28 + 1, 2);
  put_digits(&text_[11], second_ / 3600 % 24, 2);
  put_digits(&text_[14], second_ / 60 % 60, 2);
  put_digits(&text_[17], second_ % 60, 2);
}

OrdinaryLines::OrdinaryLines(Dice& dice) {
  const std::vector<const char*> lines = chances();
  for (std::size_t i = 0; i < pool; ++i) add(lines[dice.below(lines.size())], dice);
}

void OrdinaryLines::add(std::string_view line, Dice& dice) {
  const auto here = [this] { return static_cast<std::uint32_t>(text_.size()); };
  Line added{here(), here(), 0, 0};
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool slot = i + 2 < line.size() && line[i] == '{' && line[i + 2] == '}';
    if (!slot) {
      text_ += line[i];
      continue;
    }
    const char kind = line[i + 1];
    i += 2;
    if (kind != 't' && kind != 's') {
      text_ += filled(kind, dice);
      continue;
    }
    added.rest = here();
    added.time_size = kind == 't' ? 23 : 19;
  }
  added.end = here();
  lines_.push_back(added);
}

void OrdinaryLines::write(Writer& out, Dice& dice, std::string_view time) const {
  const Line& line = lines_[dice.below(lines_.size())];
  const std::string_view text = text_;
  out.text(text.substr(line.begin, line.rest - line.begin));
  out.text(time.substr(0, line.time_size));
  out.text(text.substr(line.rest, line.end - line.rest));
}

}  // namespace bench
