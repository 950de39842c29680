// The log of a pod, each line behind its time, read in pieces that overlap: a piece that begins anew holds
// lines of the last second once more.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gate::hosts {

class PodLog {
 public:
  // Return from which second on the next piece is to begin: `2026-11-25T16:49:03Z`; "": from the start.
  std::string since() const;

  // A new piece begins, from since() on.
  void begin();

  // Take bytes of the piece; lines that are new are put behind the output, without their times.
  void feed(std::string_view bytes, std::string& output);

  // Tell whether lines are missing: a piece did not hold all that it should have once more, as where a log
  // was rotated, or something else stood in place of lines.
  bool has_gap() const { return has_gap_; }

  // The piece has ended: what stands behind its last line break is put there, too.
  void finish(std::string& output);

 private:
  void take(std::string_view line, std::string_view end, std::string& output);

  std::string rest_;         // of a line
  std::string second_;       // of the latest line
  std::string zone_;         // its time zone: `Z`, `+08:00`
  std::size_t taken_ = 0;    // lines of that second
  std::size_t skipped_ = 0;  // of them, in this piece
  bool is_again_ = false;    // the piece still holds what was taken
  bool has_gap_ = false;
};

}  // namespace gate::hosts
