// `gate extract --follow`: logs while they grow.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/extract/extractor.h"
#include "gate/suite/answer.h"

namespace gate::app {

struct FollowHands {
  std::function<void(const LiveSample&, const std::string& file)> sample;
  std::function<void(const std::string& text)> tell;  // a file that was truncated, replaced or is gone
  std::function<bool()> flush;                        // after each poll; false: nobody reads any more
  std::function<bool()> interrupted;
};

struct Followed {
  std::string file;
  Extraction extraction;
};

// Read what the logs hold, then what comes, until interrupted. Each file is read for itself. Returns what
// each of them held since it was last truncated or replaced. Fails (2) as read_logs does, and for standard
// input and packed logs, which do not grow.
Answer<std::vector<Followed>> follow(const std::vector<std::string>& logs, const extract::Options& options,
                                     const FollowHands& hands);

}  // namespace gate::app
