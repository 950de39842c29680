// A program that is talked with through its stdin, stdout and stderr, as ssh is.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/model/runs/outcome.h"

namespace gate::launch {

// All calls are made by the thread that starts it. Until the program has ended, orphans of scripts are told
// by their cookies alone.
class Dialogue {
 public:
  // Start the program, words[0] being searched on PATH, in a session of its own, with the variables set over
  // gate's own environment. It gets TERM when the thread is gone. Fails only where gate cannot fork; a
  // program that cannot be executed ends as NotStarted.
  static Result<Dialogue> start(const std::vector<std::string>& words,
                                const std::map<std::string, std::string>& env);

  Dialogue(Dialogue&&) noexcept;
  Dialogue& operator=(Dialogue&&) = delete;
  ~Dialogue();  // ends the program

  // Wait until the program says something or ends, takes words again (if some are to be written), or `wake`,
  // a descriptor, can be read; or until the time is up.
  void wait(int wake, bool has_words, Duration limit);

  // Write as much as the program takes now. Returns how many bytes; 0 also where it listens no more.
  std::size_t write(std::string_view words);

  // Return what it has said since, at most 1 MiB; "" where there is nothing.
  std::string read_output();
  std::string read_errors();

  // Tell whether nothing more will come of its output: it closed it.
  bool is_silent() const;

  // Look how it has ended; nothing where it has not.
  std::optional<Outcome> ended();

 private:
  struct State;
  explicit Dialogue(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gate::launch
