// A run in the few words that fit into a message, and the message as each kind of receiver wants it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/reports/notice.h"
#include "gate/model/reports/report.h"

namespace gate::render {

struct NoticeCase {
  std::string name, verdict, owner;
  std::string what;   // `lm_loss  14 of 15 steps out of ±0.01`, or why it is red
  std::string first;  // where a check failed first; "" where none did
};

// Texts are as the report has them: of any length, and with all that somebody could obey.
struct Notice {
  std::string title;  // `RED: 1 regressed, 3 passed (exit 1)`
  std::string about;  // `gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4`
  std::string suite, run, host, platform, commit, started, finished;
  Duration duration{};
  int exit_code = 0;
  std::int64_t passed = 0, skipped = 0, red = 0;
  std::vector<NoticeCase> cases;  // the first ten red ones
  std::vector<std::string> next;  // commands to paste where the suite is
  std::string link;               // to the job that ran it; "" where none is known
};

// Return the words for the report. A link that is no plain address of http or https is left out.
Notice notice_of(const Report& report, const std::string& link);

// What proves to a receiver that wants it in the body who sends: seconds since 1970, and the signature of
// them.
struct MessageProof {
  std::string timestamp;
  std::string signature;  // "": not signed
};

// Return the JSON that the kind of receiver takes: within its limits, and nobody is mentioned, whatever
// stands in the notice. What is left out is counted.
std::string notice_body(NoticeKind kind, const Notice& notice, const MessageProof& proof);

}  // namespace gate::render
