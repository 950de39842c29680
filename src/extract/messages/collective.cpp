// Ranks that talk to each other: NCCL, gloo, the store of torch.distributed, sockets.
#include "extract/messages/rows.h"

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
     R"(collective operation timeout(?:: \w+\((.{1,100}?)\))?|NCCL watchdog thread terminated)",
     {"[rank9]:[E218 04:54:22.061694977 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective "
      "operation timeout: WorkNCCL(SeqNum=66, OpType=ALLREDUCE, NumelIn=1) ran for 600029 milliseconds",
      "[E ProcessGroupNCCL.cpp:916] [Rank 3] NCCL watchdog thread terminated with exception: CUDA is gone"}},
    {"nccl_error",
     crashed,
     symptom,
     "NCCL failed",
     "NCCL_DEBUG=INFO says more; look at the first rank with an error. A system error is the network or "
     "shared memory, a CUDA error the device.",
     {"NCCL error in", "unhandled system error", "unhandled cuda error", "ncclInternalError",
      "ncclSystemError"},
     R"(NCCL error in|unhandled system error|unhandled cuda error|ncclInternalError|ncclSystemError)",
     {"torch.distributed.DistBackendError: NCCL error in: "
      "../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1333, unhandled cuda error (run with "
      "NCCL_DEBUG=INFO for details), NCCL version 2.18.6",
      "RuntimeError: NCCL error: unhandled system error, NCCL version 2.18.6",
      "ncclInternalError: Internal check failed.",
      "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error."}},
    {"nccl_peer_lost",
     crashed,
     symptom,
     "NCCL: another rank went away",
     "Look at the rank that ended first.",
     {"ncclRemoteError", "remote process exited", "NCCL communicator was aborted"},
     R"(ncclRemoteError|remote process exited or there was a network error|NCCL communicator was aborted)",
     {"ncclRemoteError: A call failed possibly due to a network error or a remote process exiting "
      "prematurely.",
      "torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error, "
      "NCCL version 2.18.6",
      "RuntimeError: NCCL communicator was aborted on rank 3."}},
    {"gloo_connection",
     crashed,
     symptom,
     "gloo: the connection to another rank was lost",
     "Look at the rank that ended first.",
     {"gloo/transport", "Connection closed by peer", "Gloo connectFullMesh failed"},
     R"(gloo/transport.*(?:[Cc]onnection closed by peer|[Tt]imed out|[Cc]onnect timeout|[Cc]onnection )"
     R"(reset|failed)|Connection closed by peer \[|Gloo connectFullMesh failed)",
     {"RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer "
      "[10.0.0.2]:4242",
      "RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting "
      "1800000ms for recv operation to complete",
      "RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] "
      "no "
      "error"}},
    {"store_timeout",
     crashed,
     symptom,
     "the ranks did not find each other in time",
     "Check MASTER_ADDR, MASTER_PORT and NNODES, and that every node has started; look at the node that did "
     "not.",
     {"client socket has timed out", "seconds waiting for clients", "but store->get",
      "RendezvousTimeoutError", "RendezvousConnectionError"},
     R"(client socket has timed out after \S+ while trying to connect to|seconds waiting for clients|)"
     R"(but store->get\('\S*'\) got error|Rendezvous(?:Timeout|Connection)Error)",
     {"torch.distributed.DistNetworkError: The client socket has timed out after 60s while trying to connect "
      "to (10.0.0.1, 29500).",
      "torch.distributed.DistStoreError: Timed out after 1801 seconds waiting for clients. 1/2 clients "
      "joined.",
      "RuntimeError: [1] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d "
      "key-value store by key '0', but store->get('0') got error: Socket Timeout",
      "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError",
      "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store "
      "has failed."}},
    {"store_lost",
     crashed,
     symptom,
     "the store of torch.distributed was lost",
     "The process of rank 0 or its host ended: look at what it said.",
     {"recvValue failed", "sendBytes failed", "Broken pipe"},
     R"(recvValue failed on|sendBytes failed on|BrokenPipeError: |SocketImpl.*Broken pipe)",
     {"torch.distributed.DistNetworkError: recvValue failed on SocketImpl(fd=4, addr=[node1]:4242): "
      "Connection "
      "reset by peer",
      "[E TCPStore.cpp:100] sendBytes failed on SocketImpl(fd=4): Broken pipe",
      "BrokenPipeError: [Errno 32] Broken pipe"}},
    {"connection_lost",
     crashed,
     symptom,
     "a connection was refused or lost",
     "Look at the process at its other end: it has not started, or it ended.",
     {"ConnectionRefusedError", "ConnectionResetError", "Connection reset by peer", "Connection timed out"},
     R"(ConnectionRefusedError: |ConnectionResetError: |[Ee]rror.*Connection reset by peer|)"
     R"([Ee]rror.*Connection timed out)",
     {"ConnectionRefusedError: [Errno 111] Connection refused",
      "ConnectionResetError: [Errno 104] Connection reset by peer",
      "RuntimeError: store error: Connection reset by peer",
      "TimeoutError: [Errno 110] Connection timed out"}},
    {"host_unreachable",
     infra,
     root,
     "a host could not be reached",
     "Check that the host is up and that the network reaches it.",
     {"No route to host", "ssh: connect to host"},
     R"(No route to host|ssh: connect to host (\S+) port)",
     {"OSError: [Errno 113] No route to host", "ssh: connect to host node7 port 22: Connection timed out"}},
    {"no_network",
     crashed,
     root,
     "there is no network to an address",
     "Something is downloaded or connected to that this host cannot reach: use local copies "
     "(HF_HUB_OFFLINE=1), or give the host or the container the network.",
     {"Network is unreachable", "Max retries exceeded with url"},
     R"(Network is unreachable|Max retries exceeded with url: (\S+))",
     {"OSError: [Errno 101] Network is unreachable",
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max "
      "retries "
      "exceeded with url: /gpt2/resolve/main/vocab.json (Caused by NewConnectionError)"}},
    {"host_unknown",
     crashed,
     root,
     "a host name has no address",
     "Check MASTER_ADDR, the host file and DNS.",
     {"Could not resolve hostname", "gaierror", "failure in name resolution"},
     R"(Could not resolve hostname ([^:\s]+)|gaierror: |failure in name resolution)",
     {"ssh: Could not resolve hostname node7: Name or service not known",
      "socket.gaierror: [Errno -2] Name or service not known",
      "curl: (6) Temporary failure in name resolution"}},
    {"address_in_use",
     crashed,
     root,
     "a port is already in use",
     "Use another MASTER_PORT, or stop what holds it (ss -ltnp); two runs on one host need two ports.",
     {"ddress already in use", "EADDRINUSE", "EJ0003"},
     R"([Aa]ddress already in use|EADDRINUSE|\bEJ0003\b)",
     {"OSError: [Errno 98] Address already in use",
      "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network "
      "address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE",
      "EJ0003: [PID: 4242] Failed to bind the IP port. Reason: The IP address and port have been bound "
      "already."}},
};

}  // namespace

std::span<const MessageRow> collective_messages() { return collective_rows; }

}  // namespace gate::extract
