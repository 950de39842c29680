// Which files a script reads in, as far as its text tells it.
#include "gate/config/sourced_files.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>

namespace gate::config::sourced_files_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourcedFiles, AreNamedBehindADotOrSource) {
  EXPECT_THAT(sourced_files("set -e\n. ./env.sh\nsource lib/a.sh && . lib/b.sh arg; echo .\n"),
              ElementsAre("./env.sh", "lib/a.sh", "lib/b.sh"));
  EXPECT_THAT(sourced_files("if [ -f x ]; then source x; fi"), ElementsAre("x"));
  EXPECT_THAT(sourced_files(". '/opt/tool kit/set_env.sh'"), ElementsAre("/opt/tool")) << "a blank ends it";
}

TEST(SourcedFiles, BeginWithWhatAShellKnows) {
  for (const char* start :
       {"$(dirname $0)/", "\"$(dirname \"$0\")/", "${BASH_SOURCE%/*}/", "\"${HERE}/", "$HERE/",
        "\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)/", "`dirname $0`/"})
    EXPECT_THAT(sourced_files("source " + std::string(start) + "../common/env.sh\""),
                ElementsAre("../common/env.sh"))
        << start;
}

TEST(SourcedFiles, AreNoneWhereNothingIsWritten) {
  for (const char* script : {"", "# . env.sh", "source $FILE", ". \"$1\"", "cp a .", "source",
                             "find . -name a.sh", "echo ./source env.sh"})
    EXPECT_THAT(sourced_files(script), testing::Not(testing::Contains("env.sh"))) << script;
  EXPECT_THAT(sourced_files("source $FILE"), IsEmpty());
}

TEST(SourcedFiles, TheirTextsTakeThePlaceOfTheLines) {
  const auto read = [](const std::string& path, bool is_beside) -> std::optional<std::string> {
    return path == "no.sh" ? std::nullopt : std::optional((is_beside ? "beside " : "") + path + "\nB=1");
  };
  const std::map<std::string, std::string> expected{
      {"", "\n"},
      {"a\nb", "a\nb\n"},
      {"a\n", "a\n\n"},
      {". x.sh", "x.sh\nB=1\n"},
      {". x.sh\nsource y.sh\n", "x.sh\nB=1\ny.sh\nB=1\n\n"},
      {"a\n  . $(dirname \"$0\")/x.sh\n. no.sh\nz", "a\nbeside x.sh\nB=1\n. no.sh\nz\n"}};
  for (const auto& [script, all] : expected) EXPECT_EQ(with_sourced_files(script, read), all) << script;
}

}  // namespace
}  // namespace gate::config::sourced_files_test
