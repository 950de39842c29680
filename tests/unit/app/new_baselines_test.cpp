// RUN_AS_BASELINE: whatever is where a baseline is to be, and whoever put it there, stays.
#include <gmock/gmock.h>

#include "gate/suite/accuracy_test.h"
#include "made_up_host.h"
#include "made_up_objects.h"

namespace gate::app::new_baselines_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

enum class Kind : std::uint8_t { nothing, file, folder, link, link_to_nowhere, object };
enum class Bytes : std::uint8_t { equal, other };
enum class By : std::uint8_t { nobody, same_test, other_test };
enum class When : std::uint8_t { before_launch, while_it_runs };

constexpr const char* new_bytes = "a b c\n";

struct Taken {
  Kind kind;
  Bytes bytes;
  By by;
  When when;

  std::string text() const { return bytes == Bytes::equal ? new_bytes : "of somebody\n"; }
  bool has_bytes() const { return kind == Kind::file || kind == Kind::link || kind == Kind::object; }
  bool is_good() const {
    if (kind == Kind::nothing || by == By::same_test) return true;
    return when == When::while_it_runs && has_bytes() && bytes == Bytes::equal;
  }
  bool is_launched() const { return is_good() || when == When::while_it_runs; }
  std::string words() const {
    const auto number = [](auto one) { return std::to_string(static_cast<int>(one)); };
    return "kind " + number(kind) + ", bytes " + number(bytes) + ", by " + number(by) + ", when " +
           number(when);
  }
};

std::vector<Taken> all_ways() {
  std::vector<Taken> all;
  for (const Kind kind :
       {Kind::nothing, Kind::file, Kind::folder, Kind::link, Kind::link_to_nowhere, Kind::object})
    for (const Bytes bytes : {Bytes::equal, Bytes::other})
      for (const By by : {By::nobody, By::same_test, By::other_test})
        for (const When when : {When::before_launch, When::while_it_runs})
          // What gate makes are files and objects.
          if (by == By::nobody || kind == Kind::file || kind == Kind::object)
            all.push_back({kind, bytes, by, when});
  return all;
}

class NewBaselines : public MadeUpHost {
 protected:
  NewBaselines() {
    objects = store;
    script("answers");
  }

