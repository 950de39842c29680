// A longer log of each family of frameworks, with the noise around its lines.
#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::trainer_families_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Extraction read_family(const std::string& name) {
  return read_log(file_text(std::string(GATE_SOURCE_DIR "/tests/logs/") + name));
}

// `1-6: 2.375 ... 1.75`, values as they are after their factors.
std::string span(const Extraction& x, std::string_view metric) {
  const Series* series = find_series(x.series, metric, std::nullopt);
  if (series == nullptr) return "no series";
  const Sample& first = series->samples().front();
  const Sample& last = series->samples().back();
  return std::to_string(series->samples().size()) + " of " + std::to_string(first.number) + "-" +
         std::to_string(last.number) + ": " + first.value.number.to_string() + " ... " +
         last.value.number.to_string();
}

TEST(Families, deepspeed_engine) {
  const Extraction x = read_family("deepspeed/engine.log");
  EXPECT_THAT(x.formats, ElementsAre("deepspeed"));
  EXPECT_EQ(span(x, "samples_per_second"), "5 of 10-50: 25.25 ... 26.25");
  EXPECT_EQ(span(x, "memory_allocated"), "5 of 1-5: 4352.00 ... 4352.00");
  EXPECT_EQ(span(x, "memory_max_allocated"), "5 of 1-5: 39424.0 ... 39424.0");
  EXPECT_EQ(words(x, "learning_rate"), "10=5.0e-05 20=2.5e-05 30=1.7e-05 40=1.3e-05 50=1.0e-05");
  EXPECT_EQ(words(x, "skipped_iterations"), "10=1 20=1 30=1 40=1 50=1");
  EXPECT_EQ(x.problems.size(), 1U) << "a count that runs through is told where it rises";
  EXPECT_EQ(problems(x, ProblemKind::skipped).size(), 1U);
  EXPECT_EQ(x.attempts.size(), 1U);
}

TEST(Families, hf_trainer_run) {
  const Extraction x = read_family("hf-trainer/run.log");
  EXPECT_THAT(x.formats, ElementsAre("hf-trainer"));
  EXPECT_EQ(span(x, "lm_loss"), "8 of 1-8: 2.3750 ... 1.5000");
  EXPECT_EQ(words(x, "validation_loss"), "4=2.000 8=1.750");
  EXPECT_THAT(x.notes, IsEmpty()) << "the bar tells the steps";
  ASSERT_TRUE(x.bar);
  EXPECT_EQ(x.bar->step, 8);
  EXPECT_EQ(x.bar->total, 8);
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, ms_swift_sft) {
  const Extraction x = read_family("ms-swift/sft.log");
  EXPECT_THAT(x.formats, ElementsAre("ms-swift"));
  EXPECT_EQ(span(x, "lm_loss"), "6 of 1-6: 2.375 ... 1.750");
  EXPECT_EQ(words(x, "validation_loss"), "3='2.000'");
  EXPECT_EQ(span(x, "memory_max_reserved"), "6 of 1-6: 66048.00 ... 66048.00");
  EXPECT_THAT(problems(x, ProblemKind::not_finite),
              ElementsAre("14: step 4: loss nan", "14: step 4: grad_norm 'nan'"));
  EXPECT_EQ(x.problems.size(), 2U);
  EXPECT_EQ(x.total, 6);
  EXPECT_EQ(x.attempts.size(), 1U);
  EXPECT_THAT(x.notes, IsEmpty());
}

TEST(Families, ms_swift_grpo) {
  const Extraction x = read_family("ms-swift/grpo.log");
  EXPECT_THAT(x.formats, ElementsAre("ms-swift"));
  EXPECT_EQ(span(x, "reward"), "5 of 1-5: 1.125 ... 1.625");
  EXPECT_THAT(x.notes, IsEmpty());
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, ms_swift_counts_no_line_whose_step_may_be_cut_off) {
  const std::string step = "{'loss': 1.5, 'memory(GiB)': 65, 'global_step/max_steps': '5/9'}\n";
  EXPECT_EQ(words(read_log(step + "{'loss': 2.5, 'memory(GiB)': 65, 'global_step/max_st\n"), "lm_loss"),
            "5=1.5");
}

