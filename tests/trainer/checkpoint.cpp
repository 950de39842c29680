#include "trainer/checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "trainer/files.h"
#include "trainer/hello.h"

namespace tinygpt {
namespace {

constexpr std::string_view kMark = "tinygpt-checkpoint-1";
constexpr std::size_t kLongestHead = 512;    // with its end
constexpr std::size_t kLongestTracker = 32;  // that is looked at
constexpr int kLastStep = 9'999'999;         // that a folder's name has digits for

using Checksum = std::uint64_t;

// FNV-1a (Fowler, Noll and Vo), 64 bits.
Checksum checksum_of(std::span<const std::byte> bytes) {
  Checksum sum = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) sum = (sum ^ static_cast<Checksum>(byte)) * 0x100000001b3;
  return sum;
}

std::string checkpoint_folder(const std::string& folder, int step) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "/iter_%07d", step);
  return folder + name.data() + "/mp_rank_00";
}

std::string checkpoint_file(const std::string& folder, int step) {
  return checkpoint_folder(folder, step) + "/model_optim_rng.pt";
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::runtime_error("checkpoint " + path + ": " + why);
}

// What must be the same here and in the file, in words.
std::vector<std::string> checkpoint_terms(const Options& options, const ModelShape& shape, int step) {
  return {"step=" + std::to_string(step), "seed=" + std::to_string(options.seed),
          "ranks=" + std::to_string(options.world()), "shape=" + word_of(shape),
          "byte-order=" + byte_order()};
}

std::string optimizer_word(bool is_there) { return is_there ? "optimizer=yes" : "optimizer=no"; }

// The parts that are in the file: all, or the parameters alone.
std::span<const std::span<std::byte>> saved_parts(const CheckpointParts& parts, bool with_optimizer) {
  return std::span(parts).first(with_optimizer ? parts.size() : 1);
}

std::vector<std::byte> content_of(const Options& options, const ModelShape& shape, int step,
                                  const CheckpointParts& parts) {
  std::string head(kMark);
  for (const std::string& term : checkpoint_terms(options, shape, step)) head += " " + term;
  head += " " + optimizer_word(options.save_optim) + "\n";
  const auto text = std::as_bytes(std::span(head));
  std::vector<std::byte> content(text.begin(), text.end());
  for (const auto part : saved_parts(parts, options.save_optim))
    content.insert(content.end(), part.begin(), part.end());
  const Checksum sum = checksum_of(content);
  const auto end = std::as_bytes(std::span(&sum, 1));
  content.insert(content.end(), end.begin(), end.end());
  return content;
}

// The start of a checkpoint.
struct Heading {
  std::vector<std::string> words;  // behind the mark
  std::size_t size = 0;            // of the line with its end
};

Heading heading_of(const std::string& path) {
  std::array<char, kLongestHead> bytes{};
  File file = File::to_read(path);
  const std::string_view start(bytes.data(), file.read(std::as_writable_bytes(std::span(bytes))));
  const std::string_view line = start.substr(0, start.find('\n'));
  if (line.size() == start.size() || !is_printable(line) || !line.starts_with(std::string(kMark) + " "))
    refuse(path, "it is damaged, or was not saved by this version of tinygpt");
  Heading head{{}, line.size() + 1};
  for (std::size_t at = kMark.size(); at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at + 1), line.size());
    head.words.emplace_back(line.substr(at + 1, end - at - 1));
    at = end;
  }
  return head;
}

// Return whether the optimizer's state is in the file.
bool agrees(const std::string& path, const Heading& head, const std::vector<std::string>& terms) {
  if (head.words.size() != terms.size() + 1) refuse(path, "its first line is damaged");
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (head.words[i] != terms[i])
      refuse(path, "it was saved with " + head.words[i] + ", while " + terms[i] + " is wanted here");
  for (const bool is_there : {true, false})
    if (head.words.back() == optimizer_word(is_there)) return is_there;
  refuse(path, "its first line is damaged");
}

