// libcurl, loaded when something is to be sent: with the program it would more than double what a start
// costs, for it brings two dozen libraries along.
#pragma once

#include <curl/curl.h>

namespace gate::net {

struct Curl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_version) version;
  const char* (*certificate_error)(long);  // of OpenSSL; nullptr where libcurl is built on another library
};

// Return the library, ready to be used by several threads; nullptr where this host has none.
const Curl* curl();

}  // namespace gate::net
