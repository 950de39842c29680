#include "publish/notice_answer.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "gate/base/text.h"

namespace gate::publish {

namespace {

using AnswerJson = nlohmann::json;

constexpr std::size_t longest_words = 200;

// Where a kind of service says how it went: codes, of which one is there and all are 0, and its words.
struct AnswerShape {
  NoticeKind kind;
  std::array<const char*, 2> codes;
  std::array<const char*, 2> words;
};

constexpr std::array<AnswerShape, 3> shapes{{
    {NoticeKind::feishu, {"code", "StatusCode"}, {"msg", "StatusMessage"}},
    {NoticeKind::dingtalk, {"errcode", "errcode"}, {"errmsg", "errmsg"}},
    {NoticeKind::wecom, {"errcode", "errcode"}, {"errmsg", "errmsg"}},
}};

const AnswerShape* shape_of(NoticeKind kind) {
  const auto found =
      std::find_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.kind == kind; });
  return found == shapes.end() ? nullptr : &*found;
}

bool says_zero(const AnswerShape& shape, const AnswerJson& answer) {
  bool zero = false;
  for (const char* key : shape.codes) {
    const auto code = answer.find(key);
    if (code == answer.end()) continue;
    if (!code->is_number_integer() || *code != 0) return false;
    zero = true;
  }
  return zero;
}

bool was_taken(NoticeKind kind, const std::string& body) {
  if (kind == NoticeKind::slack) return trim(body) == "ok";
  const AnswerShape* shape = shape_of(kind);
  if (shape == nullptr) return true;
  const AnswerJson answer = AnswerJson::parse(body, nullptr, false);
  return answer.is_object() && says_zero(*shape, answer);
}

// `310000 sign not match`; the body where the service does not speak as it should.
std::string own_words(NoticeKind kind, const std::string& body) {
  const AnswerShape* shape = shape_of(kind);
  const AnswerJson answer = shape == nullptr ? AnswerJson() : AnswerJson::parse(body, nullptr, false);
  if (!answer.is_object()) return body;
  std::string out;
  for (const char* key : {shape->codes[0], shape->words[0]})
    if (const auto said = answer.find(key); said != answer.end() && said->is_primitive())
      out += (out.empty() ? "" : " ") + (said->is_string() ? said->get<std::string>() : said->dump());
  return out.empty() ? body : out;
}

}  // namespace

Status check_taken(NoticeKind kind, const std::string& host, const net::Response& answer,
                   const Masker& masker) {
  const bool good = answer.status >= 200 && answer.status < 300;
  if (good && was_taken(kind, answer.body)) return {};
  if (answer.status >= 300 && answer.status < 400)
    return fail(host + " answered " + std::to_string(answer.status) +
                ": redirects are not followed; write the address that it leads to");
  const std::string words =
      printable(safe(in_one_line(masker.mask(own_words(kind, answer.body)))), longest_words);
  return fail(host + " answered " + std::to_string(answer.status) + (words.empty() ? "" : ": " + words));
}

}  // namespace gate::publish
