// Two sides measured in pairs: how far B is from A, and how sure that is.
//
// The pairs' changes are ln(b/a), so that twice as fast and half as fast are equally far; their mean, with
// Student's t for its spread, is the textbook's paired comparison (NIST/SEMATECH e-Handbook of Statistical
// Methods, 7.3.1.1). What drifts from pair to pair falls out of each difference. The order of the sides is
// ABBA BAAB ...: what drifts evenly within the pairs falls out of their mean.
//
// It is looked at after each pair from the third on, and launching ends once the answer is clear. A plain 95
// % interval, looked at eight times, misses the truth far more often than in one of twenty. So the error is
// shared out over the looks before the first: half of it to the last one, the other half to the earlier ones
// in equal parts. The probability that the interval of any look misses the truth is at most the sum of these
// parts (Bonferroni's inequality), whenever launching ends and for whatever reason. These are repeated
// confidence intervals (Jennison and Turnbull, J. R. Statist. Soc. B 51 (1989) 305-361) with error spent by
// plan (Lan and DeMets, Biometrika 70 (1983) 659-663). The price at ten pairs is an interval that is a fifth
// wider at the end.
//
// It holds for pairs whose changes are independent and roughly normal, as means over steps are.
#pragma once

#include <optional>
#include <span>

#include "gate/model/reports/ab.h"

namespace gate::judge {

inline constexpr int least_pairs = 3;        // before the first look
inline constexpr double least_told = 0.001;  // a change within it is none, however sure it is

struct PairDesign {
  int most = 10;         // pairs, least_pairs or more
  double error = 0.05;   // how often the interval may miss the truth, at all looks together
  double change = 0.03;  // what lies within ±change of A is no difference
};

// Return P(|T| > t) of Student's t with that many degrees of freedom (1 or more); t is not negative. The
// finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
double t_beyond(double t, int freedom);

// Return the t that |T| exceeds with this probability, which lies between 0 and 1: for 0.05 and 9 it
// is 2.262.
double t_limit(double share, int freedom);

// Tell whether B is launched before A in the pair, from 0: A B, B A, B A, A B, B A, A B, A B, B A, ... (the
// sequence of Thue and Morse).
bool begins_with_b(int pair);

// Return the part of the error that the look after so many pairs has. Over all looks they sum up to it.
double error_at(const PairDesign& design, int pairs);

// Return the change of B against A with its interval, and the answer:
//   none       the interval lies within ±least_told
//   worse      else: it lies on the worse side of 0
//   better     else: it lies on the better side of 0
//   none       else: it lies within ±design.change
//   undecided  else
// `shown` is what design.most pairs with the spread s of these would detect with 90 % power: (t of the
// last look + t of nine in ten)·s/sqrt(most), as for a sample size (NIST/SEMATECH, 7.2.2.2). Nothing for
// fewer than least_pairs, and where a value is not finite and above 0. Pairs without any spread have an
// interval of no width.
std::optional<PairedChange> paired_change(std::span<const PairValues> pairs, const PairDesign& design,
                                          Better better);

}  // namespace gate::judge
