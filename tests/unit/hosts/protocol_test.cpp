#include "gate/hosts/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::hosts::protocol_test {
namespace {

const std::string hostile = "a b'\"$(touch x)\n--\xff";

// What is behind is left for the next reader.
template <class T, class Read>
T read_back(const T& value, Read read) {
  Frame message{"verb"};
  add(message, value);
  message.emplace_back("behind");
  WordReader words(message, 1);
  const T back = read(words);
  EXPECT_EQ(words.text(), "behind");
  EXPECT_TRUE(words.is_good());
  return back;
}

TEST(Protocol, CarriesCommands) {
  const launch::Command command{{"bash", hostile, ""},
                                {{"A", hostile}, {"B", ""}},
                                "/tmp/" + hostile,
                                "setup " + hostile,
                                "run.case.1",
                                {"podman", hostile},
                                {hostile, "/data"},
                                "/s/" + hostile,
                                "5f2c",
                                "/scratch/pytest-1",
                                {"aside-1", {{"/suite", "out/*.txt"}, {hostile, "a"}}, {hostile}}};
  const launch::Command back = read_back(command, read_command);
  EXPECT_EQ(back.argv, command.argv);
  EXPECT_EQ(back.env, command.env);
  EXPECT_EQ(back.cwd, command.cwd);
  EXPECT_EQ(back.setup, command.setup);
  EXPECT_EQ(back.cookie, command.cookie);
  EXPECT_EQ(back.at_kill, command.at_kill);
  EXPECT_EQ(back.needs, command.needs);
  EXPECT_EQ(back.script, command.script);
  EXPECT_EQ(back.script_sha256, command.script_sha256);
  EXPECT_EQ(back.watched, command.watched);
  EXPECT_EQ(back.asides.journal, command.asides.journal);
  EXPECT_EQ(back.asides.places, command.asides.places);
  EXPECT_EQ(back.asides.kept, command.asides.kept);
}

TEST(Protocol, CarriesStates) {
  for (const std::optional<Outcome>& ended :
       {std::optional<Outcome>(), std::optional<Outcome>(Exited{3}), std::optional<Outcome>(Killed{9}),
        std::optional<Outcome>(NotStarted{hostile}), std::optional<Outcome>(Vanished{"gone"}),
        std::optional<Outcome>(ScriptChanged{hostile})}) {
    const ProcessState back = read_back(ProcessState{true, ended, true, 1'000'000'000'000}, read_state);
    EXPECT_TRUE(back.started);
    EXPECT_EQ(back.ended, ended);
    EXPECT_TRUE(back.empty);
    EXPECT_EQ(back.size, 1'000'000'000'000);
  }
  EXPECT_FALSE(read_back(ProcessState{}, read_state).started);
}

TEST(Protocol, CarriesAnswersOfTools) {
  const ToolAnswer back = read_back(ToolAnswer{hostile, "e", 7, "", false}, read_tool_answer);
  EXPECT_EQ(back.output, hostile);
  EXPECT_EQ(back.errors, "e");
  EXPECT_EQ(back.exit_code, 7);
  const ToolAnswer none = read_back(ToolAnswer{"", "", std::nullopt, "late", true}, read_tool_answer);
  EXPECT_EQ(none.exit_code, std::nullopt);
  EXPECT_EQ(none.failure, "late");
  EXPECT_TRUE(none.missing);
}

TEST(Protocol, CarriesWhatHostsTell) {
  Hello hello{{"host a", {{"ascend", 8}}, {"weak"}, "24.1", "CANN 8", "7.3", "5.10"},
              "/leases",
              "/sessions/1",
              {{"CUDA_VISIBLE_DEVICES", "0"}}};
  const Hello back = read_back(hello, read_hello);
  EXPECT_EQ(back.facts.name, "host a");
  EXPECT_EQ(back.facts.device_nodes, hello.facts.device_nodes);
  EXPECT_EQ(back.facts.weaknesses, hello.facts.weaknesses);
  EXPECT_EQ(back.facts.driver, "24.1");
  EXPECT_EQ(back.facts.toolkit, "CANN 8");
  EXPECT_EQ(back.facts.firmware, "7.3");
  EXPECT_EQ(back.facts.kernel, "5.10");
  EXPECT_EQ(back.lease_folder, "/leases");
  EXPECT_EQ(back.session_folder, "/sessions/1");
  EXPECT_EQ(back.variables, hello.variables);
}

TEST(Protocol, CarriesFingerprints) {
  Fingerprint seen{"24.1", "7.3", "CANN 8", "5.10", hostile, "3.11.7", {{"torch", hostile}}, {}};
  EXPECT_EQ(read_back(seen, read_fingerprint), seen);
  seen.switches.emplace();
  EXPECT_EQ(read_back(seen, read_fingerprint), seen);
  seen.switches = std::map<std::string, std::string>{{"HCCL_DETERMINISTIC", hostile}};
  EXPECT_EQ(read_back(seen, read_fingerprint), seen);
  EXPECT_EQ(read_back(Fingerprint(), read_fingerprint), Fingerprint());
}

TEST(Protocol, CarriesLeases) {
  const devices::Holder holder{71, "h", hostile, "run", "case", "2026-03-01T10:00:00Z"};
  const devices::Leases::Displaced back =
      read_back(devices::Leases::Displaced{"port-1", holder, "trouble"}, read_displaced);
  EXPECT_EQ(back.name, "port-1");
  ASSERT_TRUE(back.by);
  EXPECT_EQ(text(*back.by), text(holder));
  EXPECT_EQ(back.trouble, "trouble");
  EXPECT_FALSE(read_back(devices::Leases::Displaced{"x", {}, ""}, read_displaced).by);
}

TEST(Protocol, CarriesForces) {
  for (const auto force : {launch::Force::ask, launch::Force::end, launch::Force::kill})
    EXPECT_EQ(read_back(force, read_force), force);
}

TEST(Protocol, CarriesSignals) {
  for (const auto signal :
       {launch::Signal::kill, launch::Signal::terminate, launch::Signal::stop, launch::Signal::go_on})
    EXPECT_EQ(read_back(signal, [](WordReader& words) { return read_signal(words).value(); }), signal);
  const Frame unknown{"hup"};
  WordReader words(unknown);
  EXPECT_EQ(read_signal(words), std::nullopt);
}

TEST(Protocol, CarriesStatesOfFiles) {
  const FileState state{
      {~std::uint64_t{0}, std::uint64_t{1} << 63, -5}, std::uintmax_t{1} << 40, 1'700'000'000};
  const FileState read = read_back(state, read_file_state);
  EXPECT_EQ(read.identity, state.identity);
  EXPECT_EQ(read.size, state.size);
  EXPECT_EQ(read.written, state.written);
}

TEST(Protocol, TakesNoMoreThanThereIs) {
  const Frame lies{"1000000000", "a"};
  WordReader words(lies);
  EXPECT_TRUE(read_command(words).argv.empty());
  EXPECT_FALSE(words.is_good());
}

}  // namespace
}  // namespace gate::hosts::protocol_test
