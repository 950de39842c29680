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
  std::string job;  // the engine's word for the latest job; "": none is known
};

// Return how far it is; a file that is being made says nothing yet.
TestProgress progress_of(const TryFolder& folder);

enum class EndKind : std::uint8_t {
  passed,
  failed,
  stopped,
  refused,   // gate did not take its words or its suite
  vanished,  // there is no word of it, or a signal ended it that nobody here asked for
  unsent,    // its script ended well, and what it left could not be taken away: no launch mends that
  unready,   // what the case needs was not there, or its set-up failed
  trouble,   // of this host with any case: gate could not begin it, or failed by its own resources
  unread,    // what it wrote cannot be read now
};

struct End {
  EndKind kind = EndKind::vanished;
  HubResult result;
  std::optional<TestEvent> before_script = {};  // what it came to, where not to its script
};

// Return the end of a try of which nothing but that is known.
End end_by(EndKind kind, const std::string& why);

// Return how it ended, by its exit code where that is known, else by its report where that is finished. It
// passed only where its report says so, too.
End end_of(const TryFolder& folder, std::optional<int> exit_code);

}  // namespace gate::worker
