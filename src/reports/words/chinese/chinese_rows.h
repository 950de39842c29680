// The rows of the table, by subject: `ENGLISH → CHINESE`, a line each. One text, and not a row of two
// pointers, since a pointer takes 32 bytes in a binary that is loaded anywhere.
#pragma once

#include <string_view>

namespace gate::words {

std::string_view verdict_rows();  // verdicts, labels, counts, heads and last lines
std::string_view judging_rows();  // checks and remarks
std::string_view ending_rows();   // how scripts end, and why nothing was launched
std::string_view log_rows();      // problems of logs, attempts, outputs
std::string_view message_rows();  // known messages and their advice
std::string_view machine_rows();  // hosts, devices, engines
std::string_view page_rows();     // the page
std::string_view
session_rows();  // progress, candidates, selftest, lint, and sentences that end in others' words

}  // namespace gate::words
