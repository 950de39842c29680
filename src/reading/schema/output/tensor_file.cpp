// The header of a safetensors file comes from anywhere, and says where to read. So each of its numbers is
// held against the file before anything is read there, and the tensors together must be the file: one begins
// where another ends, from the first byte behind the header to the last. That leaves no way to two tensors of
// the same bytes, to bytes that nobody sees, or out of the file.
//
// The header is read by a parser that knows a member that stands twice, and a number's own digits: 1e2
// and 1.0 are no offset, as safetensors' own reader has it.
#include "gate/schema/tensor_file.h"

#include <algorithm>
#include <optional>

#include "gate/base/little_endian.h"
#include "gate/base/text.h"
#include "schema/json/json_tape.h"

namespace gate::schema {

namespace {

constexpr std::string_view lfs_start = "version ";  // https://git-lfs.github.com/spec/v1
constexpr std::size_t most_shape_lengths = 64;
constexpr std::size_t shown_name = 120;

std::string quoted_name(const std::string& name) { return "\"" + printable(name, shown_name) + "\""; }

// Walks a JSON text whose outermost value is an object.
class TensorMap {
 public:
  TensorMap(std::string_view text, const std::string& file) : text_(text), file_(file), tape_(text, file) {}

  Status read() {
    GATE_TRY_STATUS(check_text(text_, file_, max_tape_bytes));
    GATE_TRY_STATUS(tape_.read(0, text_.size()));
    if (tape_[0].kind != Json::Kind::object) return refuse(0, "is no object");
    return {};
  }

  const JsonTape& tape() const { return tape_; }

  template <class Take>
  Status each_member(std::uint32_t object, Take take) const {
    for (std::uint32_t at = object + 1; at < tape_[object].end; at = tape_[at].end) GATE_TRY_STATUS(take(at));
    return {};
  }

  // Return the whole number that stands there, or nothing: one with a sign, a point or an exponent is none.
  std::optional<std::uint64_t> whole(std::uint32_t node) const {
    const std::string_view rest = text_.substr(tape_[node].at);
    const std::string_view word = rest.substr(0, rest.find_first_of(",]} \t\r\n"));
    const bool is_plain = tape_[node].kind == Json::Kind::number &&
                          word.find_first_not_of("0123456789") == std::string_view::npos;
    const auto value = is_plain ? parse_integer(word) : std::nullopt;
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
  }

  // Return the whole numbers of a list, or nothing.
  std::optional<std::vector<std::uint64_t>> wholes(std::uint32_t list, std::size_t most) const {
    std::vector<std::uint64_t> all;
    if (tape_[list].kind != Json::Kind::list) return std::nullopt;
    for (std::uint32_t at = list + 1; at < tape_[list].end; at = tape_[at].end) {
      const auto one = whole(at);
      if (!one || all.size() == most) return std::nullopt;
      all.push_back(*one);
    }
    return all;
  }

  tl::unexpected<Error> refuse(std::uint32_t node, std::string message) const {
    return tl::unexpected(tape_.error_at(tape_[node].at, std::move(message)));
  }

 private:
  std::string_view text_;
  const std::string& file_;
  JsonTape tape_;
};

// Return the bytes of so many numbers, or nothing: no whole bytes, or more than there can be.
std::optional<std::uint64_t> bytes_of(const TensorType& type, const std::vector<std::uint64_t>& shape) {
  std::uint64_t bits = type.bits;
  if (std::ranges::find(shape, 0U) != shape.end()) return 0;
  for (const std::uint64_t length : shape) {
    if (length > (std::uint64_t{1} << 62U) / bits) return std::nullopt;
    bits *= length;
  }
  return bits % 8 == 0 ? std::optional(bits / 8) : std::nullopt;
}

class TensorHeaderReader {
 public:
  TensorHeaderReader(std::string_view header, std::uint64_t file_bytes, const std::string& file)
      : map_(header, file),
        start_(tensor_prefix_bytes + header.size()),
        file_bytes_(file_bytes),
        file_(file) {}

