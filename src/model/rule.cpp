#include "gate/model/rule.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

// 0.05 as `5%`, in exact decimals.
std::string percent(const Decimal& fraction) {
  Decimal shifted{fraction.coefficient, fraction.exponent + 2};
  while (shifted.exponent < 0 && shifted.coefficient % 10 == 0) {
    shifted.coefficient /= 10;
    ++shifted.exponent;
  }
  return shifted.to_string() + "%";
}

std::string_view side_sign(Bound::Side side) {
  return side == Bound::Side::both ? "±" : side == Bound::Side::upper ? "+" : "-";
}

}  // namespace

std::string to_string(const Window& window) {
  const std::string a = std::to_string(window.a);
  switch (window.kind) {
    case Window::Kind::all:
      return "all";
    case Window::Kind::first:
      return "first " + a;
    case Window::Kind::last:
      return "last " + a;
    case Window::Kind::between:
      return a + ".." + std::to_string(window.b);
    case Window::Kind::after:
      return "after " + a;
    case Window::Kind::step:
      return "step " + a;
  }
  return "";
}

std::string_view to_string(Reduce reduce) {
  constexpr std::array names{"each", "mean", "median",        "min",         "max",
                             "last", "p90",  "harmonic_mean", "trimmed_mean"};
  return names.at(static_cast<std::size_t>(reduce));
}

std::string to_string(const Bound& bound) {
  switch (bound.kind) {
    case Bound::Kind::absolute:
      return std::string(side_sign(bound.side)) + bound.amount.to_string();
    case Bound::Kind::relative:
      return std::string(side_sign(bound.side)) + percent(bound.amount);
    case Bound::Kind::exact:
      return "exact";
    case Bound::Kind::at_least:
      return ">= " + bound.amount.to_string();
    case Bound::Kind::at_most:
      return "<= " + bound.amount.to_string();
    case Bound::Kind::equals:
      return "== " + bound.amount.to_string();
  }
  return "";
}

std::string to_string(const Tolerance& tolerance) {
  std::string out;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    if (!out.empty()) out += " or ";
    for (std::size_t i = 0; i < all_of.size(); ++i) out += (i > 0 ? " and " : "") + to_string(all_of[i]);
  }
  return out;
}

std::string_view to_string(RankMode rank) {
  constexpr std::array names{"each", "max", "min", "mean"};
  return names.at(static_cast<std::size_t>(rank));
}

bool needs_baseline(const Tolerance& tolerance) {
  const auto compares = [](const Bound& bound) {
    return bound.kind == Bound::Kind::absolute || bound.kind == Bound::Kind::relative ||
           bound.kind == Bound::Kind::exact;
  };
  return std::any_of(tolerance.any_of.begin(), tolerance.any_of.end(), [&](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(), compares);
  });
}

}  // namespace gate
