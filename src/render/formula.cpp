#include "render/formula.h"

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "render/numbers.h"

namespace gate::render {

namespace {

struct Amount {
  Decimal number;
  bool percent = false;
  std::string words;  // `0.01`, `5 %`
};

struct Term {
  std::string link;  // "", `or `, `and `
  std::string_view bound;
};

std::optional<Amount> read_amount(std::string_view text) {
  text = trim(text);
  const bool percent = text.ends_with('%');
  if (percent) text = trim(text.substr(0, text.size() - 1));
  const std::optional<Decimal> number = Decimal::parse(text);
  if (!number) return std::nullopt;
  return Amount{*number, percent, std::string(text) + (percent ? " %" : "")};
}

std::vector<Term> terms_of(std::string_view tolerance) {
  std::vector<Term> terms;
  std::string link;
  while (true) {
    const std::size_t either = tolerance.find(" or "), both = tolerance.find(" and ");
    const std::size_t end = std::min(either, both);
    terms.push_back({link, trim(tolerance.substr(0, end))});
    if (end == std::string_view::npos) return terms;
    link = either < both ? "or " : "and ";
    tolerance.remove_prefix(end + link.size() + 1);
  }
}

// The amount itself, or that percentage of |b|.
std::optional<Decimal> room(const Amount& amount, const Decimal& b) {
  if (!amount.percent) return amount.number;
  std::optional<Decimal> product = multiply(b.abs(), amount.number);
  if (product) product->exponent -= 2;
  return product;
}

std::string number_words(std::optional<Decimal> number) {
  if (!number) return "?";
  while (number->exponent < 0 && number->coefficient % 10 == 0) {
    number->coefficient /= 10;
    ++number->exponent;
  }
  return number->to_string();
}

std::string truth(bool holds) { return holds ? " is true" : " is false"; }

std::string two_sided(const Amount& amount, const Operands& x, const Decimal& a, const Decimal& b) {
  std::optional<Decimal> distance = subtract(a, b);
  if (distance) distance = distance->abs();
  const std::optional<Decimal> most = room(amount, b);
  const bool within = x.holds.value_or(distance && most && *distance <= *most);
  const std::string bound =
      amount.percent ? amount.words + " of |" + x.baseline + "| = " + number_words(most) : amount.words;
  return "|" + x.actual + " - " + x.baseline + "| = " + (distance ? distance->to_string() : "?") +
         (within ? " <= " : " > ") + bound;
}

std::string one_sided(char sign, const Amount& amount, const Operands& x, const Decimal& a,
                      const Decimal& b) {
  const std::optional<Decimal> most = room(amount, b);
  const std::optional<Decimal> bound = !most ? most : sign == '-' ? subtract(b, *most) : add(b, *most);
  const bool holds = x.holds.value_or(bound && (sign == '-' ? a >= *bound : a <= *bound));
  const std::string of = amount.percent && b.is_negative() ? " of |" + x.baseline + "|" : "";
  return x.actual + (sign == '-' ? " >= " : " <= ") + x.baseline + " " + sign + " " + amount.words + of +
         " = " + (x.limit.empty() ? number_words(bound) : x.limit) + truth(holds);
}

std::string against_constant(std::string_view bound, const Operands& x, const Decimal& a) {
  const std::optional<Amount> amount = read_amount(bound.substr(2));
  if (!amount) return std::string(bound);
  const Decimal& t = amount->number;
  const bool computed = bound[0] == '>' ? a >= t : bound[0] == '<' ? a <= t : a == t;
  return x.actual + " " + std::string(bound.substr(0, 2)) + " " + amount->words +
         truth(x.holds.value_or(computed));
}

std::string not_a_number(const Operands& x, const Decimal* a) {
  if (a == nullptr)
    return "actual " + (x.actual.empty() ? "nothing" : x.actual) + ": never within a tolerance";
  return "baseline " + (x.baseline.empty() ? "nothing" : x.baseline) + ": nothing to compare " + x.actual +
         " with";
}

std::string bound_words(std::string_view bound, const Operands& x) {
  constexpr std::string_view both = "±";
  const std::optional<Decimal> a = Decimal::parse(x.actual), b = Decimal::parse(x.baseline);
  if (!a) return not_a_number(x, nullptr);
  if (bound.starts_with(">=") || bound.starts_with("<=") || bound.starts_with("=="))
    return against_constant(bound, x, *a);
  if (!b) return not_a_number(x, &*a);
  if (bound == "exact") return x.actual + " == " + x.baseline + truth(x.holds.value_or(*a == *b));
  const bool two = bound.starts_with(both);
  const bool one = bound.starts_with('-') || bound.starts_with('+');
  const std::optional<Amount> amount =
      two || one ? read_amount(bound.substr(two ? both.size() : 1)) : std::nullopt;
  if (!amount) return std::string(bound) + " between " + x.actual + " and " + x.baseline;
  return two ? two_sided(*amount, x, *a, *b) : one_sided(bound[0], *amount, x, *a, *b);
}

}  // namespace

std::vector<std::string> formula(std::string_view tolerance, const Operands& operands) {
  const std::vector<Term> terms = terms_of(tolerance);
  const Operands readable{plain(operands.actual), plain(operands.baseline), operands.limit, operands.holds};
  const Operands computed{readable.actual, readable.baseline, "", std::nullopt};
  std::vector<std::string> lines;
  for (const Term& term : terms)
    lines.push_back(term.link + bound_words(term.bound, terms.size() == 1 ? readable : computed));
  return lines;
}

}  // namespace gate::render
