// Where a tracker shows the run, as it prints it when the run begins and ends:
//
//   wandb: 🚀 View run brisk-lake-7 at: https://wandb.ai/team/project/runs/1a2b3c4d
//   🏃 View run brisk-lake-7 at: http://127.0.0.1:5000/#/experiments/0/runs/0123456789abcdef
//   swanlab: 🚀 View run at https://swanlab.cn/@team/project/runs/1a2b3c4d
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "gate/model/runs/extraction.h"

namespace gate::extract {

class TrackerLinks {
 public:
  // It stands in each line that read() wants.
  static constexpr std::string_view literal = "View run ";

  void read(std::string_view line);

  // Add a note for each tracker to the extraction: the last link that it printed. Links are of http or https,
  // of printable ASCII without quotes and angle brackets, and of at most 500 characters, and hold no
  // password; others are none. A key of W&B in them is cut off.
  void tell(Extraction& extraction) const;

 private:
  std::map<std::string_view, std::string> links_;  // by tracker
};

}  // namespace gate::extract
