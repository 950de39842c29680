#include "gate/score/tensors.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <random>

namespace gate::score::tensors_test {
namespace {

using testing::HasSubstr;

Tensor tensor_of(const std::string& type, std::uint64_t count, const std::string& name = "w") {
  return {name, find_tensor_type(type), {count}, 0, count * find_tensor_type(type)->bits / 8};
}

std::string bytes_of(const std::vector<std::uint64_t>& numbers, std::size_t size) {
  std::string bytes;
  for (const std::uint64_t bits : numbers)
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xFFU);
  return bytes;
}

Result<Score> scored(const std::string& metric, const Tensor& tensor, std::string_view actual,
                     std::string_view golden, std::size_t piece = 1 << 20) {
  TensorScorer scorer(metric);
  scorer.begin(tensor);
  for (std::size_t at = 0; at < actual.size(); at += piece)
    scorer.add(actual.substr(at, piece), golden.substr(at, piece));
  return scorer.score();
}

double number(const std::string& type, std::uint64_t bits) { return find_tensor_type(type)->value(bits); }

TEST(TensorType, DecodesExactly) {
  EXPECT_EQ(number("BF16", 0x3F81), 1.0078125);
  EXPECT_EQ(number("BF16", 0x0001), std::ldexp(1, -133));
  EXPECT_EQ(number("F16", 0x7BFF), 65504);
  EXPECT_EQ(number("F16", 0x8001), -std::ldexp(1, -24));
  EXPECT_EQ(number("F16", 0x7C00), INFINITY);
  EXPECT_EQ(number("F8_E4M3", 0x7E), 448);
  EXPECT_EQ(number("F8_E4M3", 0x01), std::ldexp(1, -9));
  EXPECT_TRUE(std::isnan(number("F8_E4M3", 0xFF)));
  EXPECT_EQ(number("F8_E5M2", 0x7B), 57344);
  EXPECT_EQ(number("F8_E5M2", 0xFC), -INFINITY);
  EXPECT_EQ(number("I8", 0xFF), -1);
  EXPECT_EQ(number("I64", UINT64_MAX), -1);
  EXPECT_EQ(number("BOOL", 1), 1);
}

// The bits by which a scorer counts what is not finite are right for every number of few bits.
TEST(TensorType, TellsWhatIsNotFinite) {
  for (const TensorType& type : tensor_types())
    for (std::uint64_t bits = 0; type.is_number() && type.bits <= 16 && bits < std::uint64_t{1} << type.bits;
         ++bits) {
      const bool is_finite = type.non_finite == 0 || (bits & type.non_finite) != type.non_finite;
      ASSERT_EQ(is_finite, std::isfinite(type.value(bits))) << type.name << " " << bits;
    }
}

// What the definitions of the metrics say, number by number.
struct Plain {
  long double largest = 0, relative = 0, sum = 0, squares = 0;
  std::int64_t pairs = 0, apart = 0, non_finite = 0, differing = 0;

  void add(double a, double g, bool same_bits) {
    differing += same_bits ? 0 : 1;
    if (std::isfinite(a) && std::isfinite(g)) {
      const long double apart_by = std::abs(static_cast<long double>(a) - g);
      largest = std::max(largest, apart_by);
      relative = std::max(relative, apart_by == 0 ? 0.0L : apart_by / std::abs(g));
      sum += apart_by;
      squares += apart_by * apart_by;
      ++pairs;
    } else {
      ++(a == g || (std::isnan(a) && std::isnan(g)) ? non_finite : apart);
    }
  }

