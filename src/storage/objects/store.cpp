#include "gate/objects/store.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "gate/base/base64.h"
#include "gate/base/text.h"
#include "gate/net/post.h"
#include "objects/call.h"
#include "objects/digests.h"

namespace gate::objects {

namespace {

constexpr int good = 200, redirected = 300, unauthorized = 401, forbidden = 403, not_found = 404,
              conflict = 409, changed = 412, not_implemented = 501;
constexpr Duration any_time = std::chrono::hours(24 * 7);
constexpr std::int64_t tolerated_skew_s = 300;
constexpr int most_empty_pages = 100;  // of a list, one after the other
constexpr Duration patience = std::chrono::minutes(1);

// What stands behind `://`.
std::string host_in(const std::string& endpoint) { return endpoint.substr(endpoint.find("://") + 3); }

// What stands before `@` may be a password.
std::string without_user(const std::string& endpoint) {
  const std::size_t at = endpoint.rfind('@');
  return at == std::string::npos ? endpoint : "***" + endpoint.substr(at);
}

// As curl sends it: without a port that is the scheme's own.
std::string host_header(const std::string& scheme, std::string host) {
  const std::string usual = scheme == "https" ? ":443" : ":80";
  if (host.ends_with(usual)) host.resize(host.size() - usual.size());
  return host;
}

bool is_good(int status) { return status >= good && status < redirected; }

}  // namespace

bool is_etag_digest(const net::Response& answer) {
  return std::ranges::none_of(answer.headers, [](const auto& header) {
    const auto& [name, value] = header;
    return (name.ends_with("server-side-encryption") && value != "AES256") ||
           name.ends_with("server-side-encryption-customer-algorithm");
  });
}

Status check_endpoint(const std::string& endpoint) {
  const bool is_web = endpoint.starts_with("https://") || endpoint.starts_with("http://");
  const std::string host = is_web ? host_in(endpoint) : "";
  if (host.empty() || host.find_first_of("/?#@") != std::string::npos || host.starts_with(':') ||
      std::ranges::any_of(host, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }))
    return fail("\"" + printable(without_user(endpoint), 120) +
                "\" is no endpoint; write https://HOST or http://HOST:PORT");
  return {};
}

bool needs_path_style(const std::string& endpoint) {
  std::string host = host_in(endpoint);
  if (host.starts_with('[')) return true;
  host = host.substr(0, host.find(':'));
  return host == "localhost" || std::ranges::all_of(host, [](char c) { return is_digit(c) || c == '.'; });
}

ObjectStore::ObjectStore(StoreAccess access, net::Stop stop, std::function<Moment()> now)
    : access_(std::move(access)), stop_(std::move(stop)), now_(std::move(now)) {
  const Credentials& own = access_.credentials;
  masker_ = Masker(std::array{own.access_key, own.secret_key, own.token});
}

StoreError ObjectStore::error(const std::string& key, Failing kind, const std::string& what) const {
  return {kind, masker_.mask(ObjectPlace{access_.service, access_.bucket, key}.url() + ": " + what)};
}

std::string ObjectStore::meta(const std::string& name) const {
  return (access_.service == ObjectService::s3 ? "x-amz-meta-gate-" : "x-obs-meta-gate-") + name;
}

// A store may tell what it was sent.
ErrorAnswer ObjectStore::told_by(const std::string& answer) const {
  const ErrorAnswer told = read_error(answer);
  return {printable(masker_.mask(told.code), 80), printable(masker_.mask(told.message), 200)};
}

// Of a request of a call, signed as of then.
net::Request ObjectStore::request(const Call& call, Moment when) const {
  const std::string scheme = access_.endpoint.substr(0, access_.endpoint.find("://"));
  const std::string host = (access_.by_path ? "" : access_.bucket + ".") + host_in(access_.endpoint);
  const std::string in_bucket = "/" + net::encoded(call.key, "/"),
                    resource = "/" + access_.bucket + in_bucket;
  SignedParts parts{call.method, access_.by_path ? resource : in_bucket, call.query, call.headers};
  net::Request out{.url = scheme + "://" + host + parts.path,
                   .headers = {},
                   .body = call.body,
                   .timeout = any_time,
                   .retries = access_.retries,
                   .method = call.method,
                   .most = most_of_an_answer,
                   .stall = access_.stall,
                   .patience = patience};
  if (!call.query.empty()) out.url += "?" + encoded_query(call.query);
  if (call.into) out.into = call.into();
  if (out.into.from > 0) parts.headers["range"] = "bytes=" + std::to_string(out.into.from) + "-";
  if (call.has_body()) {
    parts.headers["content-type"] = "application/octet-stream";
    parts.headers["content-md5"] = base64(call.body_md5);
  }
  parts.headers["host"] = host_header(scheme, host);
  const std::string proof = access_.service == ObjectService::s3 ? s3_proof(parts, call.body_sha256, when)
                                                                 : obs_proof(parts, resource, when);
  parts.headers.erase("host");
  for (const auto& [name, value] : parts.headers) out.headers.push_back(name + ": " + value);
  out.headers.push_back("Authorization: " + proof);
  return out;
}

// Add what is signed to the headers, and return the signature.
std::string ObjectStore::s3_proof(SignedParts& parts, const std::string& body_sha256, Moment when) const {
  const std::string time = basic_time(when);
  parts.headers["x-amz-date"] = time;
  parts.headers["x-amz-content-sha256"] = body_sha256;
  if (!access_.credentials.token.empty()) parts.headers["x-amz-security-token"] = access_.credentials.token;
  return sigv4_authorization(parts, body_sha256, access_.credentials, {access_.region, "s3", time});
}

