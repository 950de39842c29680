// Weights of many gigabytes, of which most are equal on both sides, in one pass.
//
// A block of numbers whose bytes are the same on both sides costs a memcmp and a look for what is not finite;
// only in the others is a number looked at alone. What it is comes out of a table of all bits there are,
// where it has at most 16; out of a cast, where it has 32: both are doubles without loss. Integers of 64 bits
// and F64 become long doubles, whose fraction of 64 bits or more holds them. A block's sums are kept in the
// type of its numbers and added to those of all, long doubles, at its end: a block is short, so that sums of
// doubles keep twelve digits over any number of blocks.
//
// The bits decide whether numbers are equal, and their values how far they are apart: 0 and -0 differ by 0.
// So a metric of distances may be 0 where bits differ; the signature says how many tensors those are in
// (`unequal:2`), and unequal_tensors counts them.
//
// The hash is one over the hashes of all tensors in the order of their names, so that neither the order in
// the file nor the shards change it.
#include "gate/score/tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gate/base/text.h"

namespace gate::score {

namespace {

constexpr std::string_view unequal_tensors = "unequal_tensors";
constexpr std::size_t block_bytes = 8 << 10;  // whole numbers of every type
constexpr std::size_t most_unlike = 3;        // that are told
constexpr long double beyond = std::numeric_limits<long double>::infinity();

template <class Bits>
Bits bits_at(const char* bytes) {
  Bits bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// Return how many numbers have all bits of the mask.
template <class Bits>
std::int64_t count_of_bits(std::string_view bytes, Bits mask) {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Bits))
    count += (bits_at<Bits>(bytes.data() + at) & mask) == mask ? 1 : 0;
  return count;
}

std::string hash_line(const Tensor& tensor, Sha256& sum) {
  return tensor.name + '\0' + kind_of(tensor) + '\0' + sum.hex() + '\n';
}

std::string number_word(const TensorType& type, std::uint64_t bits) {
  if (!type.is_number()) return fmt::format("0x{:02x}", bits);
  if (type.kind == TensorType::Kind::whole && type.bits == 64)
    return std::to_string(static_cast<std::int64_t>(bits));
  if (type.kind == TensorType::Kind::unsigned_whole) return std::to_string(bits);
  const double value = type.value(bits);
  return type.bits < 64 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

std::string kind_word(const Tensor* tensor) { return tensor == nullptr ? "-" : kind_of(*tensor); }

}  // namespace

std::vector<std::string> tensor_metrics() {
  return {std::string(unequal_tensors), "max_abs_error", "mean_abs_error", "rmse", "max_relative_error"};
}

TensorScorer::TensorScorer(std::string metric)
    : metric_(std::move(metric)), is_relative_(metric_ == "max_relative_error") {}

void TensorScorer::add_unlike(const Tensor* actual, const Tensor* golden) {
  ++tensors_;
  ++unlike_count_;
  if (actual != nullptr) hashes_.push_back(actual->name + '\0' + kind_of(*actual) + '\n');
  if (unlike_.size() == most_unlike) return;
  const std::string& name = (golden == nullptr ? actual : golden)->name;
  unlike_.push_back(
      {.number = 1, .actual = kind_word(actual), .golden = kind_word(golden), .value = {}, .place = name});
}

void TensorScorer::begin(const Tensor& tensor) {
  end_tensor();
  tensor_ = &tensor;
  done_ = 0;
  ++tensors_;
  if (!tensor.type->is_number() || tensor.type->bits > 16) return;
  std::vector<float>& table = tables_[tensor.type->name];
  for (std::uint64_t bits = table.size(); bits < std::uint64_t{1} << tensor.type->bits; ++bits)
    table.push_back(static_cast<float>(tensor.type->value(bits)));
  small_ = table.data();
}

void TensorScorer::end_tensor() {
  if (tensor_ == nullptr) return;
  hashes_.push_back(hash_line(*tensor_, sum_));
  unequal_ += is_unequal_ ? 1 : 0;
  is_unequal_ = false;
  tensor_ = nullptr;
}

void TensorScorer::add(std::string_view actual, std::string_view golden) {
  using Kind = TensorType::Kind;
  sum_.add(actual);
  const TensorType& type = *tensor_->type;
  const auto from_table = [&](auto bits) { return small_[bits]; };
  const auto cast = []([[maybe_unused]] auto to) {
    return [](auto bits) { return std::bit_cast<decltype(to)>(bits); };
  };
  if (!type.is_number()) return add_bytes(actual, golden);
  if (type.bits == 8) return add_numbers<std::uint8_t, double>(actual, golden, from_table);
  if (type.name == "BF16")
    return add_numbers<std::uint16_t, double>(
        actual, golden, [](std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16U); });
  if (type.bits == 16) return add_numbers<std::uint16_t, double>(actual, golden, from_table);
  if (type.bits == 32) {
    if (type.kind == Kind::floating) return add_numbers<std::uint32_t, double>(actual, golden, cast(float{}));
    if (type.kind == Kind::whole)
      return add_numbers<std::uint32_t, double>(actual, golden, cast(std::int32_t{}));
    return add_numbers<std::uint32_t, double>(actual, golden, cast(std::uint32_t{}));
  }
  if (type.kind == Kind::floating)
    return add_numbers<std::uint64_t, long double>(actual, golden, cast(double{}));
  if (type.kind == Kind::whole)
    return add_numbers<std::uint64_t, long double>(actual, golden, cast(std::int64_t{}));
  add_numbers<std::uint64_t, long double>(actual, golden, cast(std::uint64_t{}));
}