TEST(Families, llama_factory_console) {
  const Extraction x = read_family("llama-factory/console.log");
  EXPECT_THAT(x.formats, ElementsAre("llama-factory"));
  EXPECT_EQ(span(x, "lm_loss"), "6 of 5-30: 2.3750 ... 1.7500");
  EXPECT_EQ(span(x, "grad_norm"), "6 of 5-30: 4.25 ... 3.0");
  EXPECT_EQ(words(x, "validation_loss"), "30=1.875");
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, llama_factory_lines) {
  const Extraction x = read_family("llama-factory/trainer_log.jsonl");
  EXPECT_THAT(x.formats, ElementsAre("llama-factory"));
  EXPECT_EQ(span(x, "lm_loss"), "6 of 10-60: 2.375 ... 1.75");
  EXPECT_EQ(words(x, "validation_loss"), "60=1.875");
  EXPECT_EQ(x.total, 60);
  EXPECT_THAT(x.problems, IsEmpty());
}

TEST(Families, llama_factory_lines_are_the_trainers_too) {
  Options options;
  options.formats = {"hf-trainer"};
  const std::string text =
      file_text(std::string(GATE_SOURCE_DIR "/tests/logs/") + "llama-factory/trainer_log.jsonl");
  const Extraction x = read_log(text, options);
  EXPECT_EQ(span(x, "lm_loss"), "6 of 10-60: 2.375 ... 1.75");
  EXPECT_EQ(words(x, "validation_loss"), "60=1.875");
}

// A slow second half hardly moves it.
TEST(Families, a_mean_since_the_run_began_is_no_speed) {
  for (const char* log : {"ms-swift/sft.log", "ms-swift/grpo.log", "hf-trainer/run.log",
                          "llama-factory/console.log", "llama-factory/trainer_log.jsonl"}) {
    const Extraction x = read_family(log);
    for (const char* speed : {"iteration_time", "tokens_per_second", "samples_per_second", "throughput"})
      EXPECT_EQ(find_series(x.series, speed, {}), nullptr) << log << ' ' << speed;
  }
}

TEST(Families, verl_grpo) {
  const Extraction x = read_family("verl/grpo.log");
  EXPECT_THAT(x.formats, ElementsAre("verl"));
  EXPECT_EQ(span(x, "reward"), "6 of 1-6: 0.1250 ... 0.7500");
  EXPECT_EQ(words(x, "policy_loss"), "1=0.010 2=np.float64(-0.02) 3=0.030 4=0.040 5=0.050 6=0.060");
  EXPECT_EQ(span(x, "iteration_time"), "6 of 1-6: 93250.00 ... 94500.00");
  EXPECT_EQ(span(x, "memory_max_allocated"), "6 of 1-6: 82432.0 ... 82432.0");
  EXPECT_EQ(span(x, "mfu"), "6 of 1-6: 25.00 ... 25.00");
  EXPECT_EQ(span(x, "tokens_per_second"), "6 of 1-6: 2901.0 ... 2906.0");
  EXPECT_THAT(x.problems, IsEmpty());
  EXPECT_EQ(x.attempts.size(), 1U);
}

TEST(Families, verl_laid_out) {
  const Extraction x = read_family("verl/laid_out.log");
  EXPECT_THAT(x.formats, ElementsAre("verl"));
  EXPECT_EQ(words(x, "reward"), "1=0.571 2=0.572");
  EXPECT_EQ(words(x, "policy_loss"), "1=0.051 2=0.052");
  EXPECT_EQ(x.attempts.size(), 1U);
}

