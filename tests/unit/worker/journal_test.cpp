#include "worker/journal.h"

#include <gmock/gmock.h>

#include "../temporary.h"

namespace gate::worker::journal_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

const Moment moment = *parse_iso("2026-11-21T02:03:04Z");

TestOrder order(const std::string& id, const std::string& model = "7", const std::string& commit = "c1") {
  TestOrder made;
  made.id = {id, false};
  made.model = {model, true};
  made.commit = commit;
  made.device = "npu";
  made.variables = {{"MODEL_NAME", "qwen"}};
  return made;
}

StopOrder stop_of(const std::string& id) { return {id, "", "", "the hub asked for it"}; }
StopOrder stop_of_model(const std::string& model, const std::string& commit) {
  return {"", model, commit, "its repository was deleted"};
}
MessagePlace at(std::int64_t timestamp) { return {"topic", 0, 0, timestamp}; }

class JournalTest : public Temporary {
 protected:
  void open() {
    journal_.reset();
    auto opened = Journal::open(root / "deep/journal.sqlite");
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    journal_ = *std::move(opened);
  }
  void SetUp() override { open(); }

  HubTest add(const TestOrder& wanted, const MessagePlace& place = {}) {
    const auto added = journal_->add(wanted, place, moment);
    EXPECT_TRUE(added && *added);
    return added && *added ? **added : HubTest{};
  }
  TestState state_of(const std::string& id) {
    const std::vector<HubTest> all = *journal_->untold(100, {}, moment);
    for (const HubTest& test : all)
      if (test.order.id.text == id) return test.state;
    return TestState::create_failed;
  }

  std::unique_ptr<Journal> journal_;
};

TEST_F(JournalTest, ABrokenOneIsCalledSo) {
  journal_.reset();
  const fs::Path file = root / "deep/journal.sqlite";
  const auto trouble = [&] {
    const auto opened = Journal::open(file);
    const auto counted = opened ? (*opened)->counts().map([](auto) {}) : tl::unexpected(opened.error());
    return counted ? "" : counted.error().message;
  };
  const std::string advice = "; the journal is broken: move it away";
  ASSERT_TRUE(fs::write_file(file, std::string(5000, 'x')));
  EXPECT_THAT(trouble(), HasSubstr(file.string() + ": file is not a database" + advice));
  std::filesystem::remove(file);
  open();
  journal_.reset();
  std::string text = *fs::read_file(file);
  text.replace(4096, text.size() - 4096, text.size() - 4096, 'x');
  ASSERT_TRUE(fs::write_file(file, text));
  EXPECT_THAT(trouble(), HasSubstr(file.string() + ": database disk image is malformed" + advice));
}

TEST_F(JournalTest, KeepsATestAsItWasAskedFor) {
  HubTest test = add(order("a"));
  test.result = {true,       0.5,  "BLEU",     ">= 0.75", "output.txt", "execution.log",
                 "s3://b/x", "71", "so it is", true};
  test.tries = 2;
  test.is_to_stop = true;
  ASSERT_TRUE(journal_->save(test));
  ASSERT_TRUE(journal_->advance(test, TestEvent::dispatched, moment));
  open();
  const auto running = journal_->running();
  ASSERT_THAT(*running, SizeIs(1));
  const HubTest& read = running->front();
  EXPECT_EQ(read.order.id, (WireId{"a", false}));
  EXPECT_EQ(read.order.model, (WireId{"7", true}));
  EXPECT_EQ(read.order.variables.at("MODEL_NAME"), "qwen");
  EXPECT_EQ(read.state, TestState::downloading);
  EXPECT_EQ(read.before, TestState::pending);
  EXPECT_EQ(read.tries, 2);
  EXPECT_TRUE(read.is_to_stop);
  EXPECT_EQ(read.result.passed, true);
  EXPECT_EQ(read.result.value, 0.5);
  EXPECT_EQ(read.result.baseline, "s3://b/x");
  EXPECT_EQ(read.result.job, "71");
  EXPECT_EQ(read.result.reason, "so it is");
  EXPECT_EQ(read.changed, "2026-11-21T02:03:04Z");
  EXPECT_EQ(read.version, 2);
}

TEST_F(JournalTest, TakesEachIdOnce) {
  add(order("a"));
  EXPECT_FALSE(journal_->add(order("a"), {}, moment)->has_value());
}

TEST_F(JournalTest, LinksATestToTheOneBeforeIt) {
  const HubTest first = add(order("a"));
  EXPECT_EQ(first.retry_of, 0);
  EXPECT_EQ(add(order("b")).retry_of, first.number);
  EXPECT_EQ(add(order("c", "8")).retry_of, 0);
}

TEST_F(JournalTest, DoesNotChangeAStateAgainstItsWays) {
  HubTest test = add(order("a"));
  EXPECT_FALSE(journal_->advance(test, TestEvent::passed, moment));
  EXPECT_EQ(test.state, TestState::pending);
  EXPECT_EQ(state_of("a"), TestState::pending);
}

TEST_F(JournalTest, StopsATestThatCameBeforeItsStop) {
  add(order("a"));
  add(order("b"));
  const auto stopped = journal_->stop(stop_of("a"), {}, moment);
  ASSERT_THAT(*stopped, SizeIs(1));
  EXPECT_EQ(stopped->front().order.id.text, "a");
  EXPECT_THAT(*journal_->stop(stop_of("unknown"), {}, moment), IsEmpty());
}