  long double of(std::string_view metric) const {
    if (metric == "unequal_tensors") return differing > 0 ? 1 : 0;
    if (apart > 0) return INFINITY;
    if (metric == "max_abs_error") return largest;
    if (metric == "max_relative_error") return relative;
    const long double mean =
        (metric == "rmse" ? squares : sum) / static_cast<long double>(std::max<std::int64_t>(1, pairs));
    return metric == "rmse" ? std::sqrt(mean) : mean;
  }
};

TEST(TensorScorer, FollowsTheDefinitionsInEveryType) {
  std::mt19937_64 random(7);
  for (const TensorType& type : tensor_types())
    for (int round = 0; type.is_number() && round < 10; ++round) {
      const std::size_t size = type.bits / 8, count = 1 + random() % 1600;
      std::vector<std::uint64_t> golden(count), actual;
      for (std::uint64_t& bits : golden) {
        do
          bits = random() &
                 (type.bits == 64 ? UINT64_MAX >> (type.name == "F64" ? 0 : 20) : (1ULL << type.bits) - 1);
        while (round % 4 != 0 && !std::isfinite(type.value(bits)));
        if (type.name == "F64" && std::isfinite(type.value(bits)))
          bits = bits >> 4U & 0x3FFULL << 52U;  // no overflow
      }
      actual = golden;
      for (int change = 0; change < round % 5; ++change) actual[random() % count] = golden[random() % count];
      Plain plain;
      for (std::size_t i = 0; i < count; ++i)
        plain.add(type.value(actual[i]), type.value(golden[i]), actual[i] == golden[i]);
      for (const std::string& metric : tensor_metrics()) {
        const Tensor tensor = tensor_of(std::string(type.name), count);
        const auto score =
            scored(metric, tensor, bytes_of(actual, size), bytes_of(golden, size), size * 1000);
        if (!score) {
          ASSERT_EQ(plain.pairs + plain.apart, 0) << score.error().message;
          continue;
        }
        ASSERT_EQ(score->first.has_value(), plain.differing > 0);
        const auto wanted = static_cast<double>(plain.of(metric));
        const double off = std::isinf(wanted) ? 0 : std::abs(wanted) * 1e-12;
        ASSERT_TRUE(score->value == wanted || std::abs(score->value - wanted) <= off)
            << type.name << " " << metric << " " << score->value << " " << wanted;
        if (plain.non_finite > 0) {
          ASSERT_THAT(score->signature, HasSubstr("|non_finite:" + std::to_string(plain.non_finite) + "|"));
        }
      }
    }
}

TEST(TensorScorer, TellsFirstAndWorst) {
  Tensor tensor = tensor_of("F32", 6, "wte.weight");
  tensor.shape = {2, 3};
  const std::string golden = bytes_of({0x3F800000, 0, 0x40000000, 0x40400000, 0, 0}, 4);
  const std::string actual = bytes_of({0x3F800000, 0x80000000, 0x40000000, 0x40400000, 0x3F000000, 0}, 4);
  const auto score = scored("max_abs_error", tensor, actual, golden);
  ASSERT_TRUE(score);
  EXPECT_EQ(score->value, 0.5);
  EXPECT_EQ(score->differing, 2);
  EXPECT_EQ(score->first->place, "wte.weight[0, 1]");
  EXPECT_EQ(score->first->actual, "-0");
  EXPECT_EQ(score->worst->place, "wte.weight[1, 1]");
  EXPECT_EQ(score->worst->number, 5);
  EXPECT_EQ(scored("max_relative_error", tensor, actual, golden)->value, INFINITY);  // where 0 was
}

// 2^62+1 and 2^62+2 are one double.
TEST(TensorScorer, HoldsLargeIntegersApart) {
  const std::uint64_t golden = (std::uint64_t{1} << 62U) + 1;
  for (const char* type : {"I64", "U64"})
    EXPECT_EQ(
        scored("max_abs_error", tensor_of(type, 1), bytes_of({golden + 1}, 8), bytes_of({golden}, 8))->value,
        1);
  EXPECT_EQ(
      scored("max_abs_error", tensor_of("U64", 1), bytes_of({UINT64_MAX}, 8), bytes_of({UINT64_MAX - 1}, 8))
          ->value,
      1);
}

TEST(TensorScorer, TellsBitsApartThatReadAlike) {
  const auto score =
      scored("unequal_tensors", tensor_of("BF16", 1), bytes_of({0x7FC1}, 2), bytes_of({0x7FC0}, 2));
  EXPECT_EQ(score->value, 1);
  EXPECT_EQ(score->first->actual, "nan (0x7fc1)");
}

TEST(TensorScorer, ComparesOpaqueTypesByTheirBits) {
  const Tensor tensor = tensor_of("F4", 4);
  EXPECT_EQ(scored("unequal_tensors", tensor, "ab", "ab")->value, 0);
  EXPECT_EQ(scored("unequal_tensors", tensor, "ac", "ab")->first->place, "w byte 1");
  EXPECT_THAT(scored("rmse", tensor, "ac", "ab").error().message, HasSubstr("by its bits alone"));
}

TEST(TensorScorer, CountsTensorsThatAreUnlike) {
  const Tensor a = tensor_of("F32", 2, "a"), b = tensor_of("F16", 2, "a"), c = tensor_of("U8", 1, "c");
  TensorScorer counter("unequal_tensors"), distance("max_abs_error");
  for (TensorScorer* scorer : {&counter, &distance}) {
    scorer->add_unlike(&b, &a);
    scorer->add_unlike(nullptr, &c);
    scorer->add_unlike(&c, nullptr);
  }
  const auto score = counter.score();
  EXPECT_EQ(score->value, 3);
  EXPECT_EQ(score->compared, 3);
  EXPECT_EQ(score->first->golden, "F32 2");
  EXPECT_THAT(distance.score().error().message,
              HasSubstr("a is F16 2 instead of F32 2, c is missing, c is extra"));
}

// Neither the order nor the pieces change it; a name, a type, a shape and a bit do.
TEST(TensorScorer, HashesWhatTensorsHold) {
  const auto hash = [](std::vector<Tensor> tensors, const std::string& bytes, std::size_t piece) {
    TensorScorer scorer("unequal_tensors");
    for (const Tensor& tensor : tensors) {
      scorer.begin(tensor);
      for (std::size_t at = 0; at < bytes.size(); at += piece)
        scorer.add(std::string_view(bytes).substr(at, piece), std::string_view(bytes).substr(at, piece));
    }
    const std::string signature = scorer.score()->signature;
    return signature.substr(signature.find("sha256:"));
  };
  const Tensor a = tensor_of("F32", 2, "a"), b = tensor_of("F32", 2, "b");
  const std::string known = hash({a, b}, "12345678", 8);
  EXPECT_EQ(hash({b, a}, "12345678", 4), known);
  EXPECT_NE(hash({a, b}, "12345679", 8), known);
  EXPECT_NE(hash({a, tensor_of("I32", 2, "b")}, "12345678", 8), known);
  EXPECT_NE(hash({a, tensor_of("F32", 2, "c")}, "12345678", 8), known);
}

}  // namespace
}  // namespace gate::score::tensors_test