TEST(Families, verl_takes_no_step_from_the_end_of_a_cut_file) {
  const std::string log = "step:11\n - actor/pg_loss:0.5\n - timing_s/step:2\nstep:1";
  const Extraction cut = read_log(log);
  ASSERT_EQ(cut.attempts.size(), 1U);
  EXPECT_EQ(cut.attempts[0].last_step, 11);
  EXPECT_EQ(read_log(log + "2\n").attempts.at(0).last_step, 12);
}

TEST(Families, jsonl_trainer) {
  const Extraction x = read_family("jsonl/trainer.log");
  EXPECT_THAT(x.formats, ElementsAre("jsonl"));
  EXPECT_EQ(span(x, "lm_loss"), "6 of 1-6: 2.375 ... 1.75");
  EXPECT_EQ(words(x, "validation_loss"), "3=2.375 6=2.0");
  EXPECT_EQ(span(x, "iteration_time"), "6 of 1-6: 500.5 ... 503.0");
  EXPECT_THAT(problems(x, ProblemKind::not_finite), ElementsAre("8: step 5: loss NaN"));
  EXPECT_EQ(x.problems.size(), 1U);
  EXPECT_EQ(x.total, 6);
}

TEST(Families, jsonl_with_names_of_ones_own) {
  Options options;
  options.json = {"opt.n", "", "r", {{"return", "rl.return", {2, 0}}, {"lm_loss", "ce", {1, 0}}}};
  const std::string log =
      "{\"opt\": {\"n\": 5}, \"step\": 1, \"ce\": 2.5, \"rl\": {\"return\": 1.5}, \"r\": 3}\n"
      "{'opt': {'n': 6}, 'step': 1, 'ce': 2.25, 'epoch': 0.5, 'loss': 9}\n";
  const Extraction x = read_log(log, options);
  ASSERT_EQ(words(x, "return", 3), "5=1.5");
  EXPECT_EQ(find_series(x.series, "return", 3)->samples()[0].value.number.to_string(), "3.0");
  EXPECT_EQ(words(x, "lm_loss"), "5=2.5 6=2.25");
}

TEST(Families, jsonl_with_names_that_the_log_lacks_is_not_meant) {
  Options options;
  options.json.metrics = {{"return", "rl.return", {1, 0}}};
  const std::string text = file_text(std::string(GATE_SOURCE_DIR "/tests/logs/") + "ms-swift/sft.log");
  EXPECT_THAT(read_log(text, options).formats, ElementsAre("ms-swift"));
  options.json.metrics = {{"return", "rl.lm", {1, 0}}};
  EXPECT_EQ(words(read_log("{\"step\": 1, \"loss\": 2, \"rl\": {\"return\": 1}}\n", options), "return"),
            "no series");
}

TEST(Families, a_step_whose_digits_are_not_printed_is_none) {
  for (const char* step : {"true", "1.5e1", "1.500K", "[1,234]", "1e3", "10.5"}) {
    const std::string line = R"({"step": )" + std::string(step) + R"(, "loss": 2.5})";
    const Extraction x = read_log(line + "\n{\"step\": 7, \"loss\": 2.25}\n");
    EXPECT_EQ(words(x, "lm_loss"), "7=2.25") << step;
  }
  EXPECT_EQ(words(read_log("{\"step\": \"1,024.0\", \"loss\": 2.5}\n"), "lm_loss"), "1024=2.5");
}

