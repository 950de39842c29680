#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/little_endian.h"
#include "gate/base/text.h"
#include "gate/model/numbers/tensor.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t most_header_bytes = 1 << 20;
constexpr std::size_t most_npy_dimensions = 64;
constexpr std::size_t most_npy_values = 200'000'000;

double single_value(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double double_value(std::uint64_t bits) { return std::bit_cast<double>(bits); }
double whole_value(std::uint64_t bits) { return static_cast<double>(bits); }

template <class Signed>
double signed_value(std::uint64_t bits) {
  return static_cast<double>(static_cast<Signed>(bits));
}

struct NpyTypeRow {
  std::string_view name;  // numpy's, without the byte order
  std::size_t size;       // bytes
  double (*value)(std::uint64_t bits);
};

constexpr std::array npy_types{
    NpyTypeRow{"f2", 2, half_value},
    NpyTypeRow{"f4", 4, single_value},
    NpyTypeRow{"f8", 8, double_value},
    NpyTypeRow{"i1", 1, signed_value<std::int8_t>},
    NpyTypeRow{"i2", 2, signed_value<std::int16_t>},
    NpyTypeRow{"i4", 4, signed_value<std::int32_t>},
    NpyTypeRow{"i8", 8, signed_value<std::int64_t>},
    NpyTypeRow{"u1", 1, whole_value},
    NpyTypeRow{"u2", 2, whole_value},
    NpyTypeRow{"u4", 4, whole_value},
    NpyTypeRow{"u8", 8, whole_value},
    NpyTypeRow{"b1", 1, whole_value},
};

// What the header says; absent is not said.
struct NpyHeader {
  std::optional<std::string> type;
  std::optional<bool> is_fortran;
  std::optional<Lengths> lengths;
};

// Reads the header, a dict of Python. Every function returns false where something else stands.
class NpyHeaderReader {
 public:
  explicit NpyHeaderReader(std::string_view text) : text_(text) {}

  bool read(NpyHeader& header) {
    if (!take('{')) return false;
    while (!take('}')) {
      if (!member(header)) return false;
      if (!take(',') && peek() != '}') return false;
    }
    return trim(text_).empty() && header.type && header.is_fortran && header.lengths;
  }

 private:
  bool member(NpyHeader& header) {
    std::string name;
    if (!quoted(name) || !take(':')) return false;
    if (name == "descr" && !header.type) return quoted(header.type.emplace());
    if (name == "fortran_order" && !header.is_fortran) return truth(header.is_fortran.emplace());
    if (name == "shape" && !header.lengths) return lengths(header.lengths.emplace());
    return false;
  }

  char peek() {
    const std::size_t at = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(at, text_.size()));
    return text_.empty() ? '\0' : text_[0];
  }

  bool take(char wanted) {
    if (peek() != wanted || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool quoted(std::string& content) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) return false;
    content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content.find('\\') == std::string::npos;
  }

  bool truth(bool& value) {
    peek();
    value = text_.starts_with("True");
    if (!value && !text_.starts_with("False")) return false;
    text_.remove_prefix(value ? 4 : 5);
    return true;
  }

  bool lengths(Lengths& lengths) {
    if (!take('(')) return false;
    while (!take(')')) {
      peek();
      const std::string_view digits = text_.substr(0, text_.find_first_not_of("0123456789"));
      const auto length = parse_integer(digits);
      if (!length || lengths.size() == most_npy_dimensions) return false;
      lengths.push_back(static_cast<std::size_t>(*length));
      text_.remove_prefix(digits.size());
      if (!take(',') && (peek() != ')' || lengths.size() == 1)) return false;
    }
    return true;
  }

  std::string_view text_;
};

// Return the product, or nothing where it is beyond the limit.
std::optional<std::size_t> product_of(const Lengths& lengths, std::size_t limit) {
  if (std::ranges::find(lengths, 0U) != lengths.end()) return 0;
  std::size_t product = 1;
  for (const std::size_t length : lengths) {
    if (length > limit / product) return std::nullopt;
    product *= length;
  }
  return product;
}

