// Slurm and other schedulers that end a run.
#include "extract/messages/message_rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow scheduler_rows[] = {
    {"slurm_node_failed",
     infra,
     root,
     "Slurm: a node failed",
     "Run it again; tell the administrator which node.",
     {"DUE TO NODE FAILURE", "Node failure on"},
     R"(DUE TO NODE FAILURE|Node failure on (\S+))",
     Said::to_run},
    {"slurm_preempted",
     infra,
     root,
     "Slurm: the job was preempted",
     "Run it again, or in a partition or QOS that is not preempted.",
     {"DUE TO PREEMPTION", "DUE to PREEMPTION", "DUE TO JOB REQUEUE"},
     R"(DUE [Tt][Oo] PREEMPTION|DUE TO JOB REQUEUE)",
     Said::to_run},
    {"slurm_failed",
     infra,
     root,
     "Slurm: the scheduler failed",
     "Run it again once the scheduler is well: sinfo, scontrol ping.",
     {"Unable to contact slurm controller", "Unable to confirm allocation"},
     R"(Unable to contact slurm controller|Unable to confirm allocation for job)"},
    {"slurm_time_limit",
     crashed,
     root,
     "Slurm: the job's time limit was reached",
     "Ask for more time, or see why the run got slower.",
     {"DUE TO TIME LIMIT"},
     R"(DUE TO TIME LIMIT)",
     Said::to_run},
    {"job_time_limit",
     crashed,
     root,
     "the scheduler: the job's time limit was reached",
     "Ask for more time, or see why the run got slower.",
     {"PBS: job killed: walltime", "TERM_RUNLIMIT: "},
     R"(PBS: job killed: walltime|TERM_RUNLIMIT: )",
     Said::to_run},
    {"slurm_cancelled",
     crashed,
     symptom,
     "Slurm: the job was cancelled",
     "By a person, or because another task failed: look at earlier lines, and at sacct.",
     {"CANCELLED AT"},
     R"(\*\*\* (?:STEP|JOB) \S+ ON \S+ CANCELLED AT)",
     Said::to_run},
    {"slurm_task_failed",
     crashed,
     hint,
     "Slurm: a task failed",
     "The task's own lines say why.",
     {"srun: error: "},
     R"(srun: error: (\S+: tasks? \S+: (?:Exited with exit code \d+|Killed|Aborted|Terminated)))"},
};

}  // namespace

constinit const std::span<const MessageRow> scheduler_messages = scheduler_rows;

}  // namespace gate::extract
