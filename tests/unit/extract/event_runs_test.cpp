// Event files beside logs, and several of them.
#include <gmock/gmock.h>

#include "event_writer.h"
#include "reading.h"

namespace gate::extract::event_runs_test {
namespace {

using events::scalar_record;
using testing::ElementsAre;

std::string steps(int first, int last, float loss) {
  std::string file;
  for (int step = first; step <= last; ++step) file += scalar_record(step, "train/loss", loss);
  return file;
}

TEST(EventRuns, go_on_in_a_file_of_their_own) {
  const Extraction x = read_named({{"tb/events.1", steps(1, 4, 2.5F)}, {"tb/events.2", steps(3, 5, 1.5F)}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.5 3=1.5 4=1.5 5=1.5");
  EXPECT_THAT(x.notes, ElementsAre("attempt 2 of 2 is judged: steps 3-5",
                                   "steps 1-2 come from attempt 1: attempt 2 resumed at step 3"));
}

TEST(EventRuns, of_two_folders_are_two_sources) {
  const Extraction x = read_named({{"a/events.1", steps(1, 2, 2.5F)}, {"b/events.1", steps(1, 2, 1.5F)}});
  EXPECT_THAT(problems(x, ProblemKind::conflict),
              ElementsAre(testing::HasSubstr("lm_loss printed as 2.5 and as 1.5"),
                          testing::HasSubstr("lm_loss printed as 2.5 and as 1.5")));
}

TEST(EventRuns, give_way_to_what_the_log_prints) {
  const Extraction x = read_named(
      {{"train.log", " iteration 1/ 1 | lm loss: 2.500001E+00 | number of nan iterations:   0 |\n"},
       {"tb/events.1", steps(1, 1, 2.5F) + scalar_record(1, "train/grad_norm", 0.5F)}});
  EXPECT_EQ(words(x, "lm_loss"), "1=2.500001E+00");
  EXPECT_EQ(words(x, "grad_norm"), "1=0.5");
  EXPECT_THAT(x.formats, ElementsAre("megatron", "tensorboard"));
}

}  // namespace
}  // namespace gate::extract::event_runs_test
