// What a case launches next, and what its launches come to, row by row.
#pragma once

namespace gate::app::course_test {

// What is asked | what the launches come to, the last word for all that follow | which launches there are,
// each with the letter of its purpose (judging, confirming, repeating, explaining) | the verdict | the reason
// | the logs.
inline constexpr const char* course_rows = R"(
once | ok | j1 | passed | ALL | log
once | slow | j1 | regressed | SLOW | log
once | near | j1 | passed | ALL | log
once | wrong | j1 | regressed | WRONG | log
once | odd | j1 | passed | ALL | log
once | nan | j1 | regressed | iteration_time steps 1-3: nan | log
once | short | j1 | incomplete | missing steps 2 and 3 of 3 | log
once | empty | j1 | incomplete | the log is empty | log
once | crash | j1 | crashed | exited 3 | log
once | late | j1 | crashed | exited 3 | log
once | infra | j1 | infra | INFRA | log
once | changed | j1 | not_run | not started: c.sh: run again | log
once | stop | j1 | interrupted | interrupted by SIGTERM | log
repeat 3 | ok | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | slow | r1 r2 r3 | regressed | SLOW | log log-2 log-3
repeat 3 | near | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | wrong | r1 r2 r3 | regressed | WRONG | log log-2 log-3
repeat 3 | nan | r1 | regressed | run 1 of repeat 3: iteration_time steps 1-3: nan | log
repeat 3 | short | r1 | incomplete | run 1 of repeat 3: missing steps 2 and 3 of 3 | log
repeat 3 | empty | r1 | incomplete | run 1 of repeat 3: the log is empty | log
repeat 3 | crash | r1 | crashed | run 1 of repeat 3: exited 3 | log
repeat 3 | infra | r1 | infra | run 1 of repeat 3: INFRA | log
repeat 3 | changed | r1 | not_run | run 1 of repeat 3: not started: c.sh: run again | log
repeat 3 | stop | r1 | interrupted | run 1 of repeat 3: interrupted by SIGTERM | log
repeat 3 | ok ok | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | ok slow | r1 r2 r3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
repeat 3 | ok wrong | r1 r2 r3 | regressed | WRONG | log log-2 log-3
repeat 3 | ok odd | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | ok nan | r1 r2 | regressed | run 2 of repeat 3: iteration_time steps 1-3: nan | log log-1
repeat 3 | ok short | r1 r2 | incomplete | run 2 of repeat 3: missing steps 2 and 3 of 3 | log log-1
repeat 3 | ok empty | r1 r2 | incomplete | run 2 of repeat 3: the log is empty | log log-1
repeat 3 | ok crash | r1 r2 | crashed | run 2 of repeat 3: exited 3 | log log-1
repeat 3 | ok infra | r1 r2 | infra | run 2 of repeat 3: INFRA | log log-1
repeat 3 | ok stop | r1 r2 | interrupted | run 2 of repeat 3: interrupted by SIGTERM | log log-1
repeat 3 | ok ok ok | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | ok ok slow | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | ok ok wrong | r1 r2 r3 | regressed | WRONG | log log-2 log-3
repeat 3 | ok ok odd | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | ok ok nan | r1 r2 r3 | regressed | run 3 of repeat 3: iteration_time steps 1-3: nan | log log-1 log-2
repeat 3 | ok ok crash | r1 r2 r3 | crashed | run 3 of repeat 3: exited 3 | log log-1 log-2
repeat 3 | ok ok infra | r1 r2 r3 | infra | run 3 of repeat 3: INFRA | log log-1 log-2
repeat 3 | ok ok stop | r1 r2 r3 | interrupted | run 3 of repeat 3: interrupted by SIGTERM | log log-1 log-2
repeat 3 | slow slow slow | r1 r2 r3 | regressed | SLOW | log log-2 log-3
repeat 3 | slow near fast | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | slow ok slow | r1 r2 r3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
repeat 3 | ok slow slow | r1 r2 r3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
repeat 3 | near near near | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | slow near near | r1 r2 r3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 105.6667 (+5.67 %), limit 105.0 | log log-2 log-3
repeat 3 | near slow near | r1 r2 r3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 105.6667 (+5.67 %), limit 105.0 | log log-2 log-3
confirm 3 | ok | c1 | passed | ALL | log
confirm 3 | slow | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | near | c1 | passed | ALL | log
confirm 3 | wrong | c1 | regressed | WRONG | log
confirm 3 | nan | c1 | regressed | iteration_time steps 1-3: nan | log
confirm 3 | short | c1 | incomplete | missing steps 2 and 3 of 3 | log
confirm 3 | empty | c1 | incomplete | the log is empty | log
confirm 3 | crash | c1 | crashed | exited 3 | log
confirm 3 | infra | c1 | infra | INFRA | log
confirm 3 | changed | c1 | not_run | not started: c.sh: run again | log
confirm 3 | stop | c1 | interrupted | interrupted by SIGTERM | log
confirm 3 | slow ok | c1 c2 c3 | passed | ALL | log log-2 log-3
confirm 3 | slow slow | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | slow wrong | c1 c2 | regressed | run 2 of --confirm 3: WRONG; before that: SLOW | log log-1
confirm 3 | slow odd | c1 c2 c3 | passed | ALL | log log-2 log-3
confirm 3 | slow nan | c1 c2 | regressed | run 2 of --confirm 3: iteration_time steps 1-3: nan; before that: SLOW | log log-1
confirm 3 | slow short | c1 c2 | incomplete | run 2 of --confirm 3: missing steps 2 and 3 of 3; before that: SLOW | log log-1
confirm 3 | slow empty | c1 c2 | incomplete | run 2 of --confirm 3: the log is empty; before that: SLOW | log log-1
confirm 3 | slow crash | c1 c2 | crashed | run 2 of --confirm 3: exited 3; before that: SLOW | log log-1
confirm 3 | slow infra | c1 c2 | regressed | SLOW; then run 2 of --confirm 3: INFRA | log log-2
confirm 3 | slow stop | c1 c2 | regressed | SLOW | log log-2
confirm 3 | slow slow ok | c1 c2 c3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
confirm 3 | slow slow slow | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | slow slow wrong | c1 c2 c3 | regressed | run 3 of --confirm 3: WRONG; before that: SLOW | log log-1 log-2
confirm 3 | slow slow odd | c1 c2 c3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
confirm 3 | slow slow nan | c1 c2 c3 | regressed | run 3 of --confirm 3: iteration_time steps 1-3: nan; before that: SLOW | log log-1 log-2
confirm 3 | slow slow crash | c1 c2 c3 | crashed | run 3 of --confirm 3: exited 3; before that: SLOW | log log-1 log-2
confirm 3 | slow slow infra | c1 c2 c3 | regressed | SLOW; then run 3 of --confirm 3: INFRA | log log-2 log-3
confirm 3 | slow slow stop | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | slow slow slow | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | slow near fast | c1 c2 c3 | passed | ALL | log log-2 log-3
confirm 3 | slow ok slow | c1 c2 c3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 106.0 (+6 %), limit 105.0 | log log-2 log-3
confirm 3 | ok slow slow | c1 | passed | ALL | log
confirm 3 | near near near | c1 | passed | ALL | log
confirm 3 | slow near near | c1 c2 c3 | regressed | iteration_time mean of steps 2 and 3 100.0 -> 105.6667 (+5.67 %), limit 105.0 | log log-2 log-3
confirm 3 | near slow near | c1 | passed | ALL | log
determinism 3 | ok | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | slow | r1 r2 r3 | regressed | SLOW | log log-2 log-3
determinism 3 | near | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | wrong | r1 r2 r3 | regressed | WRONG | log log-2 log-3
determinism 3 | nan | r1 r2 r3 | regressed | iteration_time steps 1-3: nan | log log-2 log-3
determinism 3 | short | r1 r2 r3 | incomplete | missing steps 2 and 3 of 3 | log log-2 log-3
determinism 3 | empty | r1 r2 r3 | incomplete | the log is empty | log log-2 log-3
determinism 3 | crash | r1 | crashed | run 1 of --determinism 3: exited 3 | log
determinism 3 | infra | r1 | infra | run 1 of --determinism 3: INFRA | log
determinism 3 | changed | r1 | not_run | run 1 of --determinism 3: not started: c.sh: run again | log
determinism 3 | stop | r1 | interrupted | run 1 of --determinism 3: interrupted by SIGTERM | log
determinism 3 | ok ok | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok slow | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok wrong | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 3 | log log-2 log-3
determinism 3 | ok odd | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 2 | log log-2 log-3
determinism 3 | ok nan | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok short | r1 r2 r3 | incomplete | not deterministic: not every run has all of lm_loss | log log-2 log-3
determinism 3 | ok empty | r1 r2 r3 | incomplete | not deterministic: run 1 has 1 attempt, run 2 has 0 | log log-2 log-3
determinism 3 | ok crash | r1 r2 | crashed | run 2 of --determinism 3: exited 3 | log log-1
determinism 3 | ok infra | r1 r2 | infra | run 2 of --determinism 3: INFRA | log log-1
determinism 3 | ok stop | r1 r2 | interrupted | run 2 of --determinism 3: interrupted by SIGTERM | log log-1
determinism 3 | ok ok ok | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok ok slow | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok ok wrong | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 3 | log log-2 log-3
determinism 3 | ok ok odd | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 2 | log log-2 log-3
determinism 3 | ok ok nan | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | ok ok crash | r1 r2 r3 | crashed | run 3 of --determinism 3: exited 3 | log log-1 log-2
determinism 3 | ok ok infra | r1 r2 r3 | infra | run 3 of --determinism 3: INFRA | log log-1 log-2
determinism 3 | ok ok stop | r1 r2 r3 | interrupted | run 3 of --determinism 3: interrupted by SIGTERM | log log-1 log-2
determinism 3 | slow slow slow | r1 r2 r3 | regressed | SLOW | log log-2 log-3
determinism 3 | slow near fast | r1 r2 r3 | regressed | SLOW | log log-2 log-3
determinism 3 | slow ok slow | r1 r2 r3 | regressed | SLOW | log log-2 log-3
determinism 3 | ok slow slow | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | near near near | r1 r2 r3 | passed | ALL | log log-2 log-3
determinism 3 | slow near near | r1 r2 r3 | regressed | SLOW | log log-2 log-3
determinism 3 | near slow near | r1 r2 r3 | passed | ALL | log log-2 log-3
retry 2 | ok ok | j1 | passed | ALL | log
retry 2 | infra ok ok | j1 j2 | passed | ALL | log
retry 2 | infra infra ok | j1 j2 j3 | passed | ALL | log
retry 1 | infra ok ok | j1 j2 | passed | ALL | log
retry 2 | slow ok | j1 | regressed | SLOW | log
retry 2 | infra slow ok | j1 j2 | regressed | SLOW | log
retry 2 | infra infra slow | j1 j2 j3 | regressed | SLOW | log
retry 1 | infra slow ok | j1 j2 | regressed | SLOW | log
retry 2 | wrong ok | j1 | regressed | WRONG | log
retry 2 | infra wrong ok | j1 j2 | regressed | WRONG | log
retry 2 | infra infra wrong | j1 j2 j3 | regressed | WRONG | log
retry 1 | infra wrong ok | j1 j2 | regressed | WRONG | log
retry 2 | crash ok | j1 | crashed | exited 3 | log
retry 2 | infra crash ok | j1 j2 | crashed | exited 3 | log
retry 2 | infra infra crash | j1 j2 j3 | crashed | exited 3 | log
retry 1 | infra crash ok | j1 j2 | crashed | exited 3 | log
retry 2 | infra ok | j1 j2 | passed | ALL | log
retry 2 | infra infra ok | j1 j2 j3 | passed | ALL | log
retry 2 | infra infra infra | j1 j2 j3 | infra | INFRA | log
retry 1 | infra infra ok | j1 j2 | infra | INFRA | log
retry 2 | changed ok | j1 | not_run | not started: c.sh: run again | log
retry 2 | infra changed ok | j1 j2 | not_run | not started: c.sh: run again | log
retry 2 | infra infra changed | j1 j2 j3 | not_run | not started: c.sh: run again | log
retry 1 | infra changed ok | j1 j2 | not_run | not started: c.sh: run again | log
retry 2 | stop ok | j1 | interrupted | interrupted by SIGTERM | log
retry 2 | infra stop ok | j1 j2 | interrupted | interrupted by SIGTERM | log
retry 2 | infra infra stop | j1 j2 j3 | interrupted | interrupted by SIGTERM | log
retry 1 | infra stop ok | j1 j2 | interrupted | interrupted by SIGTERM | log
phases | ok ok | j1 r1.resume | incomplete | phase resume: began at step 1: nothing was resumed | log log-resume
phases | ok from2 | j1 r1.resume | passed | ALL | log log-resume
phases | ok bad2 | j1 r1.resume | regressed | phase resume: BAD2 | log log-resume
phases | ok wrong | j1 r1.resume | incomplete | phase resume: began at step 1: nothing was resumed | log log-resume
phases | ok short | j1 r1.resume | incomplete | phase resume: began at step 1: nothing was resumed | log log-resume
phases | ok crash | j1 r1.resume | crashed | phase resume: exited 3 | log log-resume
phases | ok infra | j1 r1.resume | infra | phase resume: INFRA | log log-resume
phases | ok stop | j1 r1.resume | interrupted | phase resume: interrupted by SIGTERM | log log-resume
phases | ok empty | j1 r1.resume | incomplete | phase resume: printed no step: nothing was resumed | log log-resume
phases | slow from2 | j1 r1.resume | regressed | SLOW | log log-resume
phases | wrong from2 | j1 r1.resume | regressed | WRONG | log log-resume
phases | short from2 | j1 | incomplete | missing steps 2 and 3 of 3 | log
phases | crash from2 | j1 | crashed | exited 3 | log
phases | late from2 | j1 | crashed | exited 3 | log
phases | infra from2 | j1 | infra | INFRA | log
phases | stop from2 | j1 | interrupted | interrupted by SIGTERM | log
phases repeat 2 | ok from2 | r1 r1.resume r2 | incomplete | run 2 of repeat 2: missing step 1 of 3 | log log-1 log-resume-1
phases repeat 2 | ok from2 ok from2 | r1 r1.resume r2 r2.resume | passed | ALL | log log-2 log-resume log-resume-2
phases repeat 2 | ok from2 ok bad2 | r1 r1.resume r2 r2.resume | regressed | run 2 of repeat 2: phase resume: BAD2 | log log-1 log-resume log-resume-1
phases repeat 2 | ok bad2 ok from2 | r1 r1.resume | regressed | run 1 of repeat 2: phase resume: BAD2 | log log-resume
phases repeat 2 | slow from2 ok from2 | r1 r1.resume r2 r2.resume | passed | ALL | log log-2 log-resume log-resume-2
phases repeat 2 | ok infra ok from2 | r1 r1.resume | infra | run 1 of repeat 2: phase resume: INFRA | log log-resume
phases repeat 2 | infra ok from2 | r1 | infra | run 1 of repeat 2: INFRA | log
phases repeat 2 | crash from2 | r1 | crashed | run 1 of repeat 2: exited 3 | log
phases repeat 2 | ok crash | r1 r1.resume | crashed | run 1 of repeat 2: phase resume: exited 3 | log log-resume
phases repeat 2 | slow from2 slow bad2 | r1 r1.resume r2 r2.resume | regressed | run 2 of repeat 2: SLOW; before that: SLOW | log log-1 log-resume log-resume-1
phases repeat 2 | ok from2 infra ok from2 | r1 r1.resume r2 | infra | run 2 of repeat 2: INFRA | log log-1 log-resume-1
phases repeat 2 | ok from2 odd from2 | r1 r1.resume r2 r2.resume | regressed | run 2 of repeat 2: phase resume: lm_loss out of exact first at step 2 (2.400001 -> 2.400000, |Δ| 0.000001, 1 of 2) | log log-1 log-resume log-resume-1
phases confirm 2 | ok from2 | c1 r1.resume | passed | ALL | log log-resume
phases confirm 2 | ok from2 ok from2 | c1 r1.resume | passed | ALL | log log-resume
phases confirm 2 | ok from2 ok bad2 | c1 r1.resume | passed | ALL | log log-resume
phases confirm 2 | ok bad2 ok from2 | c1 r1.resume | regressed | phase resume: BAD2 | log log-resume
phases confirm 2 | slow from2 ok from2 | c1 r1.resume c2 r2.resume | passed | ALL | log log-2 log-resume log-resume-2
phases confirm 2 | ok infra ok from2 | c1 r1.resume | infra | phase resume: INFRA | log log-resume
phases confirm 2 | infra ok from2 | c1 | infra | INFRA | log
phases confirm 2 | crash from2 | c1 | crashed | exited 3 | log
phases confirm 2 | ok crash | c1 r1.resume | crashed | phase resume: exited 3 | log log-resume
phases confirm 2 | slow from2 slow bad2 | c1 r1.resume c2 r2.resume | regressed | run 2 of --confirm 2: SLOW; before that: SLOW | log log-1 log-resume log-resume-1
phases confirm 2 | ok from2 infra ok from2 | c1 r1.resume | passed | ALL | log log-resume
phases confirm 2 | ok from2 odd from2 | c1 r1.resume | passed | ALL | log log-resume
phases determinism 2 | ok from2 | r1 r1.resume r2 | incomplete | not deterministic: not every run has all of lm_loss | log log-2 log-resume
phases determinism 2 | ok from2 ok from2 | r1 r1.resume r2 r2.resume | passed | ALL | log log-2 log-resume log-resume-2
phases determinism 2 | ok from2 ok bad2 | r1 r1.resume r2 r2.resume | regressed | not deterministic: lm_loss in phase resume differs first at step 3 | log log-2 log-resume log-resume-2
phases determinism 2 | ok bad2 ok from2 | r1 r1.resume r2 r2.resume | regressed | phase resume: BAD2 | log log-2 log-resume log-resume-2
phases determinism 2 | slow from2 ok from2 | r1 r1.resume r2 r2.resume | regressed | SLOW | log log-2 log-resume log-resume-2
phases determinism 2 | ok infra ok from2 | r1 r1.resume | infra | run 1 of --determinism 2: phase resume: INFRA | log log-resume
phases determinism 2 | infra ok from2 | r1 | infra | run 1 of --determinism 2: INFRA | log
phases determinism 2 | crash from2 | r1 | crashed | run 1 of --determinism 2: exited 3 | log
phases determinism 2 | ok crash | r1 r1.resume | crashed | run 1 of --determinism 2: phase resume: exited 3 | log log-resume
phases determinism 2 | slow from2 slow bad2 | r1 r1.resume r2 r2.resume | regressed | SLOW | log log-2 log-resume log-resume-2
phases determinism 2 | ok from2 infra ok from2 | r1 r1.resume r2 | infra | run 2 of --determinism 2: INFRA | log log-1 log-resume-1
phases determinism 2 | ok from2 odd from2 | r1 r1.resume r2 r2.resume | regressed | not deterministic: lm_loss differs first at step 2 | log log-2 log-resume log-resume-2
phases retry 1 | ok from2 | j1 r1.resume | passed | ALL | log log-resume
phases retry 1 | ok from2 ok from2 | j1 r1.resume | passed | ALL | log log-resume
phases retry 1 | ok from2 ok bad2 | j1 r1.resume | passed | ALL | log log-resume
phases retry 1 | ok bad2 ok from2 | j1 r1.resume | regressed | phase resume: BAD2 | log log-resume
phases retry 1 | slow from2 ok from2 | j1 r1.resume | regressed | SLOW | log log-resume
phases retry 1 | ok infra ok from2 | j1 r1.resume j2 r2.resume | passed | ALL | log log-resume
phases retry 1 | infra ok from2 | j1 j2 r2.resume | passed | ALL | log log-resume
phases retry 1 | crash from2 | j1 | crashed | exited 3 | log
phases retry 1 | ok crash | j1 r1.resume | crashed | phase resume: exited 3 | log log-resume
phases retry 1 | slow from2 slow bad2 | j1 r1.resume | regressed | SLOW | log log-resume
phases retry 1 | ok from2 infra ok from2 | j1 r1.resume | passed | ALL | log log-resume
phases retry 1 | ok from2 odd from2 | j1 r1.resume | passed | ALL | log log-resume
further | ok | j1 | passed | ALL | log
further | slow ok | j1 x2 | regressed | SLOW | log log-2
further | slow slow ok | j1 x2 | regressed | SLOW | log log-2
further | wrong ok | j1 x2 | regressed | WRONG | log log-2
further | crash ok | j1 x2 | crashed | exited 3 | log log-2
further | short ok | j1 x2 | incomplete | missing steps 2 and 3 of 3 | log log-2
further | infra ok | j1 | infra | INFRA | log
further | stop | j1 | interrupted | interrupted by SIGTERM | log
further | wrong crash | j1 x2 | regressed | WRONG | log log-2
further | wrong infra | j1 x2 | regressed | WRONG | log log-2
further | ok odd ok | j1 | passed | ALL | log
further | infra wrong ok | j1 | infra | INFRA | log
slow_further | ok | j1 | passed | ALL | log
slow_further | slow ok | j1 x2 | regressed | SLOW | log log-2
slow_further | slow slow ok | j1 x2 | regressed | SLOW | log log-2
slow_further | wrong ok | j1 | regressed | WRONG | log
slow_further | crash ok | j1 | crashed | exited 3 | log
slow_further | short ok | j1 | incomplete | missing steps 2 and 3 of 3 | log
slow_further | infra ok | j1 | infra | INFRA | log
slow_further | stop | j1 | interrupted | interrupted by SIGTERM | log
slow_further | wrong crash | j1 | regressed | WRONG | log
slow_further | wrong infra | j1 | regressed | WRONG | log
slow_further | ok odd ok | j1 | passed | ALL | log
slow_further | infra wrong ok | j1 | infra | INFRA | log
further repeat 2 | slow ok | r1 r2 | passed | ALL | log log-2
further repeat 2 | slow slow ok | r1 r2 x3 | regressed | SLOW | log log-2 log-3
further repeat 2 | wrong ok | r1 r2 x3 | regressed | WRONG | log log-2 log-3
further repeat 2 | crash ok | r1 x2 | crashed | run 1 of repeat 2: exited 3 | log log-2
further repeat 2 | infra ok | r1 | infra | run 1 of repeat 2: INFRA | log
further repeat 2 | wrong crash | r1 r2 x3 | crashed | run 2 of repeat 2: exited 3; before that: WRONG | log log-1 log-3
further repeat 2 | ok odd ok | r1 r2 | passed | ALL | log log-2
further repeat 2 | infra wrong ok | r1 | infra | run 1 of repeat 2: INFRA | log
further confirm 2 | slow ok | c1 c2 | passed | ALL | log log-2
further confirm 2 | slow slow ok | c1 c2 x3 | regressed | SLOW | log log-2 log-3
further confirm 2 | wrong ok | c1 x2 | regressed | WRONG | log log-2
further confirm 2 | crash ok | c1 x2 | crashed | exited 3 | log log-2
further confirm 2 | infra ok | c1 | infra | INFRA | log
further confirm 2 | wrong crash | c1 x2 | regressed | WRONG | log log-2
further confirm 2 | ok odd ok | c1 | passed | ALL | log
further confirm 2 | infra wrong ok | c1 | infra | INFRA | log
slow_further confirm 2 | slow ok | c1 c2 | passed | ALL | log log-2
slow_further confirm 2 | slow slow ok | c1 c2 x3 | regressed | SLOW | log log-2 log-3
slow_further confirm 2 | wrong ok | c1 | regressed | WRONG | log
slow_further confirm 2 | crash ok | c1 | crashed | exited 3 | log
slow_further confirm 2 | infra ok | c1 | infra | INFRA | log
slow_further confirm 2 | wrong crash | c1 | regressed | WRONG | log
slow_further confirm 2 | ok odd ok | c1 | passed | ALL | log
slow_further confirm 2 | infra wrong ok | c1 | infra | INFRA | log
further determinism 2 | slow ok | r1 r2 x3 | regressed | SLOW | log log-2 log-3
further determinism 2 | slow slow ok | r1 r2 x3 | regressed | SLOW | log log-2 log-3
further determinism 2 | wrong ok | r1 r2 x3 | regressed | WRONG | log log-2 log-3
further determinism 2 | crash ok | r1 x2 | crashed | run 1 of --determinism 2: exited 3 | log log-2
further determinism 2 | infra ok | r1 | infra | run 1 of --determinism 2: INFRA | log
further determinism 2 | wrong crash | r1 r2 x3 | crashed | run 2 of --determinism 2: exited 3; before that: WRONG | log log-1 log-3
further determinism 2 | ok odd ok | r1 r2 x3 | regressed | not deterministic: lm_loss differs first at step 2 | log log-2 log-3
further determinism 2 | infra wrong ok | r1 | infra | run 1 of --determinism 2: INFRA | log
further retry 1 | slow ok | j1 x2 | regressed | SLOW | log log-2
further retry 1 | slow slow ok | j1 x2 | regressed | SLOW | log log-2
further retry 1 | wrong ok | j1 x2 | regressed | WRONG | log log-2
further retry 1 | crash ok | j1 x2 | crashed | exited 3 | log log-2
further retry 1 | infra ok | j1 j2 | passed | ALL | log
further retry 1 | wrong crash | j1 x2 | regressed | WRONG | log log-2
further retry 1 | ok odd ok | j1 | passed | ALL | log
further retry 1 | infra wrong ok | j1 j2 x3 | regressed | WRONG | log log-3
further phases | slow ok | j1 r1.resume x2 | regressed | SLOW | log log-2 log-resume
further phases | slow slow ok | j1 r1.resume x2 | regressed | SLOW | log log-2 log-resume
further phases | wrong ok | j1 r1.resume x2 | regressed | WRONG | log log-2 log-resume
further phases | crash ok | j1 x2 | crashed | exited 3 | log log-2
further phases | infra ok | j1 | infra | INFRA | log
further phases | wrong crash | j1 r1.resume x2 | crashed | phase resume: exited 3; before that: WRONG | log log-2 log-resume
further phases | ok odd ok | j1 r1.resume x2 | incomplete | phase resume: began at step 1: nothing was resumed | log log-2 log-resume
further phases | infra wrong ok | j1 | infra | INFRA | log
repeat 2 retry 1 | infra ok infra ok | r1 r2 r3 r4 | passed | ALL | log log-4
repeat 2 retry 1 | ok infra infra | r1 r2 r3 | infra | run 2 of repeat 2: INFRA | log log-1
repeat 2 retry 1 | ok infra slow | r1 r2 r3 | passed | ALL | log log-3
confirm 3 retry 1 | infra slow infra slow infra slow | c1 c2 c3 c4 c5 c6 | regressed | SLOW | log log-4 log-6
confirm 2 retry 1 | slow infra infra | c1 c2 c3 | regressed | SLOW; then run 2 of --confirm 2: INFRA | log log-3
confirm 2 retry 1 | slow infra ok | c1 c2 c3 | passed | ALL | log log-3
determinism 2 retry 1 | infra ok infra ok | r1 r2 r3 r4 | passed | ALL | log log-4
determinism 2 retry 1 | ok infra infra | r1 r2 r3 | infra | run 2 of --determinism 2: INFRA | log log-1
determinism 2 retry 1 | ok infra odd | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 2 | log log-3
once | ok/stop | j1 | passed | ALL | log
once | slow/held | j1 | regressed | SLOW | log
once | infra/lost | j1 | infra | INFRA | log
repeat 3 | ok/stop | r1 | not_run | 1 run of repeat 3 could start: /stop | log
repeat 3 | ok/held | r1 | interrupted | 1 run of repeat 3 could start: /held | log
repeat 3 | ok ok/stop | r1 r2 | not_run | 2 runs of repeat 3 could start: /stop | log log-1
repeat 3 | slow/stop | r1 | not_run | 1 run of repeat 3 could start: /stop | log
repeat 3 | crash/stop | r1 | crashed | run 1 of repeat 3: exited 3 | log
repeat 3 | ok ok ok/stop | r1 r2 r3 | passed | ALL | log log-2 log-3
repeat 3 | infra/lost | r1 | infra | run 1 of repeat 3: INFRA | log
confirm 3 | slow/stop | c1 | regressed | SLOW | log
confirm 3 | slow/held | c1 | regressed | SLOW | log
confirm 3 | slow slow/stop | c1 c2 | regressed | SLOW | log log-2
confirm 3 | slow slow slow/stop | c1 c2 c3 | regressed | SLOW | log log-2 log-3
confirm 3 | ok/stop | c1 | passed | ALL | log
confirm 3 | slow infra/lost | c1 c2 | regressed | SLOW; then run 2 of --confirm 3: INFRA | log log-2
determinism 3 | ok/stop | r1 | not_run | 1 run of --determinism 3 could start: /stop | log
determinism 3 | ok/held | r1 | interrupted | 1 run of --determinism 3 could start: /held | log
determinism 3 | ok odd/stop | r1 r2 | not_run | 2 runs of --determinism 3 could start: /stop | log log-1
determinism 3 | ok ok odd/stop | r1 r2 r3 | regressed | not deterministic: lm_loss differs first at step 2 | log log-2 log-3
retry 2 | infra/stop | j1 | infra | INFRA | log
retry 2 | infra/held ok | j1 j2 | passed | ALL | log
retry 2 | infra/lost | j1 elsewhere 1 (try 1 was infra: INFRA) | infra | INFRA | log
retry 2 | infra/gone | j1 | infra | INFRA | log
retry 2 | infra infra/lost | j1 j2 elsewhere 2 (try 1 was infra: INFRA; try 2 was infra: INFRA) | infra | INFRA | log
retry 2 | infra infra infra/lost | j1 j2 j3 | infra | INFRA | log
retry 2 | ok/lost | j1 | passed | ALL | log
retry 2 | crash/lost | j1 | crashed | exited 3 | log
retry 2 repeat 2 | infra/lost | r1 elsewhere 1 (try 1 was infra: INFRA) | infra | run 1 of repeat 2: INFRA | log
retry 2 repeat 2 | infra infra/lost | r1 r2 elsewhere 2 (try 1 was infra: INFRA; try 2 was infra: INFRA) | infra | run 1 of repeat 2: INFRA | log
retry 2 repeat 2 | ok infra/lost | r1 r2 | infra | run 2 of repeat 2: INFRA | log log-1
retry 2 repeat 2 | ok infra/gone | r1 r2 | infra | run 2 of repeat 2: INFRA | log log-1
retry 2 confirm 2 | infra/lost | c1 elsewhere 1 (try 1 was infra: INFRA) | infra | INFRA | log
retry 2 confirm 2 | slow infra/lost | c1 c2 | regressed | SLOW; then run 2 of --confirm 2: INFRA | log log-2
retry 2 determinism 2 | infra/lost | r1 elsewhere 1 (try 1 was infra: INFRA) | infra | run 1 of --determinism 2: INFRA | log
retry 2 determinism 2 | ok infra/lost | r1 r2 | infra | run 2 of --determinism 2: INFRA | log log-1
retry 2 phases | infra/lost | j1 elsewhere 1 (try 1 was infra: INFRA) | infra | INFRA | log
retry 2 phases | ok infra/lost | j1 r1.resume elsewhere 1 (try 1 was infra: phase resume: INFRA) | infra | phase resume: INFRA | log log-resume
retry 1 further | infra/lost | j1 elsewhere 1 (try 1 was infra: INFRA) | infra | INFRA | log
retry 1 further | infra infra/lost | j1 j2 | infra | INFRA | log
phases | ok/stop | j1 r1.resume | incomplete | phase resume: began at step 1: nothing was resumed | log log-resume
phases | ok/held | j1 r1.resume | incomplete | phase resume: began at step 1: nothing was resumed | log log-resume
phases | ok from2/stop | j1 r1.resume | passed | ALL | log log-resume
phases repeat 2 | ok from2/stop | r1 r1.resume | not_run | 1 run of repeat 2 could start: /stop | log log-resume
phases repeat 2 | ok/stop from2 | r1 r1.resume r2 | incomplete | run 2 of repeat 2: missing step 1 of 3 | log log-1 log-resume-1
further | wrong/stop | j1 | regressed | WRONG | log
further | wrong/held | j1 | regressed | WRONG | log
further | wrong/lost | j1 | regressed | WRONG | log
further | crash/gone | j1 | crashed | exited 3 | log
slow_further | slow/stop | j1 | regressed | SLOW | log
slow_further | slow/lost | j1 | regressed | SLOW | log
slow_further confirm 2 | slow/stop | c1 | regressed | SLOW | log
slow_further confirm 2 | slow slow/stop | c1 c2 | regressed | SLOW | log log-2
slow_further confirm 2 | slow slow slow/stop | c1 c2 x3 | regressed | SLOW | log log-2 log-3
further repeat 2 | wrong/stop | r1 | not_run | 1 run of repeat 2 could start: /stop | log
further repeat 2 | wrong wrong/stop | r1 r2 | regressed | WRONG | log log-2
repeat 3 | slow infra | r1 r2 | regressed | SLOW; then run 2 of repeat 3: INFRA | log log-2
repeat 3 | wrong crash | r1 r2 | crashed | run 2 of repeat 3: exited 3; before that: WRONG | log log-1
repeat 3 | slow slow infra | r1 r2 r3 | regressed | SLOW; then run 3 of repeat 3: INFRA | log log-2 log-3
determinism 3 | slow infra | r1 r2 | regressed | SLOW; then run 2 of --determinism 3: INFRA | log log-2
determinism 3 | wrong crash | r1 r2 | crashed | run 2 of --determinism 3: exited 3; before that: WRONG | log log-1
determinism 2 | ok mute | r1 r2 | incomplete | run 2 of --determinism 2: iteration_time: not in the run | log log-2
determinism 3 | mute | r1 r2 r3 | incomplete | iteration_time: not in the run | log log-2 log-3
determinism 3 | ok ok mute | r1 r2 r3 | incomplete | run 3 of --determinism 3: iteration_time: not in the run | log log-2 log-3
repeat 2 | ok mute | r1 r2 | incomplete | run 2 of repeat 2: iteration_time: not in the run | log log-1
confirm 2 | slow mute | c1 c2 | incomplete | run 2 of --confirm 2: iteration_time: not in the run; before that: SLOW | log log-1
)";