// What the console prints beside the file of the same run; it prints no step.
TEST(Families, a_word_for_no_number_of_a_logger_without_steps_is_in_doubt) {
  const auto doubts = [](const std::string& word, const std::string& at = "3") {
    std::string console, file, counts;
    for (const std::string step : {"1", "2", "3", "4", "5"}) {
      const bool is_meant = at.find(step) != std::string::npos;
      console += "{'loss': " + (is_meant ? word : "2.5") + ", 'grad_norm': nan, 'epoch': 0." + step + "}\n";
      file += "{\"current_steps\": " + step + ", \"loss\": 2.5, \"epoch\": 0." + step + "}\n";
    }
    Extractor folder = make();
    folder.begin_file("run.log");
    folder.feed(console);
    folder.begin_file("trainer_log.jsonl");
    folder.feed(file);
    for (const Extraction& x : {read_log(console + file), read_log(file + console), folder.finish()})
      counts += x.doubt.empty() ? "-" : x.series.empty() ? "d" : "?";
    return counts;
  };
  for (const char* word : {"nan", "'nan'", "inf", "tensor(nan)", "'***'", "[]", "True"})
    EXPECT_EQ(doubts(word), "ddd") << word;
  EXPECT_EQ(doubts("nan", "12345"), "ddd");
  EXPECT_EQ(doubts("None"), "ddd");
  EXPECT_EQ(doubts("2.5"), "---");
  EXPECT_EQ(doubts("2.25"), "---");
  const Extraction x = read_log(
      "{'loss': 2.5, 'epoch': 0.1}\n{'loss': nan, 'epoch': 0.2}\n{\"current_steps\": 1, \"loss\": 2.5}\n");
  EXPECT_EQ(x.doubt,
            "line 2: lm_loss is no number, in a line without its step beside lines that print theirs: nobody "
            "can tell which step it is of");
}

TEST(Families, a_line_that_lost_its_step_among_others_that_print_theirs_is_not_counted) {
  Options options;
  options.formats = {"hf-trainer"};
  const std::string printed = R"({"current_steps": 10, "loss": 2.5, "epoch": 0.1})";
  const std::string lost = R"({"current_ste": 20, "loss": 2.25, "epoch": 0.2})";
  const Extraction x = read_log(printed + "\n" + lost + "\n", options);
  EXPECT_EQ(words(x, "lm_loss"), "10=2.5");
  EXPECT_THAT(problems(x, ProblemKind::malformed),
              ElementsAre("2: a step without its number, where others print theirs"));
  EXPECT_FALSE(find_series(x.series, "lm_loss", {})->assumed());
  const Extraction turned = read_log(lost + "\n" + printed + "\n", options);
  EXPECT_EQ(words(turned, "lm_loss"), "10=2.5");
  EXPECT_FALSE(find_series(turned.series, "lm_loss", {})->assumed());
}

std::string dictionary(const std::string& loss, const std::string& epoch) {
  return "{'loss': " + loss + ", 'grad_norm': 1.5, 'learning_rate': 1e-05, 'epoch': " + epoch + "}\n";
}

TEST(Counted, a_dictionary_that_is_torn_keeps_its_place) {
  const Extraction x =
      read_log(dictionary("2.5", "0.1") + "{'loss': 9.9, 'grad_norm': 1.0,[W] x 'epoch': 0.2}\n" +
               dictionary("2.3", "0.3"));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 3=2.3");
  EXPECT_THAT(problems(x, ProblemKind::cut_off), ElementsAre(testing::StartsWith("2: record cut off")));
}

TEST(Counted, a_dictionary_that_a_launcher_tore_is_put_together) {
  const Extraction x =
      read_log("0: " + dictionary("2.5", "0.1") +
               "0: {'loss': 2.4, 'grad_norm': 1.1, 'learni\n0: ng_rate': 1e-05, 'epoch': 0.2}\n");
  EXPECT_EQ(words(x, "lm_loss"), "1=2.5 2=2.4");
}

TEST(Counted, a_run_that_goes_on_is_numbered_where_the_one_before_was_then) {
  const Extraction x =
      read_log(dictionary("2.9", "0.1") + dictionary("2.8", "0.2") + dictionary("2.7", "0.3") +
               dictionary("2.75", "0.2") + dictionary("2.65", "0.3") + dictionary("2.6", "0.4"));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.9 2=2.75 3=2.65 4=2.6");
  EXPECT_EQ(x.attempts.size(), 2U);
}