TEST_F(JournalTest, StopsATestThatComesBehindItsStop) {
  ASSERT_TRUE(journal_->stop(stop_of("a"), at(1000), moment));
  EXPECT_EQ(add(order("a"), at(5000)).state, TestState::stopped);
  EXPECT_EQ(add(order("b")).state, TestState::pending);
  // By id a stop is for no model of that name.
  EXPECT_EQ(add(order("c", "a")).state, TestState::pending);
}

TEST_F(JournalTest, StopsWhatIsNotYoungerOfAModel) {
  ASSERT_TRUE(journal_->stop(stop_of_model("7", "c1"), at(1000), moment));
  EXPECT_EQ(add(order("older"), at(999)).state, TestState::stopped);
  EXPECT_EQ(add(order("younger"), at(1001)).state, TestState::pending);
  EXPECT_EQ(add(order("undated")).state, TestState::stopped);
  EXPECT_EQ(add(order("other", "7", "c2"), at(999)).state, TestState::pending);
  EXPECT_EQ(add(order("another", "8"), at(999)).state, TestState::pending);
}

TEST_F(JournalTest, StopsAllCommitsOfAModel) {
  ASSERT_TRUE(journal_->stop(stop_of_model("7", ""), at(1000), moment));
  EXPECT_EQ(add(order("older"), at(999)).state, TestState::stopped);
  EXPECT_EQ(add(order("younger"), at(1001)).state, TestState::pending);
  // Nothing tells whether it is one that was meant.
  EXPECT_EQ(add(order("undated")).state, TestState::pending);
}

TEST_F(JournalTest, KnowsWhatTheHubIsToBeTold) {
  HubTest test = add(order("a"));
  add(order("b"));
  EXPECT_EQ(*journal_->count_untold(), 2);
  ASSERT_TRUE(journal_->told(test.number, test.version));
  EXPECT_EQ(*journal_->count_untold(), 1);
  ASSERT_TRUE(journal_->advance(test, TestEvent::dispatched, moment));
  EXPECT_EQ(*journal_->count_untold(), 2);
  ASSERT_TRUE(journal_->told(test.number, test.version - 1));
  EXPECT_EQ(*journal_->count_untold(), 2);
  EXPECT_THAT(*journal_->untold(10, {test.number}, moment), SizeIs(1));
  EXPECT_THAT(*journal_->untold(1, {}, moment), SizeIs(1));
}

TEST_F(JournalTest, PutsOffWhatTheHubRefuses) {
  HubTest test = add(order("a"));
  add(order("b"));
  const auto ids_at = [&](Moment when) {
    std::string ids;
    const std::vector<HubTest> all = *journal_->untold(10, {}, when);
    for (const HubTest& one : all) ids += one.order.id.text;
    return ids;
  };
  ASSERT_TRUE(journal_->tell_later(test.number, moment));
  EXPECT_EQ(ids_at(moment), "b");
  EXPECT_EQ(ids_at(moment + Duration{250}), "ba");
  ASSERT_TRUE(journal_->tell_later(test.number, moment));
  EXPECT_EQ(ids_at(moment + Duration{499}), "b");
  // What is new of it is told at once.
  ASSERT_TRUE(journal_->advance(test, TestEvent::dispatched, moment));
  EXPECT_EQ(ids_at(moment), "ab");
}

TEST_F(JournalTest, GivesWhatWaitsByDevice) {
  add(order("a"));
  TestOrder cpu = order("b");
  cpu.device = "";
  add(cpu);
  add(order("c"));
  EXPECT_THAT(*journal_->waiting_devices(), UnorderedElementsAre("", "npu"));
  const auto waiting = journal_->waiting("npu", 1);
  ASSERT_THAT(*waiting, SizeIs(1));
  EXPECT_EQ(waiting->front().order.id.text, "a");
  EXPECT_THAT(*journal_->counts(), UnorderedElementsAre(Pair(TestState::pending, 3)));
}

TEST_F(JournalTest, WritesAllOrNothing) {
  const Status done = journal_->together([&]() -> Status {
    add(order("a"));
    return fail("the queue is gone");
  });
  EXPECT_EQ(done.error().message, "the queue is gone");
  EXPECT_THAT(*journal_->counts(), IsEmpty());
}

TEST_F(JournalTest, IsOneWorkersAlone) {
  const auto second = Journal::open(root / "deep/journal.sqlite");
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("another worker has this journal"));
}

TEST_F(JournalTest, ForgetsWhatEndedAndIsTold) {
  HubTest told = add(order("a")), untold = add(order("b"));
  add(order("c"));
  for (HubTest* test : {&told, &untold}) ASSERT_TRUE(journal_->advance(*test, TestEvent::stopped, moment));
  ASSERT_TRUE(journal_->told(told.number, told.version));
  EXPECT_THAT(*journal_->forget(moment, 10), IsEmpty());
  EXPECT_THAT(*journal_->forget(moment + std::chrono::seconds(1), 10), ElementsAre(told.number));
  EXPECT_THAT(*journal_->untold(10, {}, moment), SizeIs(2));
}

TEST_F(JournalTest, RemembersWhatWasPutAside) {
  const MessagePlace place{"t", 1, 2, 0};
  EXPECT_FALSE(*journal_->is_aside(place, "x"));
  ASSERT_TRUE(journal_->put_aside(place, "x", "is no JSON", moment));
  EXPECT_TRUE(*journal_->is_aside(place, "x"));
  EXPECT_FALSE(*journal_->is_aside({"t", 1, 3, 0}, "x"));
  // Another one, of a topic that was made anew.
  EXPECT_FALSE(*journal_->is_aside(place, "y"));
}

}  // namespace
}  // namespace gate::worker::journal_test
