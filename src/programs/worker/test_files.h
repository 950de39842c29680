// What the gate of a test says in its folder: how far it is, and how it ended.
#pragma once

#include <optional>

#include "gate/base/fs.h"
#include "worker/journal.h"

namespace gate::worker {

// The files of one try. Scripts are told `stages` alone, which lies elsewhere.
struct TryFolder {
  fs::Path path;
  fs::Path stages;                                          // GATE_STAGES_DIR
  fs::Path report() const { return path / "report.json"; }  // of gate run --report json=FILE
  fs::Path output() const { return path / "output.txt"; }
};

struct TestProgress {
  bool is_downloaded = false, has_begun = false;
};

// Return how far it is; a file that is being made says nothing yet.
TestProgress progress_of(const TryFolder& folder);

enum class EndKind : std::uint8_t { passed, failed, download_failed, stopped, vanished };

struct End {
  EndKind kind = EndKind::vanished;
  HubResult result;
};

// Return how it ended, by its exit code where that is known, else by its report. It vanished where there is
// neither, or a report that is not finished, and where a signal ended it that nobody here asked for. It
// passed only where its report says so, too.
End end_of(const TryFolder& folder, std::optional<int> exit_code);

}  // namespace gate::worker
