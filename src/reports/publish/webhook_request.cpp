#include "publish/webhook_request.h"

#include <array>
#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/net/signature.h"

namespace gate::publish {

namespace {

// CI systems like to end a secret with a newline.
Result<std::string> secret_variable(const std::string& name) {
  std::string text(trim(own_variable(name.c_str())));
  if (text.empty()) return fail("the variable " + name + " is not set; nothing was sent");
  return text;
}

Result<std::string> address_of(const config::Receiver& to) {
  if (!to.url.empty()) return to.url;
  Result<std::string> url = secret_variable(to.url_env);
  if (url && net::host_of(*url).empty())
    return fail("the variable " + to.url_env + " holds no address of http or https; nothing was sent");
  return url;
}

// The long parts of `https://HOST/services/T0k3n?key=V4lue`, but neither the host nor the names in the query.
std::vector<std::string> secrets_in(const std::string& url, const std::string& host,
                                    const std::string& secret) {
  std::vector<std::string> secrets{url, secret};
  std::string part;
  char before = ' ';
  for (const char c : url + "/") {
    if (std::string_view("/?&=#@:").find(c) == std::string_view::npos) {
      part += c;
      continue;
    }
    const bool is_name = c == '=' && (before == '?' || before == '&');
    if (part.size() >= shortest_secret && part != host && !is_name) secrets.push_back(part);
    part.clear();
    before = c;
  }
  return secrets;
}

// Where a message goes, and what proves in it who sends.
struct Signing {
  std::string url;
  render::MessageProof proof;
};

Result<Signing> sign_with(NoticeKind kind, const std::string& url, const std::string& secret, Moment moment) {
  const Signed where = secret.empty() ? Signed::nowhere : row(kind).is_signed;
  if (where == Signed::nowhere) return Signing{url, {}};
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(moment.time_since_epoch()).count();
  const std::string milliseconds = std::to_string(time), seconds = std::to_string(time / 1000);
  // Feishu signs nothing under its text, and DingTalk the text under the secret.
  if (where == Signed::in_body) return Signing{url, {seconds, net::signature(seconds + "\n" + secret, "")}};
  const std::string signature = net::signature(secret, milliseconds + "\n" + secret);
  GATE_TRY(const std::string address,
           net::with_query(url, {{"timestamp", milliseconds}, {"sign", signature}}));
  return Signing{address, {}};
}

const std::vector<std::string> headers{"Content-Type: application/json; charset=utf-8", "Expect:"};

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

const AnswerShape* shape_of(NoticeKind kind) { return row_in(shapes, kind, &AnswerShape::kind); }

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

Result<WebhookRequest> request_to(const config::Receiver& to, const render::Notice& notice, Moment moment) {
  GATE_TRY(const std::string url, address_of(to));
  GATE_TRY(const std::string secret, to.secret_env.empty() ? "" : secret_variable(to.secret_env));
  GATE_TRY(const Signing signing, sign_with(to.kind, url, secret, moment));
  const std::string host = net::host_of(url), body = render::notice_body(to.kind, notice, signing.proof);
  return WebhookRequest{
      {signing.url, headers, body, to.timeout, to.retries}, host, Masker(secrets_in(url, host, secret))};
}

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
