#include "publish/webhook_request.h"

#include <cstdlib>

#include "gate/base/text.h"
#include "gate/net/signature.h"

namespace gate::publish {

namespace {

// CI systems like to end a secret with a newline.
Result<std::string> secret_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  const std::string_view text = value == nullptr ? "" : trim(value);
  if (text.empty()) return fail("the variable " + name + " is not set; nothing was sent");
  return std::string(text);
}

Result<std::string> address_of(const config::Receiver& to) {
  if (!to.url.empty()) return to.url;
  Result<std::string> url = secret_variable(to.url_env);
  if (url && net::host_of(*url).empty())
    return fail("the variable " + to.url_env + " holds no address of http or https; nothing was sent");
  return url;
}

// Of `https://HOST/services/T0k3n?key=V4lue` the long parts, but neither the host nor the names in the query.
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

std::int64_t milliseconds(Moment moment) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(moment.time_since_epoch()).count();
}

// Feishu signs nothing under its text, and DingTalk the text under the secret.
render::Proof proof_in_body(const std::string& secret, Moment moment) {
  const std::string seconds = std::to_string(milliseconds(moment) / 1000);
  return {seconds, net::signature(seconds + "\n" + secret, "")};
}

Result<std::string> signed_address(const std::string& url, const std::string& secret, Moment moment) {
  const std::string time = std::to_string(milliseconds(moment));
  return net::with_query(url, {{"timestamp", time}, {"sign", net::signature(secret, time + "\n" + secret)}});
}

// Where a message goes, and what proves in it who sends.
struct Signing {
  std::string url;
  render::Proof proof;
};

Result<Signing> seal(NoticeKind kind, const std::string& url, const std::string& secret, Moment moment) {
  const Signed where = secret.empty() ? Signed::nowhere : row(kind).is_signed;
  if (where == Signed::nowhere) return Signing{url, {}};
  if (where == Signed::in_body) return Signing{url, proof_in_body(secret, moment)};
  return signed_address(url, secret, moment).map([](const std::string& with_proof) {
    return Signing{with_proof, {}};
  });
}

const std::vector<std::string> headers{"Content-Type: application/json; charset=utf-8", "Expect:"};

}  // namespace

Result<WebhookRequest> letter_to(const config::Receiver& to, const render::Notice& notice, Moment moment) {
  GATE_TRY(const std::string url, address_of(to));
  GATE_TRY(const std::string secret, to.secret_env.empty() ? "" : secret_variable(to.secret_env));
  GATE_TRY(const Signing sealed, seal(to.kind, url, secret, moment));
  const std::string host = net::host_of(url), body = render::notice_body(to.kind, notice, sealed.proof);
  return WebhookRequest{
      {sealed.url, headers, body, to.timeout, to.retries}, host, Masker(secrets_in(url, host, secret))};
}

}  // namespace gate::publish
