// From checks and the way the script ended to a verdict.
//
// Two things are asked of a case: did a check fail, and how did its script end? If no check failed, the end
// decides, and then whether enough was compared: the first verdict of `verdicts()` that applies. Green is
// what is left when nobody had an objection. If a check failed, each of both could hide the other, so the
// reason says both, and the verdict is that of which people look for the cause first. A loss is out at step
// 7, and then
//
//     the script goes on to its end     regressed
//     gate stops it for that            regressed     that is no end of the script's own
//     the deadline of the run cuts it   regressed     what had failed by then is known; else not_run
//     it hangs, crashes, takes too long hung, crashed, timed_out   `...; before that: lm_loss ...`: an image
//                                                     that moves all losses a little must not hide a hang
//     its log says why no more came     incomplete    likewise; ending early without a word is regressed
//     its host goes away                regressed     `lm_loss ...; then ...`: the machine is not the case
//     somebody presses Ctrl-C           interrupted   whatever was measured
//     nobody can tell which attempt     unjudged      no check says anything of a log in doubt
//
// So a regression is not turned into `infra`, which would be launched again until it is green, and a hang not
// into a regression, for which people would look at numbers.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/judge.h"
#include "judge/rules/check_evaluation.h"

namespace gate::judge {

struct Decision {
  Verdict verdict = Verdict::unjudged;
  Sentence reason;
  EndedBy ended_by = EndedBy::none;
};

// Return how far the run came of what its log announces. Not for a run that came so far.
remark::ShortOfAnnounced short_of_announced(const Progress& progress);

// Return the first verdict of `verdicts()` that applies, and why. `blocked`: what `strict` or `required` does
// not let pass ungated, for people; "" where there is nothing. `cause`: what the log blames, or nullptr.
Decision decide(const JudgeInput& input, const Progress& progress, const std::vector<Check>& checks,
                const Sentence& blocked, const KnownMessage* cause);

// Return the message that explains how the run ended, or nullptr: where gate or a person stopped it, the log
// has nothing to explain, and hints do not explain why it stood still.
const KnownMessage* failure_cause(const JudgeInput& input);

// Return the ending with its message: `exited 1: CUDA out of memory (log.txt:57)`. Without one, a SIGKILL,
// which gate did not send, names its usual sender.
Sentence explain_failure(const Outcome& ending, const KnownMessage* cause);

// Return the reason with what the log says beside it: `hung ...; the log says: CUDA out of memory
// (log.txt:57)`.
Sentence beside(const Sentence& reason, const KnownMessage* cause);

// Return the heaviest message behind the last step of its file, or nullptr. In a file without steps all are.
const KnownMessage* said_last(const Extraction& run);

// Return the heaviest message of the last attempt that says that a process of the run failed, is no hint, and
// behind which not even three steps of its file came; one that a signal ended counts whatever came, but not
// where gate's own fault may be it, and where the starter outlives its ranks any behind the first step of its
// file. nullptr where there is none.
const KnownMessage* fatal_message(const JudgeInput& input);

// Return the heaviest message behind the beginning of the first attempt and before the last one that says
// that a process failed, and is no hint; nullptr where there is none.
const KnownMessage* failure_between_attempts(const Extraction& run);

// Return the heaviest message of the last attempt by which somebody told the run to end, wherever it stands
// there, or nullptr.
const KnownMessage* told_to_end(const Extraction& run);

// Return what a launcher says of a process of the job that ended badly, and behind which the training did not
// go on: no step of its file came, nor, in a file without steps, another attempt. nullptr where nothing says
// so.
const ProcessEnd* failed_process(const Extraction& run);

// Return the messages as problems that quote their lines.
std::vector<Problem> as_problems(const std::vector<KnownMessage>& messages);

}  // namespace gate::judge
