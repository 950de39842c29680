// Values that the reference implementations give, where a folder of them is: GATE_REAL_DATA names it, as for
// tests/cases.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gate/score/text_score.h"
#include "score/chrf.h"

namespace gate::score::vectors_test {
namespace {

using nlohmann::json;

class Vectors : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("GATE_REAL_DATA");
    const std::string folder = named != nullptr ? named : GATE_SOURCE_DIR "/../shared/data";
    std::ifstream file(folder + "/bleu_vectors.json");
    if (!file) GTEST_SKIP() << "no bleu_vectors.json here (GATE_REAL_DATA names its folder)";
    vectors = json::parse(file);
  }

  json vectors;
};

// Return the value of the lines; `golden` is a list of files, each a list of lines.
double score_of(const TextOptions& options, const json& lines, const json& golden) {
  auto scorer = make_text_scorer(options, golden.size());
  EXPECT_TRUE(scorer) << scorer.error().message;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string_view> of_line;
    for (const json& file : golden) of_line.emplace_back(file[i].get_ref<const std::string&>());
    (*scorer)->add(lines[i].get_ref<const std::string&>(), of_line);
  }
  return (*scorer)->score().value;
}

TextOptions bleu_options(const json& parameters) {
  TextOptions options{.metric = "bleu", .tokenizer = *parse_tokenizer(parameters.value("tokenize", "13a"))};
  options.smoothing = *parse_smoothing(parameters.value("smooth_method", "exp"));
  if (parameters.contains("smooth_value") && !parameters["smooth_value"].is_null())
    options.smooth_value = parameters["smooth_value"].get<double>();
  options.max_order = parameters.value("max_ngram_order", 4);
  options.effective_order = parameters.value("effective_order", false);
  options.lowercase = parameters.value("lowercase", false);
  return options;
}

TEST_F(Vectors, of_bleu) {
  for (const json& vector : vectors["bleu"])
    EXPECT_NEAR(score_of(bleu_options(vector["params"]), vector["hypotheses"], vector["references"]),
                std::min(1.0, vector["exact_recomputed"].get<double>() / 100), 1e-11)
        << vector["id"];
}

TEST_F(Vectors, of_bleu_from_counts) {
  for (const json& vector : vectors["compute_bleu"]) {
    BleuCounts counts;
    for (std::size_t n = 0; n < 4; ++n) {
      counts.matching[n] = vector["correct"][n];
      counts.all[n] = vector["total"][n];
    }
    counts.actual_length = vector["sys_len"];
    counts.golden_length = vector["ref_len"];
    TextOptions options = bleu_options(vector["params"]);
    if (!vector["params"].contains("smooth_method")) options.smoothing = Smoothing::none;
    EXPECT_NEAR(bleu(counts, options), vector["exact_recomputed"].get<double>() / 100, 1e-11) << vector;
  }
}

TEST_F(Vectors, of_tokenizers) {
  for (const json& vector : vectors["tokenizers"])
    EXPECT_EQ(tokenize(*parse_tokenizer(vector["tokenizer"].get<std::string>()),
                       vector["input"].get<std::string>()),
              vector["output"].get<std::string>())
        << vector;
}

TEST_F(Vectors, of_chrf_and_ter) {
  for (const json& vector : vectors["other_text"]) {
    const json& parameters = vector["params"];
    const double value = vector["exact_recomputed"].get<double>() / 100;
    if (vector["metric"] == "ter") {
      EXPECT_NEAR(score_of({.metric = "ter"}, vector["hypotheses"], vector["references"]), value, 1e-6)
          << vector;
      continue;
    }
    const TextOptions options{.metric = "chrf",
                              .char_order = parameters["char_order"],
                              .word_order = parameters["word_order"],
                              .beta = parameters["beta"]};
    if (!parameters["eps_smoothing"]) {
      EXPECT_NEAR(score_of(options, vector["hypotheses"], vector["references"]), value, 1e-6) << vector;
      continue;
    }
    ChrfCounts counts;
    ChrfCounter(options).count(vector["hypotheses"][0].get<std::string>(),
                               vector["references"][0][0].get<std::string>(), counts);
    EXPECT_NEAR(chrf(counts, options.beta, true), value, 1e-6) << vector;
  }
}

TEST_F(Vectors, of_rouge) {
  for (const json& vector : vectors["rouge"])
    EXPECT_NEAR(score_of({.metric = vector["metric"]}, json::array({vector["hypothesis"]}),
                         json::array({json::array({vector["reference"]})})),
                vector["fmeasure"].get<double>(), vector["tolerance"].get<double>())
        << vector;
}

}  // namespace
}  // namespace gate::score::vectors_test
