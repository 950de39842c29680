#include "cli/commands/build.h"

#include <expat.h>
#include <features.h>
#include <fmt/core.h>
#include <nettle/version.h>
#include <spdlog/version.h>
#include <sqlite3.h>
#include <toml++/toml.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <tl/expected.hpp>

#include "gate/base/text.h"

namespace gate::cli {

namespace {

std::string version_of(const std::vector<int>& parts) {
  return join(texts_of(parts, [&](const int part) { return std::to_string(part); }), ".");
}

// The number that a header has for a version, in decimal places of two digits.
std::string version_in_places(int number) {
  return version_of({number / 10000, number / 100 % 100, number % 100});
}

std::string compiler() {
#ifdef __clang__
  return "clang " + std::string(trim(__clang_version__));
#else
  return "g++ " __VERSION__;
#endif
}

// Of what is compiled in or linked, as its headers tell; those of RE2 tell nothing.
std::vector<std::pair<std::string, std::string>> libraries() {
  return {{"CLI11", CLI11_VERSION},
          {"nlohmann/json", version_of({NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                        NLOHMANN_JSON_VERSION_PATCH})},
          {"RE2", GATE_RE2_VERSION},
          {"spdlog", version_of({SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH})},
          {"fmt", version_in_places(FMT_VERSION)},
          {"tl::expected",
           version_of({TL_EXPECTED_VERSION_MAJOR, TL_EXPECTED_VERSION_MINOR, TL_EXPECTED_VERSION_PATCH})},
          {"toml++", version_of({TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH})},
          {"pugixml", version_of({PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100})},
          {"Expat", version_of({XML_MAJOR_VERSION, XML_MINOR_VERSION, XML_MICRO_VERSION})},
          {"zlib", ZLIB_VERSION},
          {"zstd", ZSTD_VERSION_STRING},
          {"SQLite", SQLITE_VERSION},
          {"libyaml", yaml_get_version_string()},
          {"Nettle", version_of({NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR})},
          {"uPlot", GATE_UPLOT_VERSION}};
}

}  // namespace

Build this_build() {
  return {.version = GATE_VERSION,
          .commit = std::string(build_commit),
          .kind = GATE_BUILD_KIND,
          .type = GATE_BUILD_TYPE,
          .sanitizers = GATE_SANITIZERS,
          .compiler = compiler(),
          .cpp_library = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE),
          .c_library = "glibc " + version_of({__GLIBC__, __GLIBC_MINOR__}),
          .architecture = GATE_ARCHITECTURE,
          .libraries = libraries()};
}

}  // namespace gate::cli
