// Format `flagperf`: FlagPerf's events, a JSON object a line and rank. STEP_END is a step; what FINISHED
// tells once is a report of one sample. The loss and the speed are the job's, which every rank may print.
//
//   [PerfLog] {"event": "STEP_END", "value": {"loss": 2.67, "global_steps": 3397, ...}, "metadata": {...}}
//   [PerfLog] {"event": "FINISHED", "value": {"e2e_time": 1661.6, "converged": true, ...}, "metadata": {...}}
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"
#include "gate/extract/format.h"

namespace gate::extract {

namespace flagperf {
namespace {

constexpr std::array fields{
    FieldRow{"value.global_steps", the_step},
    FieldRow{"value.loss", "lm_loss"},
    FieldRow{"value.learning_rate", "learning_rate"},
    FieldRow{"value.seq/s", "samples_per_second"},
};

constexpr std::array evaluation_fields{
    FieldRow{"value.global_steps", the_step},
    FieldRow{"value.eval_loss", "validation_loss"},
};

constexpr std::array finished_fields{
    FieldRow{"value.converged", "converged"},
    FieldRow{"value.final_loss", "final_loss"},
    FieldRow{"value.val_loss", "final_loss"},
    FieldRow{"value.final_accuracy", "final_accuracy"},
    FieldRow{"value.final_mlm_accuracy", "final_accuracy"},
    FieldRow{"value.final_mAP", "final_accuracy"},
    FieldRow{"value.final_acc1", "final_accuracy"},
    FieldRow{"value.final_acc", "final_accuracy"},
    FieldRow{"value.acc", "final_accuracy"},
    FieldRow{"value.final_map_bbox", "final_map_bbox"},
    FieldRow{"value.final_map_segm", "final_map_segm"},
    FieldRow{"value.final_auc", "final_auc"},
    FieldRow{"value.final_nuv", "final_nuv"},
    FieldRow{"value.rouge1", "final_rouge1"},
    FieldRow{"value.final_ppl", "final_perplexity"},
    FieldRow{"value.final_ppl_accuracy", "final_perplexity"},
    FieldRow{"value.e2e_time", "e2e_time"},
    FieldRow{"value.raw_train_time", "raw_train_time"},
    FieldRow{"value.train_time", "raw_train_time"},
    FieldRow{"value.init_time", "init_time"},
    FieldRow{"value.train_no_eval_time", "train_no_eval_time"},
    FieldRow{"value.pure_training_computing_time", "pure_training_computing_time"},
    FieldRow{"value.throughput(ips)_raw", "throughput_raw"},
    FieldRow{"value.throughput(ips)_no_eval", "throughput_no_eval"},
    FieldRow{"value.throughput(ips)_pure_compute", "throughput_pure_compute"},
    FieldRow{"value.throughput(sps)_raw", "throughput_raw"},
    FieldRow{"value.throughput(sps)_no_eval", "throughput_no_eval"},
    FieldRow{"value.throughput(sps)_pure_compute", "throughput_pure_compute"},
    FieldRow{"value.num_trained_samples", "trained_samples"},
    FieldRow{"value.global_steps", "trained_steps"},
    FieldRow{"value.training_sequences_per_second", "training_samples_per_second"},
    FieldRow{"value.training_samples_per_second", "training_samples_per_second"},
    FieldRow{"value.training_images_per_second", "training_samples_per_second"},
    FieldRow{"value.training_items_per_second", "training_samples_per_second"},
};

constexpr std::array expected{FieldRow{"value.loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> step_needs{"value.loss", "value.global_steps"};
constexpr std::array<std::string_view, 1> evaluation_loss{"value.eval_loss"};
constexpr std::array<std::string_view, 1> finished_events{"FINISHED"};

constexpr std::string_view head = R"(\[PerfLog\] \{)";

constexpr std::array kinds{
    RecordKind{.extractor = "flagperf.step",
               .literal = "[PerfLog]",
               .head = head,
               .fields = fields,
               .body = Body::literal,
               .expected = expected,
               .needs = step_needs},
    RecordKind{.extractor = "flagperf.evaluation",
               .literal = "[PerfLog]",
               .head = head,
               .fields = evaluation_fields,
               .body = Body::literal,
               .role = Role::follower,
               .needs = evaluation_loss},
    RecordKind{.extractor = "flagperf.finished",
               .literal = "[PerfLog]",
               .head = head,
               .fields = finished_fields,
               .body = Body::literal,
               .role = Role::follower,
               .told_by = "event",
               .tells = finished_events},
};

// What is left of a torn event may look like a Trainer's dictionary.
constexpr std::array<std::string_view, 1> superseded{"hf-trainer"};

}  // namespace
}  // namespace flagperf

std::vector<std::string_view> finished_keys(std::string_view metric) {
  constexpr std::string_view within = "value.";
  std::vector<std::string_view> keys;
  for (const FieldRow& row : flagperf::finished_fields)
    if (row.metric == metric) keys.push_back(row.printed.substr(within.size()));
  return keys;
}

FormatSpec flagperf_format() {
  return make_format({.row = {"flagperf", "FlagPerf: [PerfLog] events"},
                      .kinds = flagperf::kinds,
                      .supersedes = flagperf::superseded});
}

}  // namespace gate::extract
