// Bytes to lines.
//
// A physical line ends at LF or CR LF. A carriage return inside it ends a part: progress bars overwrite
// themselves with it, and a record may follow on the same physical line. Each non-empty part is delivered as
// soon as its end is known, so a log of progress bars alone needs no more memory than its longest bar.
//
// A part longer than `limit` is delivered in pieces of at most `limit` bytes that overlap by `overlap` bytes,
// cut by position and never by how the bytes arrived. Of a piece only what starts within its first `own`
// bytes counts; what starts later is whole in the next piece, as long as it is no longer than the overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gate/extract/scan_result.h"

namespace gate::extract {

// Where a part stands: `later` has another part or piece of its physical line before it.
enum class PartOrder : std::uint8_t { first, later };
enum class LineCut : std::uint8_t { none, too_long };

struct LogLine {
  std::string_view text;
  std::uint32_t number = 0;  // of the physical line, from 1
  std::size_t own = 0;
  PartOrder part = PartOrder::first;
  LineCut cut = LineCut::none;  // too_long: more of this part follows
  bool ended = true;            // false: the file ends within it
};

inline constexpr std::size_t longest_whole_line = std::size_t{1} << 20;

// Return the text of a physical line that is all at hand, if it is of one part and one piece.
std::optional<std::string_view> whole_line(std::string_view line, std::size_t limit = longest_whole_line);

class LineSplitter {
 public:
  using OnLine = std::function<void(const LogLine&)>;

  explicit LineSplitter(OnLine on_line, std::size_t limit = longest_whole_line, std::size_t overlap = 4096);

  void feed(std::string_view bytes);

  // The same of a line, or the rest of one, whose newline has been found; without that.
  void feed_line(std::string_view line);

  // Deliver a last line that has no newline. Call it once, at the end of the file.
  void finish();

  // Deliver a line that has no newline, because its writer is gone; another one goes on behind it.
  void break_off();

  // Pass over that many lines, which are not fed. Called where a line begins.
  void pass(std::int64_t lines);

  // Return how many physical lines have ended.
  std::int64_t lines() const { return lines_; }

  // Return the number of the line that is read, or comes next.
  std::uint32_t number() const { return number_; }

 private:
  void take_piece(std::string_view bytes);
  void keep(std::string_view bytes);
  void end_part(std::string_view tail);
  void end_line();
  void deliver(std::string_view text, std::size_t own, LineCut cut);

  OnLine on_line_;
  std::size_t limit_;
  std::size_t overlap_;
  std::string held_;
  std::uint32_t number_ = 1;
  std::int64_t lines_ = 0;
  PartOrder part_ = PartOrder::first;
  bool begun_ = false;  // the current line has bytes
  bool ended_ = true;
};

// Hands on of a file's lines those that may say something, and counts the others.
//
// A line in which no literal stands changes nothing, so it is passed over, unless somebody has something
// pending: a reader that holds the first half of a record waits for whatever comes next. Then lines are
// handed on one by one until nobody has. Lines that a block cuts in two are always handed on.
class LineSkimmer {
 public:
  // Takes a stretch of the block and its text; the number is that of the block's first line. Returns false if
  // its lines must be read one by one.
  using OnStretch =
      std::function<bool(const Stretch&, const FoundLine&, std::string_view text, std::uint32_t line)>;

  // Takes whole lines that were passed over.
  using OnPassed = std::function<void(std::string_view lines)>;

  LineSkimmer(LineSplitter::OnLine on_line, OnStretch on_stretch, OnPassed on_passed,
              std::function<bool()> has_pending);

  // Take a block of the file, and what scanning it found. It has no line longer than LineSplitter reads
  // whole, but for one that it does not hold to its end.
  void feed(std::string_view bytes, const ScanResult& found);

  // Deliver a last line that has no newline. Call it once, at the end of the file.
  void finish() { splitter_.finish(); }

  // As LineSplitter has it.
  void break_off() {
    within_ = false;
    splitter_.break_off();
  }

  // Return how many physical lines have ended.
  std::int64_t lines() const { return splitter_.lines(); }

 private:
  void read_line();
  void read_to(std::size_t end);
  void pass_to(std::size_t at, std::int64_t lines);
  void go_to(std::size_t at, std::int64_t lines);

  LineSplitter splitter_;
  OnStretch on_stretch_;
  OnPassed on_passed_;
  std::function<bool()> has_pending_;
  bool within_ = false;  // a line that has not ended
  std::string_view bytes_;
  std::size_t at_ = 0;      // what stands before it in the block is done
  std::int64_t lines_ = 0;  // that ended there
};

}  // namespace gate::extract
