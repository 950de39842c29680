#include "gate/objects/signing.h"

#include <algorithm>
#include <array>
#include <ctime>

#include "gate/base/base64.h"
#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/net/post.h"
#include "objects/digests.h"

namespace gate::objects {

namespace {

// Names of a query that OBS has signed.
constexpr std::array<std::string_view, 25> obs_subresources{
    "acl",      "append",    "cors",       "delete",       "lifecycle",  "location", "logging",
    "metadata", "modify",    "name",       "notification", "partNumber", "policy",   "position",
    "quota",    "rename",    "restore",    "storageClass", "tagging",    "truncate", "uploadId",
    "uploads",  "versionId", "versioning", "versions"};

std::string formatted(Moment moment, const char* format) {
  const std::time_t time = std::chrono::system_clock::to_time_t(moment);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

std::string names_of(const std::map<std::string, std::string>& headers) {
  std::string names;
  for (const auto& [name, value] : headers) names += (names.empty() ? "" : ";") + name;
  return names;
}

std::string scope_words(const Sigv4Scope& scope) {
  return scope.time.substr(0, scope.time.find('T')) + "/" + scope.region + "/" + scope.service +
         "/aws4_request";
}

}  // namespace

std::string encoded_query(const Query& query) {
  Query words;
  for (const auto& [name, value] : query) words.emplace_back(net::encoded(name), net::encoded(value));
  std::ranges::sort(words);
  std::string out;
  for (const auto& [name, value] : words) out += (out.empty() ? "" : "&") + name + "=" + value;
  return out;
}

std::string basic_time(Moment moment) { return formatted(moment, "%Y%m%dT%H%M%SZ"); }

// Gate never sets a locale: the names are English.
std::string http_time(Moment moment) { return formatted(moment, "%a, %d %b %Y %H:%M:%S GMT"); }

std::string sigv4_canonical_request(const SignedParts& parts, std::string_view body_sha256) {
  std::string text = parts.method + "\n" + parts.path + "\n" + encoded_query(parts.query) + "\n";
  for (const auto& [name, value] : parts.headers) text += name + ":" + std::string(trim(value)) + "\n";
  return text + "\n" + names_of(parts.headers) + "\n" + std::string(body_sha256);
}

std::string sigv4_authorization(const SignedParts& parts, std::string_view body_sha256,
                                const Credentials& credentials, const Sigv4Scope& scope) {
  const std::string words = scope_words(scope);
  const std::string text = "AWS4-HMAC-SHA256\n" + scope.time + "\n" + words + "\n" +
                           fs::sha256(sigv4_canonical_request(parts, body_sha256));
  std::string key = "AWS4" + credentials.secret_key;
  for (const std::string_view part : split(words, '/')) key = hmac_sha256(key, part);
  return "AWS4-HMAC-SHA256 Credential=" + credentials.access_key + "/" + words +
         ", SignedHeaders=" + names_of(parts.headers) + ", Signature=" + hex(hmac_sha256(key, text));
}

std::string obs_string_to_sign(const SignedParts& parts, std::string_view resource) {
  std::string text = parts.method;
  for (const char* header : {"content-md5", "content-type", "date"})
    text += "\n" + value_under(parts.headers, header);
  text += "\n";
  for (const auto& [name, value] : parts.headers)
    if (name.starts_with("x-obs-")) text += name + ":" + std::string(trim(value)) + "\n";
  text += resource;
  Query query = parts.query;
  std::ranges::sort(query);
  char joint = '?';
  for (const auto& [name, value] : query) {
    if (std::ranges::find(obs_subresources, name) == obs_subresources.end()) continue;
    text += joint + name + (value.empty() ? "" : "=" + value);
    joint = '&';
  }
  return text;
}

std::string obs_authorization(std::string_view string_to_sign, const Credentials& credentials) {
  return "OBS " + credentials.access_key + ":" + base64(hmac_sha1(credentials.secret_key, string_to_sign));
}

}  // namespace gate::objects
