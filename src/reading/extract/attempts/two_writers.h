// Two runs that write into one source at once: `4 1 5 2 6 3`.
//
// Their steps are two rising series that take turns. A run that was begun again is not: its steps go on by
// themselves. So a turn is told where a step stands behind the other series' last one and not behind the own
// one's: up, past the other's last step (1, and then 5 behind the other's 4), or back down to right behind
// it. A chain of resumes, each of which begins right behind the end of the one before the last, does go down
// so by chance; it never goes up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace gate::extract {

class TwoWriters {
 public:
  TwoWriters() = default;

  // Add the next step that the source prints.
  void add(std::int64_t step) {
    if (!last_) return void(last_ = step);
    const std::int64_t stride = stride_.value_or(1);
    if (step > *last_) {
      if (other_ && *other_ > *last_ && step > *other_ && step - *last_ > stride)
        return alternate(step, ups_);
      stride_ = stride_ ? std::min(stride, step - *last_) : step - *last_;
    } else if (other_ && step > *other_ && step < *last_ && (ups_ > 0 || step - *other_ <= stride)) {
      return alternate(step, downs_);
    } else if (step < *last_) {
      *this = {last_, stride_};  // a run begins again, it seems
    }
    last_ = step;
  }

  // The source said that a run begins.
  void begin() { *this = {}; }

  // Tell whether they have taken turns three times since a run began, two of them up, or four times down.
  bool detected() const { return (ups_ >= 2 && ups_ + downs_ >= 3) || downs_ >= 4; }

 private:
  TwoWriters(std::optional<std::int64_t> other, std::optional<std::int64_t> stride)
      : other_(other), stride_(stride) {}

  void alternate(std::int64_t step, int& turns) {
    ++turns;
    other_ = last_;
    last_ = step;
  }

  std::optional<std::int64_t> last_ = {};
  std::optional<std::int64_t> other_ = {};   // the last step of the other series
  std::optional<std::int64_t> stride_ = {};  // the least difference of two steps of one series
  int ups_ = 0;
  int downs_ = 0;
};

}  // namespace gate::extract