template <class Bits, class Real, class Value>
void TensorScorer::add_numbers(std::string_view actual, std::string_view golden, Value value) {
  const auto mask = static_cast<Bits>(tensor_->type->non_finite);
  for (std::size_t from = 0; from < actual.size(); from += block_bytes) {
    const std::string_view a = actual.substr(from, block_bytes), g = golden.substr(from, block_bytes);
    const std::size_t count = a.size() / sizeof(Bits);
    if (a != g)
      add_block<Bits, Real>(a, g, value);
    else if (mask != 0)
      sums_.non_finite += count_of_bits<Bits>(a, mask);
    done_ += count;
    sums_.values += static_cast<std::int64_t>(count);
  }
}

template <class Bits, class Real, class Value>
void TensorScorer::add_block(std::string_view actual, std::string_view golden, Value value) {
  Real distance = 0, squared = 0, largest = -1;
  TensorPair worst;
  for (std::size_t at = 0; at < actual.size(); at += sizeof(Bits)) {
    const Bits x = bits_at<Bits>(actual.data() + at), y = bits_at<Bits>(golden.data() + at);
    const Real g = static_cast<Real>(value(y)), apart = std::abs(static_cast<Real>(value(x)) - g);
    if (x == y || !(apart <= std::numeric_limits<Real>::max())) {
      add_rare({tensor_, done_ + at / sizeof(Bits), x, y}, value(x), value(y));
      continue;
    }
    ++sums_.differing;
    if (first_.tensor == nullptr) first_ = {tensor_, done_ + at / sizeof(Bits), x, y};
    distance += apart;
    squared += apart * apart;
    const Real badness = is_relative_ ? apart / std::abs(g) : apart;  // of 0 and -0 none
    if (!(badness > largest)) continue;
    largest = badness;
    worst = {tensor_, done_ + at / sizeof(Bits), x, y};
  }
  is_unequal_ = true;
  sums_.distance += distance;
  sums_.squared_distance += squared;
  if (worst.tensor != nullptr) remember(worst, largest);
}

// Add what is equal, or not finite on one side at least.
template <class Number>
void TensorScorer::add_rare(const TensorPair& pair, Number actual, Number golden) {
  const bool is_finite = std::isfinite(static_cast<double>(actual));
  const bool is_same = actual == golden || (actual != actual && golden != golden);
  if (!is_same) {
    ++sums_.apart;
    remember(pair, beyond);
  } else if (!is_finite) {
    ++sums_.non_finite;
  }
  if (pair.actual == pair.golden) return;
  ++sums_.differing;
  if (first_.tensor == nullptr) first_ = pair;
}

