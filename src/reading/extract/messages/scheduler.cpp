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
     {"Slurm: a node failed", "Slurm：一个节点故障"},
     {"Run it again; tell the administrator which node.", "请重新运行；并把节点告诉管理员。"},
     {"DUE TO NODE FAILURE", "Node failure on"},
     R"(DUE TO NODE FAILURE|Node failure on (\S+))",
     Said::to_run},
    {"slurm_preempted",
     infra,
     root,
     {"Slurm: the job was preempted", "Slurm：作业被抢占"},
     {"Run it again, or in a partition or QOS that is not preempted.",
      "请重新运行，或换用不被抢占的分区或 QOS。"},
     {"DUE TO PREEMPTION", "DUE to PREEMPTION", "DUE TO JOB REQUEUE"},
     R"(DUE [Tt][Oo] PREEMPTION|DUE TO JOB REQUEUE)",
     Said::to_run},
    {"slurm_failed",
     infra,
     root,
     {"Slurm: the scheduler failed", "Slurm：调度器故障"},
     {"Run it again once the scheduler is healthy: sinfo, scontrol ping.",
      "等调度器恢复后重新运行：sinfo、scontrol ping。"},
     {"Unable to contact slurm controller", "Unable to confirm allocation"},
     R"(Unable to contact slurm controller|Unable to confirm allocation for job)"},
    {"slurm_time_limit",
     crashed,
     root,
     {"Slurm: the job's time limit was reached", "Slurm：达到作业的时限"},
     {"Ask for more time, or see why the run got slower.", "请申请更长的时间，或查找运行变慢的原因。"},
     {"DUE TO TIME LIMIT"},
     R"(DUE TO TIME LIMIT)",
     Said::to_run},
    {"job_time_limit",
     crashed,
     root,
     {"the scheduler: the job's time limit was reached", "调度器：达到作业的时限"},
     {"Ask for more time, or see why the run got slower.", "请申请更长的时间，或查找运行变慢的原因。"},
     {"PBS: job killed: walltime", "TERM_RUNLIMIT: "},
     R"(PBS: job killed: walltime|TERM_RUNLIMIT: )",
     Said::to_run},
    {"slurm_cancelled",
     crashed,
     symptom,
     {"Slurm: the job was cancelled", "Slurm：作业被取消"},
     {"By a person, or because another task failed: look at earlier lines, and at sacct.",
      "被人取消，或因另一个任务失败：请看更早的行和 sacct。"},
     {"CANCELLED AT"},
     R"(\*\*\* (?:STEP|JOB) \S+ ON \S+ CANCELLED AT)",
     Said::to_run},
    {"slurm_task_failed",
     crashed,
     hint,
     {"Slurm: a task failed", "Slurm：一个任务失败"},
     {"The task's own lines say why.", "该任务自己的日志行说明原因。"},
     {"srun: error: "},
     R"(srun: error: (\S+: tasks? \S+: (?:Exited with exit code \d+|Killed|Aborted|Terminated)))"},
};

}  // namespace

constinit const std::span<const MessageRow> scheduler_messages = scheduler_rows;

}  // namespace gate::extract
