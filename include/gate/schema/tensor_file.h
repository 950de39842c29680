// Files of weights as safetensors writes them: what their headers say. Nothing but headers is read here, so
// that a file may be larger than memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/numbers/tensor.h"

namespace gate::schema {

// What a header may have, as safetensors itself has it.
inline constexpr std::uint64_t most_tensor_header_bytes = 100'000'000;

// Bytes in front of the header, which tell its length.
inline constexpr std::size_t tensor_prefix_bytes = 8;

// Return how long the header is that stands behind these first bytes of the file, at most
// tensor_prefix_bytes. Fails with `FILE: ...` for a file that is cut off there or in its header, for a longer
// header than there may be, and for the pointer that Git LFS leaves in place of a file.
Result<std::uint64_t> tensor_header_bytes(std::string_view first_bytes, std::uint64_t file_bytes,
                                          const std::string& file);

// Return the tensors of a header, in the order of their bytes in the file.
//
// Source: https://github.com/huggingface/safetensors, "Format", and what its own reader refuses. Fails with
// `FILE: ...` where it is no JSON object in UTF-8 of tensors alone (and `__metadata__` of texts), names one
// twice, has a type that nobody knows or a shape beyond 2^63 bits; where the bytes of a tensor are not as
// many as its type and shape say, overlap with another's, leave a hole, or are not all in the file; and where
// bytes stand behind the last. A tensor without a number, and one of a single number, are tensors.
Result<std::vector<Tensor>> read_tensor_header(std::string_view header, std::uint64_t file_bytes,
                                               const std::string& file);

// Return the shard of each tensor, as the `weight_map` of a model.safetensors.index.json has it. Fails with
// `FILE: ...` for what is no such map, names a tensor twice or none, and for a shard that is no plain name of
// a `.safetensors` file: shards lie beside the index.
Result<std::map<std::string, std::string>> read_tensor_index(std::string_view text, const std::string& file);

}  // namespace gate::schema
