#include "gate/model/runs/known_message.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate::known_message_test {
namespace {

KnownMessage message(const std::string& name, MessageWeight weight) {
  KnownMessage out;
  out.name = name;
  out.weight = weight;
  return out;
}

std::string chosen(const std::vector<KnownMessage>& messages) {
  const KnownMessage* cause = choose_cause(messages);
  return cause == nullptr ? "none" : cause->name;
}

TEST(ChooseCause, TakesTheHeaviest) {
  const KnownMessage summary = message("child_failed", MessageWeight::hint);
  const KnownMessage watchdog = message("nccl_timeout", MessageWeight::symptom);
  const KnownMessage memory = message("cuda_out_of_memory", MessageWeight::root);
  EXPECT_EQ(chosen({summary, watchdog, memory}), "cuda_out_of_memory");
  EXPECT_EQ(chosen({summary, watchdog}), "nccl_timeout");
  EXPECT_EQ(chosen({summary}), "child_failed");
  EXPECT_EQ(chosen({}), "none");
}

TEST(ChooseCause, TakesTheFirstOfTheHeaviest) {
  EXPECT_EQ(chosen({message("a", MessageWeight::hint), message("b", MessageWeight::symptom),
                    message("c", MessageWeight::symptom)}),
            "b");
}

TEST(MessageClass, IsReadAsItIsWritten) {
  for (const MessageClass kind : {MessageClass::crashed, MessageClass::infra})
    EXPECT_EQ(parse_message_class(to_string(kind)), kind);
  EXPECT_EQ(parse_message_class("fine"), std::nullopt);
}

}  // namespace
}  // namespace gate::known_message_test