void TensorScorer::add_bytes(std::string_view actual, std::string_view golden) {
  if (actual != golden) {
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(actual, golden).in1 - actual.begin());
    const auto byte = [at](std::string_view bytes) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at]));
    };
    is_unequal_ = true;
    ++sums_.differing;
    if (first_.tensor == nullptr) first_ = {tensor_, done_ + at, byte(actual), byte(golden)};
    if (opaque_ == nullptr) opaque_ = tensor_;
  }
  done_ += actual.size();
}

// What is not finite on one side is worse than any distance, and the first of it than others.
void TensorScorer::remember(const TensorPair& pair, long double size) {
  if (worst_.tensor != nullptr && !(size > sums_.largest)) return;
  sums_.largest = size;
  worst_ = pair;
}

Status TensorScorer::check() const {
  if (metric_ == unequal_tensors) return {};
  if (unlike_count_ > 0) {
    std::vector<std::string> all;
    for (const OutputDifference& one : unlike_)
      all.push_back(printable(one.place, 120) + (one.actual == "-" ? " is missing"
                                                 : one.golden == "-"
                                                     ? " is extra"
                                                     : " is " + one.actual + " instead of " + one.golden));
    const std::int64_t more = unlike_count_ - std::ssize(unlike_);
    return fail("other tensors than the golden ones: " + join(all, ", ") +
                (more > 0 ? fmt::format(", and {} more", more) : ""));
  }
  if (opaque_ != nullptr)
    return fail(fmt::format("{} differs, and gate compares {} by its bits alone: {} counts such tensors",
                            printable(opaque_->name, 120), opaque_->type->name, unequal_tensors));
  return {};
}

double TensorScorer::value() const {
  constexpr long double most = std::numeric_limits<double>::max();
  const auto pairs =
      static_cast<long double>(std::max<std::int64_t>(1, sums_.values - sums_.non_finite - sums_.apart));
  long double value = sums_.largest;
  if (metric_ == unequal_tensors) return static_cast<double>(unequal_ + unlike_count_);
  if (sums_.apart > 0)
    value = beyond;
  else if (metric_ == "mean_abs_error")
    value = sums_.distance / pairs;
  else if (metric_ == "rmse")
    value = std::sqrt(sums_.squared_distance / pairs);
  return value <= most ? static_cast<double>(value) : std::numeric_limits<double>::infinity();
}

OutputDifference TensorScorer::shown(const TensorPair& pair) const {
  const TensorType& type = *pair.tensor->type;
  OutputDifference difference{.number = static_cast<std::int64_t>(pair.number) + 1,
                              .actual = number_word(type, pair.actual),
                              .golden = number_word(type, pair.golden),
                              .value = {}};
  if (difference.actual == difference.golden) {
    difference.actual += fmt::format(" (0x{:x})", pair.actual);
    difference.golden += fmt::format(" (0x{:x})", pair.golden);
  }
  difference.place = type.is_number() ? tensor_place(*pair.tensor, pair.number)
                                      : fmt::format("{} byte {}", pair.tensor->name, pair.number);
  return difference;
}

Result<Score> TensorScorer::score() {
  end_tensor();
  GATE_TRY_STATUS(check());
  if (tensors_ == 0) return fail("neither side holds a tensor");
  const bool counts_tensors = metric_ == unequal_tensors;
  if (!counts_tensors && sums_.values == sums_.non_finite) return fail("no number is finite on both sides");
  std::ranges::sort(hashes_);
  for (const std::string& line : hashes_) sum_.add(line);
  Score score{.value = value(),
              .signature = fmt::format("tensors:{}|values:{}|unequal:{}", tensors_, sums_.values,
                                       unequal_ + unlike_count_),
              .compared = counts_tensors ? tensors_ : sums_.values,
              .differing = counts_tensors ? unequal_ + unlike_count_ : sums_.differing,
              .first = {},
              .worst = {}};
  if (sums_.non_finite > 0) score.signature += fmt::format("|non_finite:{}", sums_.non_finite);
  score.signature += "|sha256:" + sum_.hex();
  if (!unlike_.empty())
    score.first = unlike_.front();
  else if (first_.tensor != nullptr)
    score.first = shown(first_);
  if (worst_.tensor != nullptr) score.worst = shown(worst_);
  return score;
}

}  // namespace gate::score
