// Ranks that talk to each other: NCCL, gloo, the store of torch.distributed, sockets.
#include "extract/messages/message_rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow collective_rows[] = {
    {"nccl_timeout",
     crashed,
     symptom,
     {"NCCL: a collective ran into its time-out", "NCCL：一次集合通信超时"},
     {"Find the rank that did not take part: the one with an earlier error, or the slowest. Different ranks "
      "name different operations where their order differs.",
      "找出没有参与的 rank：更早报错的，或最慢的那个。如果顺序不一致，各 rank 报告的操作会不同。"},
     {"collective operation timeout", "Watchdog caught collective", "NCCL watchdog thread terminated",
      "NCCL operations have failed", "process down"},
     R"(collective operation timeout(?:: \w+\((.{1,100}?)\))?|NCCL watchdog thread terminated|)"
     R"(Some NCCL operations have failed or timed out|taking the (?:entire )?process down)"},
    {"nccl_error",
     crashed,
     symptom,
     {"NCCL failed", "NCCL 失败"},
     {"NCCL_DEBUG=INFO says more; look at the first rank with an error. A system error is the network or "
      "shared memory, a CUDA error the device.",
      "NCCL_DEBUG=INFO 有更多信息；请看最先报错的 rank。system error 是网络或共享内存，CUDA error 是设备。"},
     {"NCCL error in", "unhandled system error", "unhandled cuda error", "ncclInternalError",
      "ncclSystemError"},
     R"(NCCL error in|unhandled system error|unhandled cuda error|ncclInternalError|ncclSystemError)"},
    {"nccl_peer_lost",
     crashed,
     symptom,
     {"NCCL: another rank exited", "NCCL：另一个 rank 已退出"},
     {"Look at the rank that ended first.", "请看最先结束的 rank。"},
     {"ncclRemoteError", "remote process exited", "NCCL communicator was aborted"},
     R"(ncclRemoteError|remote process exited or there was a network error|NCCL communicator was aborted)"},
    {"gloo_connection",
     crashed,
     symptom,
     {"gloo: the connection to another rank was lost", "gloo：与另一个 rank 的连接断开"},
     {"Look at the rank that ended first.", "请看最先结束的 rank。"},
     {"gloo/transport", "Connection closed by peer", "Gloo connectFullMesh failed"},
     R"(gloo/transport.*(?:[Cc]onnection closed by peer|[Tt]imed out|[Cc]onnect timeout|[Cc]onnection )"
     R"(reset|failed)|Connection closed by peer \[|Gloo connectFullMesh failed)"},
    {"store_timeout",
     crashed,
     symptom,
     {"the ranks did not find each other in time", "各 rank 未能及时汇合"},
     {"Check MASTER_ADDR, MASTER_PORT and NNODES, and that every node has started; look at the node that did "
      "not.",
      "检查 MASTER_ADDR、MASTER_PORT 和 NNODES，以及每个节点是否都已启动；请看没有启动的节点。"},
     {"client socket has timed out", "seconds waiting for clients", "but store->get",
      "RendezvousTimeoutError", "RendezvousConnectionError"},
     R"(client socket has timed out after \S+ while trying to connect to|seconds waiting for clients|)"
     R"(but store->get\('\S*'\) got error|Rendezvous(?:Timeout|Connection)Error)"},
    {"store_lost",
     crashed,
     symptom,
     {"the store of torch.distributed was lost", "torch.distributed 的 store 断开"},
     {"The process of rank 0 or its host ended: look at what it said.",
      "rank 0 的进程或它的主机已结束：请看它的输出。"},
     {"recvValue failed", "sendBytes failed", "Broken pipe"},
     R"(recvValue failed on|sendBytes failed on|BrokenPipeError: |SocketImpl.*Broken pipe)"},
    {"connection_lost",
     crashed,
     symptom,
     {"a connection was refused or lost", "连接被拒绝或断开"},
     {"Look at the process at the other end: it has not started, or it ended.",
      "请看另一端的进程：它没有启动，或已结束。"},
     {"ConnectionRefusedError", "ConnectionResetError", "Connection reset by peer", "Connection timed out"},
     R"(ConnectionRefusedError: |ConnectionResetError: |[Ee]rror.*Connection reset by peer|)"
     R"([Ee]rror.*Connection timed out)"},
    {"host_unreachable",
     infra,
     root,
     {"a host could not be reached", "有一台主机无法连接"},
     {"Check that the host is up and that the network reaches it.", "检查主机是否开机、网络能否到达。"},
     {"No route to host", "ssh: connect to host"},
     R"(No route to host|ssh: connect to host (\S+) port)"},
    {"no_network",
     crashed,
     root,
     {"there is no network to an address", "到某个地址没有网络"},
     {"The script needs an address that this host cannot reach: use local copies (HF_HUB_OFFLINE=1), or give "
      "the host or the container network access.",
      "脚本要下载或连接这台主机到不了的地址：请使用本地副本 (HF_HUB_OFFLINE=1)，或给主机或容器开通网络。"},
     {"Network is unreachable", "Max retries exceeded with url"},
     R"(Network is unreachable|Max retries exceeded with url: (\S+))"},
    {"host_unknown",
     crashed,
     root,
     {"a host name has no address", "有一个主机名没有地址"},
     {"Check MASTER_ADDR, the host file and DNS.", "检查 MASTER_ADDR、hostfile 和 DNS。"},
     {"Could not resolve hostname", "gaierror", "failure in name resolution"},
     R"(Could not resolve hostname ([^:\s]+)|gaierror: |failure in name resolution)"},
    {"address_in_use",
     crashed,
     root,
     {"a port is already in use", "端口已被占用"},
     {"Use another MASTER_PORT, or stop what holds it (ss -ltnp); two runs on one host need two ports.",
      "换一个 MASTER_PORT，或停止占用它的进程 (ss -ltnp)；同一主机上的两次运行需要两个端口。"},
     {"ddress already in use", "EADDRINUSE", "EJ0003"},
     R"([Aa]ddress already in use|EADDRINUSE|\bEJ0003\b)"},
};

}  // namespace

constinit const std::span<const MessageRow> collective_messages = collective_rows;

}  // namespace gate::extract
