#include <algorithm>
#include <system_error>

#include "net/certificates.h"
#include "net/curl_codes.h"
#include "net/curl_library.h"
#include "net/exchange.h"

namespace gate::net {

namespace {

// Behind what is kept of the answer nothing is read any more.
std::size_t take(char* bytes, std::size_t, std::size_t count, void* into) {
  std::string& body = *static_cast<std::string*>(into);
  const std::size_t kept = std::min(count, most_of_an_answer - body.size());
  body.append(bytes, kept);
  return kept;
}

int told_to_stop(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return (*static_cast<const Stop*>(stop))() ? 1 : 0;
}

class Transfer {
 public:
  Transfer(const Curl& curl, const Request& request);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Exchange run(Duration limit, const Stop& stop);

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    curl_.easy_setopt(handle_, option, value);
  }
  void guard();
  Exchange answer();
  std::string detail_of(CURLcode code);

  const Curl& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  std::string body_;
};

Transfer::Transfer(const Curl& curl, const Request& request) : curl_(curl), handle_(curl.easy_init()) {
  if (handle_ == nullptr) return;
  for (const std::string& header : request.headers) headers_ = curl_.slist_append(headers_, header.c_str());
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_HTTPHEADER, headers_);
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  set(CURLOPT_POSTFIELDS, request.body.data());
  set(CURLOPT_USERAGENT, "gate/" GATE_VERSION);
  set(CURLOPT_WRITEFUNCTION, &take);
  set(CURLOPT_WRITEDATA, &body_);
  guard();
}

Transfer::~Transfer() {
  curl_.easy_cleanup(handle_);
  curl_.slist_free_all(headers_);
}

// A name server that does not answer holds nobody up: its thread is left behind.
void Transfer::guard() {
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  if (const std::string file = own_certificates(); !file.empty()) set(CURLOPT_CAINFO, file.c_str());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);
}

Exchange Transfer::run(Duration limit, const Stop& stop) {
  if (handle_ == nullptr) return {Exchange::End::hopeless, {}, {}, "libcurl does not start"};
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(std::max<Duration::rep>(1, limit.count())));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &told_to_stop);
  set(CURLOPT_XFERINFODATA, const_cast<Stop*>(&stop));
  const CURLcode code = curl_.easy_perform(handle_);
  const bool enough = code == CURLE_WRITE_ERROR && body_.size() == most_of_an_answer;
  return code == CURLE_OK || enough ? answer() : failure_of(code, detail_of(code));
}

Exchange Transfer::answer() {
  long status = 0;
  curl_off_t wait = 0;
  curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  curl_.easy_getinfo(handle_, CURLINFO_RETRY_AFTER, &wait);
  wait = std::clamp<curl_off_t>(wait, 0, longest_retry_after.count());
  return {
      Exchange::End::answered, {static_cast<int>(status), std::move(body_)}, std::chrono::seconds(wait), ""};
}

// Of libcurl's own longer words nothing is taken.
std::string Transfer::detail_of(CURLcode code) {
  long number = 0;
  if (code == CURLE_PEER_FAILED_VERIFICATION) {
    curl_.easy_getinfo(handle_, CURLINFO_SSL_VERIFYRESULT, &number);
    const bool told = number != 0 && curl_.certificate_error != nullptr;
    return told ? curl_.certificate_error(number) : "";
  }
  curl_.easy_getinfo(handle_, CURLINFO_OS_ERRNO, &number);
  return number == 0 ? "" : std::generic_category().message(static_cast<int>(number));
}

Status can_load() {
  if (curl() == nullptr) return fail("libcurl.so.4 does not load on this host; install libcurl4");
  return {};
}

Result<std::string> loaded_version() {
  GATE_TRY_STATUS(can_load());
  return "libcurl " + version_in(curl()->version());
}

Exchange exchange_by_library(const Request& request, Duration limit, const Stop& stop) {
  const Curl* library = curl();
  if (library == nullptr) return {Exchange::End::hopeless, {}, {}, "there is no libcurl"};
  return Transfer(*library, request).run(limit, stop);
}

}  // namespace

const Transport curl_library{can_load, loaded_version, exchange_by_library};

}  // namespace gate::net
