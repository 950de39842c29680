// A test of the journal as JSON, and back.
#pragma once

#include <string>
#include <string_view>

#include "worker/journal.h"

namespace gate::worker {

std::string write_order(const TestOrder& order);
std::string write_test_result(const HubResult& result);

// Fail for a text that none of the two above wrote.
Result<TestOrder> read_order(std::string_view text);
Result<HubResult> read_test_result(std::string_view text);

}  // namespace gate::worker
