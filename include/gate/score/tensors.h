// Weights held against golden weights, tensor by tensor, in constant memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sha256.h"
#include "gate/model/numbers/tensor.h"
#include "gate/score/score_metric.h"

namespace gate::score {

// Return the metrics that weights have. With a and g a number and the golden one at its place in a tensor,
// over all tensors:
//
//   unequal_tensors      tensors that one side alone has, of another type or shape, or with another bit
//   max_abs_error        the largest |a-g|
//   mean_abs_error       the mean |a-g|
//   rmse                 √(mean (a-g)²)
//   max_relative_error   the largest |a-g|/|g|; infinity where g alone is zero
std::vector<std::string> tensor_metrics();

// Two numbers at one place whose bits differ.
struct TensorPair {
  const Tensor* tensor = nullptr;        // nullptr: there is none
  std::uint64_t number = 0;              // from 0; of a type that is compared by its bits alone a byte
  std::uint64_t actual = 0, golden = 0;  // their bits
};

// What all pairs come to. Those of equal bits add nothing.
struct TensorSums {
  std::int64_t values = 0, differing = 0;
  std::int64_t non_finite = 0;  // pairs that are NaN, or the same infinity, on both sides
  std::int64_t apart = 0;       // of which one side alone is finite, or of different infinities
  long double distance = 0, squared_distance = 0;
  long double largest = 0;  // distance, of max_relative_error relative one
};

// Tensors are added one after another, in any order; each outlives the scorer. A number is compared by its
// bits, and what differs is decoded exactly; differences of integers and of F64 are right to 64 bits, of the
// others to 53.
//
// Pairs that are NaN, or the same infinity, on both sides are equal (`non_finite:2` of the signature counts
// them); with one on one side alone every metric but unequal_tensors is infinity. The signature also tells
// the SHA-256 of the actual tensors: of their names, types, shapes and bits, in whatever order and shards.
class TensorScorer {
 public:
  explicit TensorScorer(std::string metric);

  // Add a tensor that one side alone has (nullptr: none), or that has another type or shape on each.
  void add_unlike(const Tensor* actual, const Tensor* golden);

  // Begin a tensor that both sides have alike, and add its bytes in pieces: as many of both, whole numbers.
  void begin(const Tensor& tensor);
  void add(std::string_view actual, std::string_view golden);

  // Return what all are worth. Fails for metrics other than unequal_tensors where tensors are unlike, where
  // what differs is compared by its bits alone, or where no number is finite on both sides.
  Result<Score> score();

 private:
  template <class Bits, class Real, class Value>
  void add_numbers(std::string_view actual, std::string_view golden, Value value);
  template <class Bits, class Real, class Value>
  void add_block(std::string_view actual, std::string_view golden, Value value);
  template <class Number>
  void add_rare(const TensorPair& pair, Number actual, Number golden);
  void add_bytes(std::string_view actual, std::string_view golden);
  void remember(const TensorPair& pair, long double size);
  void end_tensor();
  Status check() const;
  double value() const;
  OutputDifference shown(const TensorPair& pair) const;

  std::string metric_;
  bool is_relative_ = false;
  const Tensor* tensor_ = nullptr;  // nullptr: none has begun
  std::uint64_t done_ = 0;          // numbers of it
  bool is_unequal_ = false;         // it is
  std::map<std::string_view, std::vector<float>>
      tables_;                    // of types of at most 16 bits: numbers by their bits
  const float* small_ = nullptr;  // that of the tensor
  Sha256 sum_;
  std::vector<std::string> hashes_;  // of each tensor: name, type, shape, bits
  std::vector<OutputDifference> unlike_;
  std::int64_t tensors_ = 0, unlike_count_ = 0, unequal_ = 0;
  const Tensor* opaque_ = nullptr;  // the first that differs and is no number
  TensorSums sums_;
  TensorPair first_, worst_;
};

}  // namespace gate::score