// The same of a recording, with the number of its launches.
inline constexpr const char* recording_rows = R"(
record 1 | ok | 1 | passed | no baseline | log
record 1 | nan | 1 | unjudged | non_finite: iteration_time is nan at step 1 | log
record 1 | short | 1 | incomplete | ended after step 1 of 3 | log
record 1 | empty | 1 | unjudged | no baseline | log
record 1 | crash | 1 | crashed | exited 3 | log
record 1 | infra | 1 | infra | INFRA | log
record 1 | stop | 1 | interrupted | interrupted by SIGTERM | log
record 3 | ok | 3 | passed | no baseline | log log-1 log-2
record 3 | ok wrong | 3 | passed | no baseline | log log-1 log-2
record 3 | nan | 3 | unjudged | non_finite: run 1: iteration_time is nan at step 1 | log log-1 log-2
record 3 | ok ok short | 3 | incomplete | run 3 of 3: ended after step 1 of 3 | log log-1 log-2
record 3 | ok empty | 2 | unjudged | run 2 of 3: no baseline | log log-1
record 3 | ok crash | 2 | crashed | run 2 of 3: exited 3 | log log-1
record 3 | ok ok crash | 3 | crashed | run 3 of 3: exited 3 | log log-1 log-2
record 3 | ok changed | 2 | not_run | run 2 of 3: not started: c.sh: run again | log log-1
record 3 | ok ok stop | 3 | interrupted | run 3 of 3: interrupted by SIGTERM | log log-1 log-2
)";

}  // namespace gate::app::course_test