std::string ObjectStore::obs_proof(SignedParts& parts, const std::string& resource, Moment when) const {
  parts.headers["date"] = http_time(when);
  if (!access_.credentials.token.empty()) parts.headers["x-obs-security-token"] = access_.credentials.token;
  return obs_authorization(obs_string_to_sign(parts, resource), access_.credentials);
}

// Signatures hold for some minutes around the server's time.
bool ObjectStore::corrects_clock(const net::Response& answer) {
  const std::optional<Moment> told = net::parse_http_time(answer.header("date"));
  if (answer.status != forbidden || !told) return false;
  const std::int64_t behind = std::chrono::duration_cast<std::chrono::seconds>(*told - now_()).count();
  const bool is_skewed = read_error(answer.body).code == "RequestTimeTooSkewed" ||
                         std::abs(behind - clock_is_behind_) > tolerated_skew_s;
  if (!is_skewed || behind == clock_is_behind_) return false;
  clock_is_behind_ = behind;
  return true;
}

Stored<net::Response> ObjectStore::ask(Call call) {
  if (call.has_body() && call.body_md5.empty()) call.body_md5 = md5(call.body);
  if (access_.service == ObjectService::s3) call.body_sha256 = fs::sha256(call.body);
  const auto next = [&] { return request(call, now_() + std::chrono::seconds(clock_is_behind_)); };
  Result<net::Response> answer = net::send(next, stop_);
  if (answer && corrects_clock(*answer)) answer = net::send(next, stop_);
  return checked(call, answer);
}

Stored<net::Response> ObjectStore::checked(const Call& call, const Result<net::Response>& answer) const {
  const auto failed = [&](Failing kind, const std::string& what) {
    return tl::unexpected(error(call.key, kind, what));
  };
  if (!answer) return failed(Failing::failed, answer.error().message);
  if (is_good(answer->status)) return *answer;
  const ErrorAnswer told = told_by(answer->body);
  const std::string code = told.code.empty() ? "" : " " + told.code;
  const std::string host = host_in(access_.endpoint);
  if (answer->status == not_found && told.code != "NoSuchUpload")
    return failed(Failing::absent,
                  told.code == "NoSuchBucket" ? "there is no such bucket" : "there is no such object");
  if (answer->status == forbidden || answer->status == unauthorized)
    return failed(Failing::refused, host + " refuses the credentials of " + access_.credentials.source + ":" +
                                        (code.empty() ? " " + std::to_string(answer->status) : code));
  const bool is_conditional = call.headers.contains("if-none-match");
  if (is_conditional && (answer->status == changed || answer->status == conflict))
    return failed(Failing::taken, "is there already");
  if (is_conditional && answer->status == not_implemented)
    return failed(Failing::unable, "the store takes no conditions");
  if (answer->status == changed)
    return failed(Failing::failed, "it changed while it was read; read it again");
  return failed(Failing::failed, host + " answers " + std::to_string(answer->status) + code +
                                     (told.message.empty() ? "" : ": " + told.message));
}

Stored<Object> ObjectStore::head(const std::string& key) {
  GATE_TRY(const net::Response answer, ask({.method = "HEAD", .key = key}));
  Object object{key, 0, answer.header("last-modified"), without_quotes(answer.header("etag"))};
  const auto size = parse_integer(answer.header("content-length"));
  if (!size || *size < 0)
    return tl::unexpected(error(key, Failing::failed, "the store does not tell how long it is"));
  object.size = static_cast<std::uintmax_t>(*size);
  const auto part = parse_integer(answer.header(meta("part")));
  if (part && *part >= static_cast<std::int64_t>(usual_part))
    object.part = static_cast<std::uintmax_t>(*part);
  object.maker = answer.header(meta("maker"));
  object.is_etag_digest = is_etag_digest(answer);
  return object;
}

Stored<std::vector<Object>> ObjectStore::list(const std::string& prefix, std::size_t most) {
  const bool by_token = access_.service == ObjectService::s3;
  const auto failed = [&](const std::string& what) {
    return tl::unexpected(error(prefix, Failing::failed, what));
  };
  std::vector<Object> all;
  std::string next;
  int empty_pages = 0;
  do {
    Call call{.method = "GET", .key = "", .query = {{"prefix", prefix}, {"max-keys", "1000"}}};
    if (by_token) call.query.emplace_back("list-type", "2");
    if (!next.empty()) call.query.emplace_back(by_token ? "continuation-token" : "marker", next);
    GATE_TRY(const net::Response answer, ask(call));
    const Result<ListAnswer> page = read_list(answer.body, by_token);
    if (!page) return failed(page.error().message);
    empty_pages = page->objects.empty() ? empty_pages + 1 : 0;
    if ((page->next == next && !next.empty()) || empty_pages > most_empty_pages)
      return failed("the list does not end");
    all.insert(all.end(), page->objects.begin(), page->objects.end());
    if (all.size() > most)
      return failed("more than " + std::to_string(most) + " objects; name a longer prefix");
    next = page->next;
  } while (!next.empty());
  for (const Object& object : all)
    if (!object.key.starts_with(prefix)) return failed("the list has an object of another prefix");
  return all;
}

Stored<void> ObjectStore::remove(const std::string& key) {
  const Stored<net::Response> answer = ask({.method = "DELETE", .key = key});
  if (answer || answer.error().kind == Failing::absent) return {};
  return tl::unexpected(answer.error());
}

}  // namespace gate::objects