class NpyReader {
 public:
  NpyReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  Result<Numbers> read() {
    NpyHeader header;
    GATE_TRY_STATUS(read_header(header));
    GATE_TRY_STATUS(check_type(*header.type));
    if (*header.is_fortran)
      return refuse(
          "holds its numbers column by column (Fortran order); write numpy.ascontiguousarray(array)");
    const std::string_view name = std::string_view(*header.type).substr(1);
    return values(*std::ranges::find(npy_types, name, &NpyTypeRow::name), (*header.type)[0] == '>',
                  *header.lengths);
  }

 private:
  Status read_header(NpyHeader& header) {
    if (!bytes_.starts_with(npy_magic)) return refuse("no .npy file: it does not begin with \\x93NUMPY");
    if (bytes_.size() < npy_magic.size() + 2) return cut_off();
    const int version = static_cast<unsigned char>(bytes_[npy_magic.size()]);
    if (version < 1 || version > 3)
      return refuse("version " + std::to_string(version) + " of .npy; this gate reads 1 to 3");
    bytes_.remove_prefix(npy_magic.size() + 2);
    const std::size_t length_size = version == 1 ? 2 : 4;
    if (bytes_.size() < length_size) return cut_off();
    const std::uint64_t length = little_endian(bytes_.substr(0, length_size));
    bytes_.remove_prefix(length_size);
    if (length > most_header_bytes) return refuse("a header of " + std::to_string(length) + " bytes");
    if (bytes_.size() < length) return cut_off();
    const std::string_view text = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    if (text.find("'descr': [") != std::string_view::npos)
      return refuse("holds records of several fields; write one field as an array of its own");
    if (!NpyHeaderReader(text).read(header))
      return refuse("no header of an .npy file: " + printable(trim(text), 200));
    return {};
  }

  Status check_type(std::string_view type) const {
    const std::string shown = "\"" + printable(type, 40) + "\"";
    if (type.find('O') != std::string_view::npos)
      return refuse("holds pickled objects (" + shown +
                    "), which only Python can read; write numbers: array.astype(\"float64\")");
    const bool has_order = !type.empty() && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
    const auto row = std::ranges::find(npy_types, type.substr(has_order ? 1 : 0), &NpyTypeRow::name);
    if (has_order && type[0] != '=' && row != npy_types.end() && (type[0] != '|' || row->size == 1))
      return {};
    return refuse("numbers of type " + shown +
                  "; this gate reads f2 f4 f8, i1 to i8, u1 to u8 and bool: write " +
                  "array.astype(\"float64\")");
  }

  Result<Numbers> values(const NpyTypeRow& type, bool is_big_endian, const Lengths& lengths) const {
    const auto count = product_of(lengths, most_npy_values);
    if (!count)
      return refuse("more than " + std::to_string(most_npy_values) + " numbers: shape " +
                    printable(shape_of(lengths), 200));
    const std::size_t wanted = *count * type.size;
    if (bytes_.size() < wanted)
      return refuse(std::to_string(wanted) + " bytes of numbers by its header, and " +
                    std::to_string(bytes_.size()) +
                    " are there; the file is cut off: fetch or write it again");
    if (bytes_.size() > wanted)
      return refuse(std::to_string(bytes_.size() - wanted) + " bytes behind its numbers; write it again");
    Numbers numbers{std::vector<double>(*count), shape_of(lengths)};
    for (std::size_t at = 0; at < *count; ++at)
      numbers.values[at] = type.value(bits_at(bytes_.data() + at * type.size, type.size, is_big_endian));
    return numbers;
  }

  static std::uint64_t bits_at(const char* bytes, std::size_t size, bool is_big_endian) {
    std::array<char, 8> in_order{};
    std::memcpy(in_order.data(), bytes, size);
    if (is_big_endian) std::reverse(in_order.begin(), in_order.begin() + static_cast<std::ptrdiff_t>(size));
    return little_endian({in_order.data(), in_order.size()});
  }

  tl::unexpected<Error> cut_off() const { return refuse("the file is cut off: fetch or write it again"); }

  tl::unexpected<Error> refuse(const std::string& message) const { return fail(file_ + ": " + message); }

  std::string_view bytes_;
  const std::string& file_;
};

}  // namespace

Result<Numbers> read_npy_numbers(std::string_view bytes, std::string_view key, const std::string& file) {
  if (!key.empty())
    return fail(file + ": an .npy file holds one array: no key \"" + printable(key, 80) + "\" is needed");
  return NpyReader(bytes, file).read();
}

}  // namespace gate::schema
