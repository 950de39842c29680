// Reports in literals, as runs leave them.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"
#include "shown.h"

namespace gate::render::sample {

inline Check loss(CheckStatus status) {
  Check check;
  check.rule = check.metric = "lm_loss";
  check.numbered = Numbering::step;
  check.window = Window{Window::Kind::first, 15, 0};
  check.steps = shown::steps("1-15");
  check.reduce = Reduce::each;
  check.tolerance = parse_tolerance("±0.01").value();
  check.status = status;
  check.compared = 15;
  check.baseline_file = "baselines/tinygpt/dp2.json";
  return check;
}

inline Check failed_loss() {
  Check check = loss(CheckStatus::fail);
  check.misses = 14;
  check.first_miss = shown::miss(2, "4.161230E+00", "4.180340E+00", "0.01911", "train.log", 34, 0.46);
  check.largest = shown::miss(9, "3.900000E+00", "4.500000E+00", "0.6", "train.log", 41, 15.4);
  check.baseline = shown::value("3.900000E+00");
  check.actual = shown::value("4.500000E+00");
  check.delta = shown::value("0.6");
  check.delta_percent = 15.4;
  check.limit = shown::limit("3.89..3.91");
  check.margin = shown::value("-0.59");
  return check;
}

// One step is no number, and every other one is within the tolerance.
inline Check not_finite_loss() {
  Check check = loss(CheckStatus::fail);
  check.compared = 14;
  check.misses = 1;
  check.first_miss = shown::miss(3, "4.100000E+00", "nan", "", "train.log", 35);
  check.largest = shown::miss(9, "3.900000E+00", "3.905200E+00", "0.0052", "train.log", 41, 0.133);
  check.baseline = shown::value("3.900000E+00");
  check.actual = shown::value("3.905200E+00");
  check.delta = shown::value("0.0052");
  check.delta_percent = 0.133;
  check.limit = shown::limit("3.89..3.91");
  check.margin = shown::value("0.0048");
  return check;
}

inline Check speed(CheckStatus status, std::string_view actual, std::string_view delta,
                   std::optional<double> percent = {}) {
  Check check;
  check.rule = check.metric = "throughput";
  check.numbered = Numbering::step;
  check.unit = "TFLOP/s/device";
  check.window = Window{Window::Kind::last, 10, 0};
  check.steps = shown::steps("6-15");
  check.reduce = Reduce::mean;
  check.tolerance = parse_tolerance("-5%").value();
  check.kind = MetricKind::speed;
  check.status = status;
  check.compared = 10;
  check.baseline = shown::value("134.17");
  check.actual = shown::value(actual);
  check.delta = shown::value(delta);
  check.delta_percent = percent;
  check.limit = shown::limit("127.4615");
  check.margin = shown::value(status == CheckStatus::fail ? "-0.0615" : "6.1385");
  return check;
}

inline Check memory(int rank, CheckStatus status) {
  Check check;
  check.rule = check.metric = "memory_max_allocated";
  check.rank = rank;
  check.numbered = Numbering::report;
  check.unit = "MiB";
  check.window = Window{};
  check.steps = shown::steps("1-2");
  check.reduce = Reduce::each;
  check.tolerance = parse_tolerance("+10%").value();
  check.kind = MetricKind::memory;
  check.status = status;
  check.compared = 2;
  return check;
}

inline Check failed_memory(int rank, std::string_view actual, std::string_view delta, double percent) {
  Check check = memory(rank, CheckStatus::fail);
  check.misses = 1;
  check.first_miss =
      shown::miss(2, "12.5", actual, delta, "train.log", static_cast<std::uint32_t>(20 + rank), percent);
  check.largest = check.first_miss;
  check.baseline = shown::value("12.5");
  check.actual = shown::value(actual);
  check.delta = shown::value(delta);
  check.delta_percent = percent;
  check.limit = shown::limit("13.75");
  return check;
}

inline CaseReport passed_case() {
  CaseReport one;
  one.name = "tinygpt/dp2";
  one.verdict = Verdict::passed;
  one.outcome = Exited{0};
  one.platform = "cpu";
  one.duration = Duration(1100);
  one.steps = 30;
  one.total = 30;
  one.checks = {loss(CheckStatus::pass), speed(CheckStatus::pass, "133.6", "-0.57", -0.42),
                memory(0, CheckStatus::pass), memory(1, CheckStatus::pass)};
  one.baselines = {{"baselines/tinygpt/dp2.json", "ab12"}};
  one.artifacts = {{"log", ".gate/runs/1121-0203/tinygpt/dp2/log"}};
  return one;
}

inline CaseReport skipped_case() {
  CaseReport one;
  one.name = "llama2_tp2_pp4_vpp2";
  one.verdict = Verdict::skipped;
  one.reason = "needs platform ascend-*, this is cpu";
  return one;
}

// A case that passed but for its throughput, which may have moved with the suite.
inline CaseReport case_of_speed(const std::string& name, const std::string& throughput) {
  CaseReport one = passed_case();
  one.name = name;
  one.checks = {speed(CheckStatus::fail, throughput, "-14")};
  return one;
}

inline CaseReport regressed_case() {
  CaseReport one = passed_case();
  one.verdict = Verdict::regressed;
  one.owner = "zhangwei";
  one.reason = "lm_loss out of ±0.01 from step 2 on";
  one.checks[0] = failed_loss();
  return one;
}

inline CaseReport hung_case() {
  CaseReport one;
  one.name = "mixtral_tp4_ep2";
  one.verdict = Verdict::hung;
  one.reason = "hung during training: silent 15m, limit 15m";
  one.outcome = Hung{Duration(900'000), Duration(900'000), "training"};
  one.duration = Duration(1'000'000);
  one.steps = 7;
  one.total = 15;
  Check check = loss(CheckStatus::undecided);
  check.remarks = {shown::text("the run ended at step 7 of 15")};
  one.checks = {check};
  one.problems = {{ProblemKind::message, "train.log", 812, "rank 5: HCCL notify wait timeout"}};
  one.artifacts = {{"log", ".gate/runs/1121-0203/mixtral_tp4_ep2/log"}};
  return one;
}

inline CaseReport crashed_case() {
  CaseReport one;
  one.name = "mixtral_tp4_ep2";
  one.verdict = Verdict::crashed;
  one.reason = "exited 1: CUDA out of memory (log.txt:57)";
  one.outcome = Exited{1};
  one.cause.emplace();
  one.cause->name = "cuda_out_of_memory";
  one.cause->what = "CUDA out of memory";
  one.cause->text = "[rank3]: torch.OutOfMemoryError: CUDA out of memory.";
  one.cause->advice = "Use less memory.";
  one.cause->file = "mixtral/log.txt";
  one.cause->line = 57;
  one.cause->count = 8;
  return one;
}

inline Report report(std::vector<CaseReport> cases, int exit_code) {
  Report out;
  out.gate_version = "1.0.0";
  out.suite = "llm-st";
  out.run = "1121-0203";
  out.command = "run";
  out.host = "npu-07";
  out.platform = "ascend-910b3";
  out.commit = "9c1e2f4";
  out.started = "2026-11-21T02:03:04Z";
  out.finished = "2026-11-21T02:04:04Z";
  out.duration = Duration(6'720'000);
  out.exit_code = exit_code;
  out.cases = std::move(cases);
  return out;
}

inline Style columns_80() { return Style{Color::no, 80, false, false}; }

}  // namespace gate::render::sample
