#include "app/run/run_candidate.h"

#include <gmock/gmock.h>

namespace gate::app::differs_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Provenance known() {
  Provenance made;
  made.gate_version = "1.0.0";
  made.host = "npu-07";
  made.device = "ascend-910b3";
  made.device_count = 8;
  made.driver = "24.1.rc2";
  made.toolkit = "CANN 8.0.RC2";
  made.commit = std::string(40, 'a');
  made.script_sha256 = "s1";
  return made;
}

TEST(Differs, WhatIsTheSameIsNotTold) { EXPECT_THAT(differences(known(), known()), IsEmpty()); }

TEST(Differs, TellsWhatMovesNumbersFirst) {
  Provenance run = known();
  run.toolkit = "CANN 8.0.RC3";
  run.host = "npu-08";
  run.commit = std::string(40, 'b');
  run.device_count = 4;
  run.script_sha256 = "s2";
  run.args = {"--lr", "1"};
  EXPECT_THAT(differences(known(), run), ElementsAre("the script changed", "ARGS none -> --lr 1",
                                                     "devices 8 -> 4", "toolkit CANN 8.0.RC2 -> CANN 8.0.RC3",
                                                     "host npu-07 -> npu-08", "commit aaaaaaa -> bbbbbbb"));
}

TEST(Differs, WhatOneSideDoesNotKnowIsNotTold) {
  Provenance run = known();
  run.driver = run.toolkit = "";
  Provenance old = known();
  old.script_sha256 = old.gate_version = "";
  EXPECT_THAT(differences(old, run), IsEmpty());
}

}  // namespace
}  // namespace gate::app::differs_test