  Result<std::vector<Tensor>> read() {
    GATE_TRY_STATUS(map_.read());
    GATE_TRY_STATUS(map_.each_member(0, [&](std::uint32_t at) {
      return map_.tape().key(at) == "__metadata__" ? check_metadata(at) : add(at);
    }));
    std::ranges::stable_sort(tensors_, {}, [](const Tensor& one) { return std::pair(one.begin, one.end); });
    GATE_TRY_STATUS(check_bytes());
    return std::move(tensors_);
  }

 private:
  Status check_metadata(std::uint32_t object) {
    if (map_.tape()[object].kind != Json::Kind::object)
      return map_.refuse(object, "__metadata__ is no object of texts");
    return map_.each_member(object, [&](std::uint32_t at) -> Status {
      if (map_.tape()[at].kind == Json::Kind::text) return {};
      return map_.refuse(at, "a value of __metadata__ is no text");
    });
  }

  Status add(std::uint32_t object) {
    Tensor tensor;
    tensor.name = map_.tape().key(object);
    std::optional<std::vector<std::uint64_t>> shape, offsets;
    if (map_.tape()[object].kind != Json::Kind::object)
      return map_.refuse(object, quoted_name(tensor.name) + " is no object of dtype, shape and data_offsets");
    GATE_TRY_STATUS(map_.each_member(object, [&](std::uint32_t at) -> Status {
      const std::string key = map_.tape().key(at);
      if (key == "dtype") return read_type(at, tensor);
      if (key == "shape") return read_list(at, most_shape_lengths, shape);
      if (key == "data_offsets") return read_list(at, 2, offsets);
      return map_.refuse(at, "unknown key " + quoted_name(key) + " of tensor " + quoted_name(tensor.name));
    }));
    if (tensor.type == nullptr || !shape || !offsets || offsets->size() != 2)
      return map_.refuse(object, "tensor " + quoted_name(tensor.name) +
                                     " lacks one of dtype, shape and data_offsets [begin, end]");
    tensor.shape = std::move(*shape);
    return place(object, std::move(tensor), (*offsets)[0], (*offsets)[1]);
  }

  Status read_type(std::uint32_t at, Tensor& tensor) {
    const std::string word = map_.tape()[at].kind == Json::Kind::text ? map_.tape().content(at) : "";
    tensor.type = find_tensor_type(word);
    if (tensor.type != nullptr) return {};
    return map_.refuse(
        at, "dtype " + quoted_name(word) + " of tensor " + quoted_name(tensor.name) +
                " is none that safetensors has: " + join(texts_of(tensor_types(), &TensorType::name), ", "));
  }

  Status read_list(std::uint32_t at, std::size_t most, std::optional<std::vector<std::uint64_t>>& list) {
    list = map_.wholes(at, most);
    if (list) return {};
    return map_.refuse(
        at, map_.tape().key(at) + " is no list of at most " + std::to_string(most) + " whole numbers");
  }

  Status place(std::uint32_t object, Tensor tensor, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t behind = file_bytes_ - start_;
    const auto wanted = bytes_of(*tensor.type, tensor.shape);
    const std::string what =
        "tensor " + quoted_name(tensor.name) + ", " + printable(kind_of(tensor), 200) + ", ";
    if (from > to) return map_.refuse(object, what + "ends before it begins");
    if (!wanted || *wanted != to - from)
      return map_.refuse(object, what + "has " + std::to_string(to - from) +
                                     " bytes by its data_offsets, and " +
                                     (wanted ? std::to_string(*wanted) : "no possible number of them") +
                                     " by its dtype and shape");
    if (to > behind)
      return map_.refuse(object, what + "ends at byte " + std::to_string(to) + " behind the header, and " +
                                     std::to_string(behind) +
                                     " are there; the file is cut off: fetch or write it again");
    tensor.begin = start_ + from;
    tensor.end = start_ + to;
    tensors_.push_back(std::move(tensor));
    return {};
  }

