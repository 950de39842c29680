#include "metric_lines.h"

#include <array>

namespace bench {

namespace {

// A value is a whole number in [low, high), a point, so many decimals, and the suffix.
struct MetricRow {
  std::string_view literal;
  std::uint64_t low;
  std::uint64_t high;
  int decimals;
  std::string_view suffix;
};

constexpr std::array<MetricRow, 8> metrics{{
    {" loss=", 1, 9, 4, ""},
    {" grad_norm=", 0, 3, 3, ""},
    {" lr=", 1, 9, 4, "e-04"},
    {" tok_s=", 10000, 90000, 1, ""},
    {" step_ms=", 400, 900, 1, ""},
    {" mem_gib=", 30, 70, 2, ""},
    {" mfu=", 0, 1, 4, ""},
    {" entropy=", 1, 4, 4, ""},
}};
constexpr std::size_t lm_loss = metrics.size();

constexpr unsigned every = 0xff;
constexpr std::array<unsigned, 3> sets{every, 0b1000'0111, 0b0111'1000};

std::string_view name_of(const MetricRow& row) { return row.literal.substr(1, row.literal.size() - 2); }

constexpr std::uint64_t powers[] = {1, 10, 100, 1000, 10'000, 100'000, 1'000'000};

Word decimal(Dice& dice, std::uint64_t low, std::uint64_t high, int decimals, std::string_view suffix) {
  const std::uint64_t whole = low + dice.below(high - low);
  return Word(whole, dice.below(powers[decimals]), decimals, suffix);
}

void note(Tally& tally, const Word& word) {
  if (tally.count++ == 0) tally.first = word;
  tally.last = word;
}

}  // namespace

MetricLines::MetricLines() {
  for (const MetricRow& row : metrics) tallies_.push_back({std::string(name_of(row))});
  tallies_.push_back({"lm_loss"});
}

void MetricLines::value(Writer& out, Dice& dice, std::size_t metric) {
  const MetricRow& row = metrics[metric];
  const Word word = decimal(dice, row.low, row.high, row.decimals, row.suffix);
  out.text(row.literal);
  out.text(word.text());
  note(tallies_[metric], word);
}

void MetricLines::house(Writer& out, Dice& dice, std::string_view time) { house(out, dice, time, every); }

void MetricLines::house_some(Writer& out, Dice& dice, std::string_view time) {
  house(out, dice, time, sets[dice.below(sets.size())]);
}

void MetricLines::house(Writer& out, Dice& dice, std::string_view time, unsigned set) {
  out.text(time);
  out.text(" INFO trainer: step=");
  out.text(Word(++step_).text());
  for (std::size_t i = 0; i < metrics.size(); ++i)
    if ((set >> i & 1) != 0) value(out, dice, i);
}

void MetricLines::megatron(Writer& out, Dice& dice, std::string_view time) {
  const Word loss = decimal(dice, 1, 9, 6, "E+00");
  const auto field = [&](std::string_view name, const Word& word) {
    out.text(name);
    out.text(word.text());
  };
  out.text(" [");
  out.text(time.substr(0, 19));
  field("] iteration ", Word(++step_, 8));
  field("/99999999 | consumed samples: ", Word(step_ * 256, 12));
  field(" | elapsed time per iteration (ms): ", decimal(dice, 400, 900, 1, ""));
  field(" | learning rate: ", decimal(dice, 1, 9, 6, "E-04"));
  field(" | global batch size:   256 | lm loss: ", loss);
  field(" | loss scale: 1.0 | grad norm: ", decimal(dice, 0, 3, 3, ""));
  out.text(" | number of skipped iterations:   0 | number of nan iterations:   0 |");
  note(tallies_[lm_loss], loss);
}

void MetricLines::candidate(Writer& out) {
  out.text("trainer:");
  for (const MetricRow& row : metrics) {
    out.text(row.literal);
    out.text("n/a");
  }
}

std::vector<Tally> MetricLines::tallies() const {
  std::vector<Tally> printed;
  for (const Tally& tally : tallies_)
    if (tally.count > 0) printed.push_back(tally);
  return printed;
}

}  // namespace bench
