#include "net/curl_library.h"

#include <dlfcn.h>

#include <optional>

namespace gate::net {

namespace {

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* library, Curl& c) {
  return find(library, "curl_global_init", c.global_init) && find(library, "curl_easy_init", c.easy_init) &&
         find(library, "curl_easy_setopt", c.easy_setopt) &&
         find(library, "curl_easy_perform", c.easy_perform) &&
         find(library, "curl_easy_getinfo", c.easy_getinfo) &&
         find(library, "curl_easy_cleanup", c.easy_cleanup) &&
         find(library, "curl_slist_append", c.slist_append) &&
         find(library, "curl_slist_free_all", c.slist_free_all) && find(library, "curl_version", c.version);
}

std::optional<Curl> load() {
  void* library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  Curl c{};
  if (library == nullptr || !find_all(library, c)) return std::nullopt;
  find(library, "X509_verify_cert_error_string", c.certificate_error);
  if (c.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return std::nullopt;
  return c;
}

}  // namespace

const Curl* curl() {
  static const std::optional<Curl> library = load();
  return library ? &*library : nullptr;
}

}  // namespace gate::net
