// Matrices: View looks at numbers, Tensor owns them in a Pool. Row-major, without gaps.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "trainer/pool.h"

namespace tinygpt {

// Somebody else's [rows, columns] numbers. As cheap to copy as a pointer.
template <class Real>
struct View {
  Real* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;

  Real* row(std::size_t i) const {
    assert(i < rows);
    return data + i * columns;
  }
  std::size_t size() const { return rows * columns; }
  std::span<Real> span() const { return {data, size()}; }
  operator View<const Real>() const requires(!std::is_const_v<Real>) { return {data, rows, columns}; }
};

// Own [rows, columns] numbers, zero at first. Lives no longer than its pool; can be moved, not copied.
template <class Real>
class Tensor {
 public:
  Tensor() = default;
  Tensor(Pool& pool, std::size_t rows, std::size_t columns)
      : pool_(&pool), view_{static_cast<Real*>(pool.allocate(rows * columns * sizeof(Real))), rows, columns} {
    std::fill_n(view_.data, view_.size(), Real{});
  }
  Tensor(Tensor&& other) noexcept { swap(other); }
  Tensor& operator=(Tensor&& other) noexcept {
    Tensor(std::move(other)).swap(*this);
    return *this;
  }
  ~Tensor() {
    if (pool_ != nullptr) pool_->release(view_.data);
  }

  std::size_t rows() const { return view_.rows; }
  std::size_t columns() const { return view_.columns; }
  Real* row(std::size_t i) { return view_.row(i); }
  const Real* row(std::size_t i) const { return view_.row(i); }
  std::span<Real> span() { return view_.span(); }
  std::span<const Real> span() const { return view_.span(); }
  operator View<Real>() { return view_; }
  operator View<const Real>() const { return view_; }

 private:
  void swap(Tensor& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(view_, other.view_);
  }

  Pool* pool_ = nullptr;
  View<Real> view_;
};

}  // namespace tinygpt
