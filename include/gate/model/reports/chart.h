// Values over steps, for the eye: what a report draws.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/sample.h"

namespace gate {

enum class CurveRole : std::uint8_t { run, baseline };

struct Curve {
  Sentence name;  // `run`, `baseline`, `run rank 3`
  CurveRole role = CurveRole::run;
  std::vector<std::optional<double>> values;  // one for each x; none: not there, or no finite number
  std::optional<int> rank = {};
  std::size_t side = 0;  // of more than two sides that lie over one another: which, from 1 on
};

enum class MarkKind : std::uint8_t { miss, end, change };

// Return `run`, or `run rank 3`.
inline Sentence curve_name(const Sentence& side, const std::optional<int>& rank) {
  return rank ? side + as_is(" rank " + std::to_string(*rank)) : side;
}

// A place on the x axis worth pointing at.
struct Mark {
  double x = 0;
  Sentence text;  // `first miss`, `stopped early`
  MarkKind kind = MarkKind::miss;
  std::optional<double> until = {};  // the last place of a stretch; none: a single place
};

// What a place on the x axis is called where its number says nothing.
struct PlaceLabel {
  std::string tick;  // below the axis: `2026-11-21`
  std::string full;  // where it is pointed at: `1121-0203 (2026-11-21, commit 9c1e2f4)`
  bool operator==(const PlaceLabel&) const = default;
};

// A part of an axis, both ends included.
struct AxisStretch {
  double first = 0;
  double last = 0;
  bool operator==(const AxisStretch&) const = default;
};

// Make the stretch reach to the value; a value that is not finite changes nothing.
void widen(std::optional<AxisStretch>& stretch, double value);

enum class LevelRole : std::uint8_t { run, baseline, limit };

// One value that holds for all of the judged window: what it was reduced to, or a limit of that.
struct ChartLevel {
  Sentence name;  // `mean`, `limit`
  LevelRole role = LevelRole::run;
  double value = 0;
};

// What a chart is beside its places and values.
struct ChartFrame {
  std::string title;  // a metric
  Sentence of;        // what of it: `phase full`; "": all
  std::string unit;
  Sentence axis;  // what x counts: step, report, s, run
  std::vector<Mark> marks;
  Sentence note;         // what the curves cannot show: `left out at steps 3, 7`
  bool checked = false;  // a rule gates it
  bool red = false;      // and a check of it is not passed
  std::string group;     // charts of one group share their x axis

  std::optional<AxisStretch> judged = {};   // from the first to the last place that its rule looks at
  std::vector<ChartLevel> levels = {};      // of the judged window
  std::optional<AxisStretch> shown_x = {};  // what is drawn at first of either axis; none: all
  std::optional<AxisStretch> shown_y = {};
};

struct Chart : ChartFrame {
  std::vector<double> x;                    // rising
  std::vector<PlaceLabel> labels;           // of each x in place of its number; empty: the numbers
  std::vector<Curve> curves;                // each as long as x
  std::vector<std::optional<double>> low;   // what a value must reach at x; empty: nothing bounds it
  std::vector<std::optional<double>> high;  // and must not exceed
};

// Lines of a log around a place.
struct Excerpt {
  Sentence title;
  std::string file;
  std::uint32_t first = 1;    // number of the first line
  std::uint32_t pointed = 0;  // number of the line that is meant; 0: none
  std::vector<std::string> lines;
  std::optional<Value> value = {};  // that is meant in that line; none: all of it is
};

}  // namespace gate
