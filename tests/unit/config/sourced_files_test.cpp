// Which files a script reads in, as far as its text tells it.
#include "gate/config/sourced_files.h"

#include <gmock/gmock.h>

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

}  // namespace
}  // namespace gate::config::sourced_files_test
