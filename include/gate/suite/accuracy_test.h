// Tests of a model hub: the environment says what is tested, and stages may be done one at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/model/runs/stage.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Put what the variables ask for into the suite, and into each of its cases with `accuracy_test = true` that
// the words of the command line and choose_strategy() select, or that comes before one of these: its
// variables under all their names, as many devices as the variables say where the case says none, and for its
// output - one, or `test_output/output.txt` (of a training `test_output/loss.jsonl`) where it names none -
// the golden file, metric and tolerance. What gate.toml says of metric and tolerance stands where the
// variables say neither; a run that makes a baseline is held against nothing, and one of usability has no
// output. A suite without such a case is left as it is, but that in the golden files of all cases which are
// paths it is told what told_in_place() tells. Fails with all mistakes of the variables, and for a case with
// several outputs, with none to compare with, or with a metric of text where its own is one of numbers.
Answer<void> take_accuracy_contract(Suite& suite, const std::map<std::string, std::string>& variables,
                                    const std::vector<std::string>& words);

// Let the cases of the suite need what the stage needs: devices and a platform for the test alone, so that a
// pod without devices downloads, judges and uploads.
void need_what_stage_needs(Suite& suite, Stage stage);

}  // namespace gate::app
