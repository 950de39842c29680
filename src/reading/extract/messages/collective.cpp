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
     "NCCL: a collective ran into its time-out",
     "Find the rank that did not take part: the one with an earlier error, or the slowest. Different ranks "
     "name different operations where their order differs.",
     {"collective operation timeout", "Watchdog caught collective", "NCCL watchdog thread terminated"},
     R"(collective operation timeout(?:: \w+\((.{1,100}?)\))?|NCCL watchdog thread terminated)"},
    {"nccl_error",
     crashed,
     symptom,
     "NCCL failed",
     "NCCL_DEBUG=INFO says more; look at the first rank with an error. A system error is the network or "
     "shared memory, a CUDA error the device.",
     {"NCCL error in", "unhandled system error", "unhandled cuda error", "ncclInternalError",
      "ncclSystemError"},
     R"(NCCL error in|unhandled system error|unhandled cuda error|ncclInternalError|ncclSystemError)"},
    {"nccl_peer_lost",
     crashed,
     symptom,
     "NCCL: another rank went away",
     "Look at the rank that ended first.",
     {"ncclRemoteError", "remote process exited", "NCCL communicator was aborted"},
     R"(ncclRemoteError|remote process exited or there was a network error|NCCL communicator was aborted)"},
    {"gloo_connection",
     crashed,
     symptom,
     "gloo: the connection to another rank was lost",
     "Look at the rank that ended first.",
     {"gloo/transport", "Connection closed by peer", "Gloo connectFullMesh failed"},
     R"(gloo/transport.*(?:[Cc]onnection closed by peer|[Tt]imed out|[Cc]onnect timeout|[Cc]onnection )"
     R"(reset|failed)|Connection closed by peer \[|Gloo connectFullMesh failed)"},
    {"store_timeout",
     crashed,
     symptom,
     "the ranks did not find each other in time",
     "Check MASTER_ADDR, MASTER_PORT and NNODES, and that every node has started; look at the node that did "
     "not.",
     {"client socket has timed out", "seconds waiting for clients", "but store->get",
      "RendezvousTimeoutError", "RendezvousConnectionError"},
     R"(client socket has timed out after \S+ while trying to connect to|seconds waiting for clients|)"
     R"(but store->get\('\S*'\) got error|Rendezvous(?:Timeout|Connection)Error)"},
    {"store_lost",
     crashed,
     symptom,
     "the store of torch.distributed was lost",
     "The process of rank 0 or its host ended: look at what it said.",
     {"recvValue failed", "sendBytes failed", "Broken pipe"},
     R"(recvValue failed on|sendBytes failed on|BrokenPipeError: |SocketImpl.*Broken pipe)"},
    {"connection_lost",
     crashed,
     symptom,
     "a connection was refused or lost",
     "Look at the process at its other end: it has not started, or it ended.",
     {"ConnectionRefusedError", "ConnectionResetError", "Connection reset by peer", "Connection timed out"},
     R"(ConnectionRefusedError: |ConnectionResetError: |[Ee]rror.*Connection reset by peer|)"
     R"([Ee]rror.*Connection timed out)"},
    {"host_unreachable",
     infra,
     root,
     "a host could not be reached",
     "Check that the host is up and that the network reaches it.",
     {"No route to host", "ssh: connect to host"},
     R"(No route to host|ssh: connect to host (\S+) port)"},
    {"no_network",
     crashed,
     root,
     "there is no network to an address",
     "Something is downloaded or connected to that this host cannot reach: use local copies "
     "(HF_HUB_OFFLINE=1), or give the host or the container the network.",
     {"Network is unreachable", "Max retries exceeded with url"},
     R"(Network is unreachable|Max retries exceeded with url: (\S+))"},
    {"host_unknown",
     crashed,
     root,
     "a host name has no address",
     "Check MASTER_ADDR, the host file and DNS.",
     {"Could not resolve hostname", "gaierror", "failure in name resolution"},
     R"(Could not resolve hostname ([^:\s]+)|gaierror: |failure in name resolution)"},
    {"address_in_use",
     crashed,
     root,
     "a port is already in use",
     "Use another MASTER_PORT, or stop what holds it (ss -ltnp); two runs on one host need two ports.",
     {"ddress already in use", "EADDRINUSE", "EJ0003"},
     R"([Aa]ddress already in use|EADDRINUSE|\bEJ0003\b)"},
};

}  // namespace

constinit const std::span<const MessageRow> collective_messages = collective_rows;

}  // namespace gate::extract
