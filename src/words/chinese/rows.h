// The rows of the table, by subject.
#pragma once

#include <span>

#include "gate/words/chinese.h"

namespace gate::words {

std::span<const ChineseRow> verdict_rows();  // verdicts, labels, counts, heads and last lines
std::span<const ChineseRow> judging_rows();  // checks and remarks
std::span<const ChineseRow> ending_rows();   // how scripts end, and why nothing was launched
std::span<const ChineseRow> log_rows();      // problems of logs, attempts, outputs
std::span<const ChineseRow> message_rows();  // known messages and their advice
std::span<const ChineseRow> machine_rows();  // hosts, devices, engines
std::span<const ChineseRow> page_rows();     // the page

}  // namespace gate::words