TEST(Counted, a_start_that_is_printed_begins_a_run_though_its_epochs_do_not_fall) {
  const std::string start = "***** Running training *****\n";
  const Extraction flat = read_log(start + dictionary("2.9", "0.0") + dictionary("2.8", "0.0") + start +
                                   dictionary("99.0", "0.0") + dictionary("98.0", "0.0"));
  EXPECT_EQ(words(flat, "lm_loss"), "1=99.0 2=98.0");
  const Extraction died = read_log(start + dictionary("2.9", "0.1") + start + dictionary("2.9", "0.1") +
                                   dictionary("2.8", "0.2"));
  EXPECT_EQ(words(died, "lm_loss"), "1=2.9 2=2.8");
  EXPECT_EQ(died.attempts.size(), 2U);
}

TEST(Counted, dictionaries_of_equal_words_are_two_records) {
  const std::string log = dictionary("0.0", "2.9") + dictionary("0.0", "2.9");
  EXPECT_EQ(words(read_log(log), "lm_loss"), "1=0.0 2=0.0");
}

TEST(Counted, a_dictionary_that_was_written_twice_is_one_record) {
  const std::string twice = dictionary("2.8125", "0.2, 'grad_norm': 1.23456");
  const Extraction x = read_log(dictionary("2.9", "0.1") + twice + twice + dictionary("2.7", "0.3"));
  EXPECT_EQ(words(x, "lm_loss"), "1=2.9 2=2.8125 3=2.7");
}

// What lies between the epochs tells how many there should be.
TEST(Counted, a_lost_dictionary_leaves_its_number_free) {
  const std::string begin = dictionary("2.9", "0.1") + dictionary("2.8", "0.2") + dictionary("2.7", "0.3");
  EXPECT_EQ(words(read_log(begin + dictionary("2.5", "0.5") + dictionary("2.4", "0.6")), "lm_loss"),
            "1=2.9 2=2.8 3=2.7 5=2.5 6=2.4");
  EXPECT_EQ(words(read_log(begin + dictionary("2.5", "0.45")), "lm_loss"), "1=2.9 2=2.8 3=2.7 4=2.5")
      << "not a whole number of them";
  std::string fine;  // rounded epochs leave it open
  for (const char* epoch : {"0.01", "0.02", "0.03", "0.05", "0.06"}) fine += dictionary("2.5", epoch);
  EXPECT_EQ(words(read_log(fine), "lm_loss"), "1=2.5 2=2.5 3=2.5 4=2.5 5=2.5");
}

TEST(Counted, gives_way_to_steps_that_another_file_prints) {
  Extractor extractor = make({{"llama-factory"}, {}, {}, {}});
  extractor.begin_file("console.log");
  extractor.feed(dictionary("2.9", "0.1") + dictionary("2.8", "0.2"));
  extractor.begin_file("trainer_log.jsonl");
  extractor.feed(
      "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.9, \"lr\": 1e-06, \"epoch\": 0.1}\n");
  EXPECT_EQ(words(extractor.finish(), "lm_loss"), "10=2.9");
}

TEST(Families, a_cut_log_gives_no_step_that_was_not_printed) {
  for (const char* name : {"deepspeed/engine.log", "ms-swift/sft.log", "llama-factory/trainer_log.jsonl",
                           "verl/grpo.log", "verl/laid_out.log", "jsonl/trainer.log"}) {
    const std::string text = file_text(std::string(GATE_SOURCE_DIR "/tests/logs/") + name);
    const Extraction whole = read_log(text);
    for (std::size_t end = 0; end < text.size(); end += SANITIZED ? 307 : 17) {
      const Extraction cut = read_log(text.substr(0, end));
      for (const Series& series : cut.series)
        for (const Sample& sample : series.samples()) {
          const Series* of_whole = find_series(whole.series, series.metric(), series.rank());
          const std::optional<Sample> same =
              of_whole == nullptr ? std::nullopt : of_whole->find(sample.number);
          ASSERT_TRUE(same) << name << " cut at " << end << ": " << series.metric();
          ASSERT_TRUE(sample.text.empty() || sample.text == same->text)
              << name << " cut at " << end << ": " << series.metric() << " " << sample.text;
        }
    }
  }
}

}  // namespace
}  // namespace gate::extract::trainer_families_test
