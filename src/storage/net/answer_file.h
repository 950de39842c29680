// The file that an answer's body is written into as it comes.
#pragma once

#include <string_view>

#include "net/curl_config.h"

#include "gate/base/fd.h"

namespace gate::net {

class AnswerFile {
 public:
  // Opens the target's file, if it names one, for writing at its byte. `problem` says why it cannot be.
  explicit AnswerFile(const AnswerTarget& target);

  const std::string& problem() const { return problem_; }

  // -1 where the body goes into memory.
  int descriptor() const { return file_.get(); }

  // Write behind what was written. Returns false where it cannot.
  bool append(std::string_view bytes);

  // Tell whether there is too much of an answer with that head: of a body that goes into the file more than
  // the target takes, of any other one more than `most` bytes.
  bool has_too_much(const AnswerHead& head, std::size_t most) const;

  // Tell whether the body of an answer with that head goes into the file.
  bool takes(const AnswerHead& head) const;

  // Of an answer whose body does not take what was written out of the file, into the response.
  void settle(Response& response, std::size_t most) const;

  // Of a try that came to no answer take out what does not belong into the file.
  void settle_cut(const AnswerHead& head) const;

  // Take all that was written out of the file.
  void drop() const;

 private:
  std::uintmax_t size() const;

  AnswerTarget target_;
  Fd file_;
  std::string problem_;
};

}  // namespace gate::net
