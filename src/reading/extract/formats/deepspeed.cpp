// Format `deepspeed`: the engine's report each `steps_per_print` steps, its timer, and the pipeline engine.
// `samples_per_second` is that of the steps since the last report (CurrSamplesPerSec), over all devices;
// memory is the printing rank's. A script's own loss line is not the engine's: give it a pattern.
//
//   [2026-01-07 01:55:23,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=4, lr=[5e-05],
//   mom=[..]
//   [..] [timer.py:260:stop] epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.02, ...
//   steps: 1 loss: 12.6360 iter time (s): 15.170 samples/sec: 1.055
//
// DeepSpeed-Chat trains two engines in its step 3, the actor and the critic, which report a step one behind
// the other: the second report is the critic's. The script prints its losses each step, which it counts from
// 0 in each epoch; they are counted from 1 here, as the engines count. Its speed is that of generating,
// training and all between. In step 1 it prints the perplexity of each epoch.
//
//   epoch: 0|step: 9|ppo_ep: 1|act_loss: 0.2998|cri_loss: 0.1658|unsuper_loss: 0.0
//   Epoch: 0 | Step: 9 | PPO Epoch: 1 | Actor Loss: 0.2998 | Critic Loss: 0.1658 | Unsupervised Loss: 0.0
//   average reward score: -0.0763
//   |E2E latency=3.88s |Gather latency=0.00s (0.00%) |Generate time=2.54s (65.36%) |...
//   End-to-End => Latency: 3.88s, TFLOPs: 10.11, Samples/sec: 16.50, ...
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace deepspeed {
namespace {

constexpr std::array step_fields{
    counted_through(FieldRow{"skipped", "skipped_iterations"}),
    FieldRow{"lr", "learning_rate"},
};

constexpr std::array timer_fields{
    FieldRow{"CurrSamplesPerSec", "samples_per_second"},
    FieldRow{"MemAllocated", "memory_allocated", {1, 0}, Scope::rank},
    FieldRow{"MaxMemAllocated", "memory_max_allocated", {1, 0}, Scope::rank},
};

constexpr std::array pipeline_fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"time", "iteration_time", ms_per_s},
    FieldRow{"rate", "samples_per_second"},
};

constexpr std::array critic_fields{
    FieldRow{"skipped", "critic_skipped_iterations"},
    FieldRow{"lr", "critic_learning_rate"},
};

// What stands in the lines behind that of the losses may be cut off with the end of a log.
constexpr std::array ppo_fields{
    FieldRow{"pass", the_order},
    FieldRow{"act_loss", "policy_loss"},
    FieldRow{"Actor Loss", "policy_loss"},
    FieldRow{"cri_loss", "critic_loss"},
    FieldRow{"Critic Loss", "critic_loss"},
    FieldRow{.printed = "average reward score", .metric = "reward", .when = Printed::sometimes},
    FieldRow{.printed = "Average reward score", .metric = "reward", .when = Printed::sometimes},
    FieldRow{
        .printed = "E2E latency", .metric = "iteration_time", .factor = ms_per_s, .when = Printed::sometimes},
    FieldRow{.printed = "End-to-End => Latency",
             .metric = "iteration_time",
             .factor = ms_per_s,
             .when = Printed::sometimes},
};

constexpr std::array perplexity_fields{FieldRow{"ppl", "validation_perplexity"}};
constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array<std::string_view, 2> ppo_marks{"act_loss: ", "Actor Loss: "};

constexpr std::string_view ppo_head =
    R"(\b[Ee]poch: (?P<pass>\d+) ?\| ?[Ss]tep: \d+ ?\| ?(?:ppo_ep|PPO Epoch): \d+ ?\|)";
constexpr std::string_view ppo_line = R"(\b[Ee]poch: \d+ ?\| ?[Ss]tep: \d+ ?\| ?(?:ppo_ep|PPO Epoch): )";
constexpr std::string_view ppo_goes_on =
    R"(((?:[Aa]verage reward score: |-{20}|\|E2E latency=|End-to-End => |Generation => |Training   => |Actor Model Par).*)$)";
constexpr std::string_view ppo_pattern =
    R"((act_loss|Actor Loss|cri_loss|Critic Loss|[Aa]verage reward score|E2E latency|End-to-End => Latency))"
    R"((?:: |=)([^\s|,s]+))";

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

// The unit of a memory stands in the word: without its last letter it would be another number.
constexpr std::string_view timer_pattern = R"((\w+)=(\S*GB|[^\s,G]+)(?:,|\s|$))";

constexpr std::array kinds{
    RecordKind{.extractor = "deepspeed.step",
               .literal = "skipped=",
               .head = R"(\bstep=(?P<step>\d+), skipped=(?P<skipped>\d+), lr=\[+(?P<lr>[^\s,\[\]]+)[,\]])",
               .fields = step_fields},
    RecordKind{.extractor = "deepspeed.timer",
               .literal = "RunningAvgSamplesPerSec=",
               .head = R"((?:\bglobal_step=|\b\d+/)(?P<step>\d+), RunningAvgSamplesPerSec=)",
               .fields = timer_fields,
               .body = Body::fields,
               .pattern = timer_pattern},
    RecordKind{
        .extractor = "deepspeed.pipeline",
        .literal = "iter time (s):",
        .head =
            R"(\bsteps: (?P<step>\d+) loss: (?P<loss>\S+) iter time \(s\): (?P<time>\S+) samples/sec: (?P<rate>\S+))",
        .fields = pipeline_fields,
        .expected = expected},
    RecordKind{.extractor = "deepspeed.ppo",
               .literal = "nsuper",  // `unsuper_loss: `, `Unsupervised Loss: `
               .head = ppo_head,
               .fields = ppo_fields,
               .body = Body::fields,
               .steps = Steps::counted_beside,
               .pattern = ppo_pattern,
               .marks = ppo_marks},
    RecordKind{.extractor = "deepspeed.perplexity",
               .literal = "ppl: ",
               .head = R"((?:^|\]:? )ppl: (?P<ppl>[^,\s]+))",
               .fields = perplexity_fields,
               .role = Role::follower,
               .steps = Steps::before},
    RecordKind{.extractor = "deepspeed.evaluation",
               .literal = "ppl: ",
               .head = R"(, loss: (?P<loss>[^,\s]+)$)",
               .fields = validation_fields,
               .role = Role::follower,
               .steps = Steps::before},
    RecordKind{.extractor = "deepspeed.start",
               .literal = "***** Running training",
               .head = R"(\*\*\*\*\* Running training)",
               .role = Role::start},
};

}  // namespace
}  // namespace deepspeed

FormatSpec deepspeed_format() {
  return make_format(
      {.row = {"deepspeed", "DeepSpeed: the engine's report, its timer, the pipeline engine"},
       .kinds = deepspeed::kinds,
       .signature = R"(skipped=|RunningAvgSamplesPerSec=|iter time \(s\):|act_loss|Actor Loss)",
       .begins = deepspeed::ppo_line,
       .goes_on = deepspeed::ppo_goes_on,
       .next_engine = {.extractor = "deepspeed.critic",
                       .of = "deepspeed.step",
                       .fields = deepspeed::step_fields,
                       .next_fields = deepspeed::critic_fields}});
}

}  // namespace gate::extract