  // Each begins where the one before it ends, from the header to the end of the file.
  Status check_bytes() const {
    std::uint64_t end = start_;
    std::string before = "the header";
    for (const Tensor& tensor : tensors_) {
      const std::string name = quoted_name(tensor.name);
      if (tensor.begin < end) return refuse(before + " and tensor " + name + " overlap; write it again");
      if (tensor.begin > end)
        return refuse(count_of(static_cast<std::int64_t>(tensor.begin - end), "byte") +
                      " of no tensor between " + before + " and tensor " + name + "; write it again");
      end = tensor.end;
      before = "tensor " + name;
    }
    if (end == file_bytes_) return {};
    return refuse(count_of(static_cast<std::int64_t>(file_bytes_ - end), "byte") +
                  " behind the last tensor; write it again");
  }

  tl::unexpected<Error> refuse(const std::string& message) const { return fail(file_ + ": " + message); }

  TensorMap map_;
  std::uint64_t start_, file_bytes_;
  const std::string& file_;
  std::vector<Tensor> tensors_;
};

bool is_shard_name(const std::string& name) {
  return name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos && names_weights(name) &&
         !names_weights_index(name) && !name.starts_with('.');
}

}  // namespace

Result<std::uint64_t> tensor_header_bytes(std::string_view first_bytes, std::uint64_t file_bytes,
                                          const std::string& file) {
  if (first_bytes.starts_with(lfs_start))
    return fail(file + ": is a pointer of Git LFS in place of the file: run git lfs pull");
  const std::uint64_t length = little_endian(first_bytes.substr(0, tensor_prefix_bytes));
  if (first_bytes.size() < tensor_prefix_bytes || file_bytes < tensor_prefix_bytes)
    return fail(file + ": is no safetensors file: it has " + std::to_string(file_bytes) + " bytes");
  if (length > most_tensor_header_bytes)
    return fail(file + ": a header of " + std::to_string(length) + " bytes, and safetensors has at most " +
                std::to_string(most_tensor_header_bytes) + "; it is no safetensors file, or is damaged");
  if (length > file_bytes - tensor_prefix_bytes)
    return fail(file + ": is cut off in its header: fetch or write it again");
  return length;
}

Result<std::vector<Tensor>> read_tensor_header(std::string_view header, std::uint64_t file_bytes,
                                               const std::string& file) {
  if (!header.starts_with('{'))
    return fail(file + ": is no safetensors file: its header does not begin with {");
  if (file_bytes < tensor_prefix_bytes + header.size())
    return fail(file + ": is cut off in its header: fetch or write it again");
  return TensorHeaderReader(header, file_bytes, file).read();
}

Result<std::map<std::string, std::string>> read_tensor_index(std::string_view text, const std::string& file) {
  TensorMap map(text, file);
  GATE_TRY_STATUS(map.read());
  std::map<std::string, std::string> shards;
  GATE_TRY_STATUS(map.each_member(0, [&](std::uint32_t member) -> Status {
    if (map.tape().key(member) != "weight_map") return {};
    if (map.tape()[member].kind != Json::Kind::object) return map.refuse(member, "weight_map is no object");
    return map.each_member(member, [&](std::uint32_t at) -> Status {
      const std::string shard = map.tape()[at].kind == Json::Kind::text ? map.tape().content(at) : "";
      if (!is_shard_name(shard))
        return map.refuse(at, "shard " + quoted_name(shard) + " of tensor " +
                                  quoted_name(map.tape().key(at)) +
                                  " is no name of a .safetensors file beside the index");
      shards.emplace(map.tape().key(at), shard);
      return {};
    });
  }));
  if (shards.empty()) return fail(file + ": names no tensor in a weight_map");
  return shards;
}

}  // namespace gate::schema
