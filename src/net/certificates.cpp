#include "net/curl_config.h"

#include <cstdlib>

namespace gate::net {

std::string own_certificates() {
  for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* file = std::getenv(variable); file != nullptr && *file != '\0') return file;
  return "";
}

}  // namespace gate::net
