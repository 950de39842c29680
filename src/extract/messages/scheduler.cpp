// Slurm and other schedulers that end a run.
#include "extract/messages/rows.h"

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
     {"slurmstepd: error: *** STEP 4242.0 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO NODE FAILURE, SEE "
      "SLURMCTLD LOG FOR DETAILS ***",
      "srun: error: Node failure on node7"}},
    {"slurm_preempted",
     infra,
     root,
     "Slurm: the job was preempted",
     "Run it again, or in a partition or QOS that is not preempted.",
     {"DUE TO PREEMPTION", "DUE to PREEMPTION", "DUE TO JOB REQUEUE"},
     R"(DUE [Tt][Oo] PREEMPTION|DUE TO JOB REQUEUE)",
     {"slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO PREEMPTION ***",
      "slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE to PREEMPTION ***",
      "slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO JOB REQUEUE ***"}},
    {"slurm_failed",
     infra,
     root,
     "Slurm: the scheduler failed",
     "Run it again once the scheduler is well: sinfo, scontrol ping.",
     {"Unable to contact slurm controller", "Unable to confirm allocation"},
     R"(Unable to contact slurm controller|Unable to confirm allocation for job)",
     {"srun: error: Unable to contact slurm controller (connect failure)",
      "srun: error: Unable to confirm allocation for job 4242: Unable to contact slurm controller"}},
    {"slurm_time_limit",
     crashed,
     root,
     "Slurm: the job's time limit was reached",
     "Ask for more time, or see why the run got slower.",
     {"DUE TO TIME LIMIT"},
     R"(DUE TO TIME LIMIT)",
     {"slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO TIME LIMIT ***"}},
    {"slurm_cancelled",
     crashed,
     symptom,
     "Slurm: the job was cancelled",
     "By a person, or because another task failed: look at earlier lines, and at sacct.",
     {"CANCELLED AT"},
     R"(\*\*\* (?:STEP|JOB) \S+ ON \S+ CANCELLED AT)",
     {"slurmstepd: error: *** STEP 4242.0 ON node7 CANCELLED AT 2024-01-02T03:04:05 ***"}},
    {"slurm_task_failed",
     crashed,
     hint,
     "Slurm: a task failed",
     "The task's own lines say why.",
     {"srun: error: "},
     R"(srun: error: (\S+: tasks? \S+: (?:Exited with exit code \d+|Killed|Aborted|Terminated)))",
     {"srun: error: node7: task 3: Exited with exit code 1", "srun: error: node7: tasks 0-7: Killed"}},
};

}  // namespace

std::span<const MessageRow> scheduler_messages() { return scheduler_rows; }

}  // namespace gate::extract
