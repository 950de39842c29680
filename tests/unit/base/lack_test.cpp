#include "gate/base/lack.h"

#include <gtest/gtest.h>

#include <new>
#include <system_error>
#include <thread>

namespace gate::lack_test {
namespace {

template <typename Thrown>
[[noreturn]] void throw_in_a_thread(Thrown thrown) {
  name_lacking("gate-x");
  std::thread([&] { throw thrown; }).join();
  std::abort();
}

TEST(LackDeathTest, EndsPlainlyWhereAThreadGetsNoMemory) {
  EXPECT_EXIT(throw_in_a_thread(std::bad_alloc()), testing::ExitedWithCode(125),
              "^gate-x: no memory is left; raise the limit .*\n$");
}

TEST(LackDeathTest, SaysWhatElseIsNotGiven) {
  const auto no_thread = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_EXIT(throw_in_a_thread(std::system_error(no_thread)), testing::ExitedWithCode(125),
              "^gate-x: the system does not give what is needed: Resource temporarily unavailable; raise ");
}

TEST(LackDeathTest, EndsWithTheCodeThatIsSet) {
  set_lack_code(122);
  EXPECT_EXIT(throw_in_a_thread(std::bad_alloc()), testing::ExitedWithCode(122), "no memory is left");
  set_lack_code(125);
}

}  // namespace
}  // namespace gate::lack_test
