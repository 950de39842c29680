// Weights in safetensors files, one or the shards of an index, as one list of tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/judging/case_outputs.h"
#include "gate/model/numbers/tensor.h"
#include "gate/score/score_metric.h"

namespace gate::app {

// Return why a file cannot be read: "" if it can. Reading what is no plain file may never end.
Sentence why_not_plain(const fs::Path& path);

// Return the index of the weights in the folder, else their only file; the path itself where it is no folder
// with either.
fs::Path weights_in(const fs::Path& path);

class Weights {
 public:
  struct Placed {
    Tensor tensor;
    std::size_t file = 0;  // which of files()
  };

  // Read the headers. Fails with `FILE: ...` as read_tensor_header() and read_tensor_index() do, for a shard
  // that is no plain file or a symbolic link, that lacks a tensor which the index says it has, or has one
  // more.
  static Result<Weights> open(const fs::Path& path);

  const std::vector<Placed>& tensors() const { return tensors_; }  // in the order of files and bytes
  const std::vector<fs::Path>& files() const { return files_; }    // that hold tensors

  // Forget tensors whose name none of the globs selects. Returns the globs that select none.
  std::vector<std::string> select(const std::vector<std::string>& globs);

  // Fill the bytes with those of the tensor from the offset on. Fails where the file has them no more.
  Status read(const Placed& placed, std::uint64_t offset, std::string& bytes);

 private:
  Status add_file(const fs::Path& path, std::map<std::string, std::string>* shard_of);

  std::vector<fs::Path> files_;
  std::vector<Placed> tensors_;
  Fd open_;
  std::optional<std::size_t> opened_;  // which of files_
};

// Return what the weights are worth beside the golden ones; `golden_fault` tells of an error that the golden
// side is the cause.
Result<score::Score> score_weights(const std::string& metric, Weights& actual, Weights& golden,
                                   bool& golden_fault);

}  // namespace gate::app