// Return what lies between the first line and the checksum, which must be so many bytes.
std::vector<std::byte> numbers_of(const std::string& path, std::size_t begin, std::size_t size) {
  File file = File::to_read(path);
  const std::size_t whole = begin + size + sizeof(Checksum);
  if (file.size() != whole)
    refuse(path, "it has " + std::to_string(file.size()) + " bytes in place of " + std::to_string(whole) +
                     ": it is not whole");
  std::vector<std::byte> content(whole);
  Checksum sum = 0;
  if (file.read(content) == whole) std::memcpy(&sum, &content[begin + size], sizeof sum);
  content.resize(begin + size);
  if (sum != checksum_of(content)) refuse(path, "it is damaged: its checksum is that of something else");
  content.erase(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(begin));
  return content;
}

// Write half, and the rest after the time that a test wants to be in between.
void write_slowly(File& file, std::span<const std::byte> content, int milliseconds) {
  const std::size_t half = content.size() / 2;
  file.write(content.first(half));
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  file.write(content.subspan(half));
}

void tell_tracker(const std::string& tracker, int step, bool is_torn) {
  if (is_torn)
    File::to_write(tracker);
  else
    replace_file(tracker, [&](File& file) { file.write(std::to_string(step)); });
}

}  // namespace

std::string tracker_in(const std::string& folder) { return folder + "/latest_checkpointed_iteration.txt"; }

std::optional<int> latest_step(const std::string& folder) {
  const std::string tracker = tracker_in(folder);
  if (!exists(tracker)) return std::nullopt;
  std::array<char, kLongestTracker> bytes{};
  File file = File::to_read(tracker);
  std::string_view text(bytes.data(), file.read(std::as_writable_bytes(std::span(bytes))));
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  int step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc{} || end != text.data() + text.size() || step < 1 || step > kLastStep)
    throw std::runtime_error(
        "Invalid metadata file " + tracker +
        ": it holds no step; write there that of a checkpoint, or begin anew without --load");
  return step;
}

std::optional<std::uint64_t> saved_seed(const std::string& folder) {
  constexpr std::string_view kName = "seed=";
  const auto step = folder.empty() ? std::nullopt : latest_step(folder);
  if (!step) return std::nullopt;
  const std::string path = checkpoint_file(folder, *step);
  std::uint64_t seed = 0;
  for (const std::string& word : heading_of(path).words)
    if (word.starts_with(kName) &&
        std::from_chars(word.data() + kName.size(), word.data() + word.size(), seed).ec == std::errc{})
      return seed;
  refuse(path, "its first line is damaged");
}

void load_checkpoint(const Options& options, const ModelShape& shape, int step,
                     const CheckpointParts& parts) {
  const std::string path = checkpoint_file(options.load, step);
  const Heading head = heading_of(path);
  const bool with_optimizer = agrees(path, head, checkpoint_terms(options, shape, step));
  if (step > options.steps)
    refuse(path, "it is of step " + std::to_string(step) + ", and there are only " +
                     std::to_string(options.steps) + " steps");
  std::size_t size = 0;
  for (const auto part : saved_parts(parts, with_optimizer)) size += part.size();
  const std::vector<std::byte> numbers = numbers_of(path, head.size, size);
  std::span<const std::byte> left(numbers);
  for (const auto part : saved_parts(parts, with_optimizer)) {
    std::copy_n(left.begin(), part.size(), part.begin());
    left = left.subspan(part.size());
  }
}

void save_checkpoint(const Options& options, const ModelShape& shape, int step,
                     const CheckpointParts& parts) {
  make_folders(checkpoint_folder(options.save, step));
  const std::vector<std::byte> content = content_of(options, shape, step, parts);
  replace_file(checkpoint_file(options.save, step),
               [&](File& file) { write_slowly(file, content, options.save_ms); });
  tell_tracker(tracker_in(options.save), step, options.torn_tracker);
}

}  // namespace tinygpt