  // Where the baseline is to be: below the folder or the prefix.
  void to(const std::string& place) {
    policy("[suite]\ncwd = \"scripts\"\n[case.answers]\naccuracy_test = true\nstages.upload.baselines = \"" +
           place + "\"\noutputs.answer = { file = \"" + (root / "scripts/answer.txt").string() +
           "\", golden = \"golden.txt\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  }

  // Run a test that writes the text, and does that first.
  Report made(
      const std::string& text, const std::string& test_id, const std::function<void()>& meanwhile = [] {}) {
    Play play{""};
    play.meanwhile = [=, this] {
      put("scripts/answer.txt", text);
      meanwhile();
    };
    runner.forget();
    runner.plays("answers", {play});
    Answer<Suite> suite = open_suite({root, {}, {}});
    const Answer<void> taken = suite.and_then([&](Suite& one) {
      return take_accuracy_contract(one,
                                    {{"MODEL_OWNER", "hub"},
                                     {"MODEL_NAME", "m"},
                                     {"RUN_AS_BASELINE", "true"},
                                     {"ACCURACY_TEST_ID", test_id}},
                                    {});
    });
    EXPECT_TRUE(taken) << taken.error().message;
    if (!taken) return {};
    Environment environment = this->environment();
    environment.objects = objects;
    return app::run(*suite, {}, environment).value_or(Report{});
  }

  // Put it there, of another hand.
  void put_there(const Taken& taken) {
    const fs::Path place = root / "kept/answer.txt";
    if (taken.kind == Kind::file) put("kept/answer.txt", taken.text());
    if (taken.kind == Kind::folder) put("kept/answer.txt/x", taken.text());
    if (taken.kind == Kind::object) store->all["s3://b/kept/answer.txt"] = taken.text();
    if (taken.kind == Kind::link) put("elsewhere", taken.text());
    if (taken.kind == Kind::link || taken.kind == Kind::link_to_nowhere) {
      EXPECT_TRUE(fs::make_folder(place.parent_path()));
      std::filesystem::create_symlink(root / (taken.kind == Kind::link ? "elsewhere" : "nowhere"), place);
    }
  }

  // All that is there, with what it leads to.
  std::string there() const {
    std::string all;
    for (const auto& [url, text] : store->all) all += url + " " + text;
    const fs::Listing listing = fs::list_below(root / "kept");
    for (const std::string& name : listing.others) all += name + " leads nowhere\n";
    for (const std::string& name : listing.files) {
      if (name.ends_with(".made")) continue;
      const fs::Path path = root / "kept" / name;
      all += (std::filesystem::is_symlink(path) ? "link " : "file ") + name + " " +
             fs::read_file(path).value_or("");
    }
    return all;
  }

  void forget() {
    std::filesystem::remove_all(root / "kept");
    std::filesystem::remove_all(root / "aside");
    store->all.clear();
    store->makers.clear();
  }

  // Have gate make it in an earlier run, and show it when that is due.
  Report second(const Taken& taken, const std::string& test_id, std::string& before) {
    made(taken.text(), taken.by == By::same_test ? test_id : "another");
    before = there();
    if (taken.when == When::before_launch) return made(new_bytes, test_id);
    const auto all = std::exchange(store->all, {});
    if (fs::exists(root / "kept")) std::filesystem::rename(root / "kept", root / "aside");
    return made(new_bytes, test_id, [&] {
      store->all = all;
      if (!fs::exists(root / "aside")) return;
      std::filesystem::remove_all(root / "kept");
      std::filesystem::rename(root / "aside", root / "kept");
    });
  }

  Report first(const Taken& taken, const std::string& test_id, std::string& before) {
    const auto put_it = [&] {
      put_there(taken);
      before = there();
    };
    if (taken.when == When::while_it_runs) return made(new_bytes, test_id, put_it);
    put_it();
    return made(new_bytes, test_id);
  }

  std::shared_ptr<MadeUpObjects> store = std::make_shared<MadeUpObjects>();
};

TEST_F(NewBaselines, ReplaceNothing) {
  for (const Taken& taken : all_ways())
    for (const std::string test_id : {"", "t1"}) {
      if (test_id.empty() && taken.by != By::nobody) continue;
      SCOPED_TRACE(taken.words() + ", test " + test_id);
      forget();
      to(taken.kind == Kind::object ? "s3://b/kept" : (root / "kept").string());
      std::string before;
      const Report report =
          taken.by == By::nobody ? first(taken, test_id, before) : second(taken, test_id, before);
      EXPECT_EQ(verdicts(report), taken.is_good() ? "answers passed" : "answers unjudged");
      EXPECT_THAT(runner.launched(), SizeIs(taken.is_launched() ? 1 : 0));
      if (taken.kind == Kind::nothing) {
        EXPECT_EQ(there(), "file answer.txt " + std::string(new_bytes));
        continue;
      }
      EXPECT_EQ(there(), before);
      EXPECT_FALSE(fs::exists(root / "nowhere"));
      const std::string name =
          taken.kind == Kind::object ? "s3://b/kept/answer.txt" : (root / "kept/answer.txt").string();
      EXPECT_THAT(report.cases[0].reason,
                  HasSubstr(name + (taken.is_good() ? "" : " is there already, and nothing replaces it")));
    }
}

TEST_F(NewBaselines, LeaveNoRecordBesideWhatIsOfOthers) {
  to((root / "kept").string());
  const Taken taken{Kind::file, Bytes::other, By::nobody, When::while_it_runs};
  made(new_bytes, "t1", [&] { put_there(taken); });
  EXPECT_THAT(fs::files_below(root / "kept"), testing::ElementsAre("answer.txt"));
}

// One that was made by this test, and is another one since, is not its own any more.
TEST_F(NewBaselines, AreTheirMakersAsTheyWereMade) {
  to((root / "kept").string());
  EXPECT_EQ(verdicts(made(new_bytes, "t1")), "answers passed");
  put("kept/answer.txt", "by hand\n");
  EXPECT_EQ(verdicts(made(new_bytes, "t1")), "answers unjudged");
  EXPECT_EQ(get("kept/answer.txt"), "by hand\n");
}

}  // namespace
}  // namespace gate::app::new_baselines_test
