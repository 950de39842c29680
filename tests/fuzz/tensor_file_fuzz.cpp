// Any bytes as a file of weights and as an index of such: tensors that are the file's bytes, each once, and
// equal to themselves by every metric; or an error that begins with the file's name. Never a crash.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/schema/tensor_file.h"
#include "gate/score/tensors.h"
#include "targets.h"

namespace {

using namespace gate;
using namespace gate::schema;

void hold_tensors(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
bool is_tensor_file(const Result<T>& result) {
  hold_tensors(result || result.error().message.starts_with("f:"));
  return result.has_value();
}

void try_against_itself(const std::vector<Tensor>& tensors, std::string_view file) {
  for (const std::string& metric : score::tensor_metrics()) {
    score::TensorScorer scorer(metric);
    for (const Tensor& tensor : tensors) {
      const std::string_view bytes = file.substr(tensor.begin, tensor.bytes());
      scorer.begin(tensor);
      scorer.add(bytes, bytes);
    }
    const auto score = scorer.score();
    hold_tensors(!score || (score->value == 0 && score->differing == 0 && !score->first && !score->worst));
  }
}

void try_weights(std::string_view file) {
  const auto length = tensor_header_bytes(file.substr(0, tensor_prefix_bytes), file.size(), "f");
  if (!is_tensor_file(length)) return;
  const std::string_view header = file.substr(tensor_prefix_bytes, *length);
  const auto tensors = read_tensor_header(header, file.size(), "f");
  if (!is_tensor_file(tensors)) return;
  std::uint64_t end = tensor_prefix_bytes + header.size();
  for (const Tensor& tensor : *tensors) {
    hold_tensors(tensor.begin == end && tensor.end >= end && tensor.end <= file.size());
    end = tensor.end;
  }
  hold_tensors(end == file.size());
  try_against_itself(*tensors, file);
}

}  // namespace

int tensor_file_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_weights(bytes);
  if (const auto index = read_tensor_index(bytes, "f"); is_tensor_file(index))
    for (const auto& [tensor, shard] : *index)
      hold_tensors(shard.find('/') == std::string::npos && !shard.empty());
  return 0;
}
