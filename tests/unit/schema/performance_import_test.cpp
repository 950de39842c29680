#include "gate/schema/performance_import.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "gate/schema/performance_file.h"

namespace gate::schema::performance_import_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

PerformanceTable table_of(std::string_view text, const std::string& file = "t.md") {
  const auto table = import_performance(text, file);
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table.value_or(PerformanceTable{});
}

std::string error_of(std::string_view text, const std::string& file = "t.md") {
  const auto table = import_performance(text, file);
  return table ? "" : table.error().message;
}

std::string digits(const std::optional<Decimal>& number) { return number ? number->to_string() : "--"; }

// Return `name measured reference` of each row.
std::vector<std::string> rows_of(std::string_view text, const std::string& file = "t.md") {
  std::vector<std::string> rows;
  for (const PerformanceRow& row : table_of(text, file).rows)
    rows.push_back(row.name + " " + digits(row.measured) + " " + digits(row.reference));
  return rows;
}

PerformanceRow only_row(std::string_view text, const std::string& file = "t.md") {
  const PerformanceTable table = table_of(text, file);
  EXPECT_EQ(table.rows.size(), 1U);
  return table.rows.empty() ? PerformanceRow{} : table.rows[0];
}

// Return an HTML table with the head model, size, performance, reference, and these rows.
std::string html(const std::string& rows) {
  return "<table><tr><th>model<th>size<th>performance<th>reference</tr>" + rows + "</table>";
}

// --- HTML ----------------------------------------------------------------------------------------

TEST(ImportHtml, ReadsATableAsItShouldBe) {
  EXPECT_THAT(rows_of(html("<tr><td>A</td><td>7B</td><td>10</td><td>20.50</td></tr>")),
              ElementsAre("A 7B 10 20.50"));
}

TEST(ImportHtml, WhatIsNotClosedEndsWhereTheNextBegins) {
  EXPECT_THAT(
      rows_of(html(
          "<tr><td><center>A<td><a href=x>7B<th>10<td><center>-- \n<tr><td>B<td><b>8B</td><td>11<td>12")),
      ElementsAre("A 7B 10 --", "B 8B 11 12"));
  EXPECT_THAT(rows_of("<table><td>model<td>performance<tr><td>A<td>1"), ElementsAre("A 1 --"))
      << "a row begins with its first cell";
  EXPECT_THAT(rows_of(html("<tr><td>A<td>7B<td>1<td>2</tr></tr></td><tr><td>B<td>7B<td>3<td>4")),
              ElementsAre("A 7B 1 2", "B 7B 3 4"));
}

TEST(ImportHtml, ACellGoesOverRowsAndColumns) {
  EXPECT_THAT(
      rows_of(html("<tr><td rowspan=\"3\">A<td>1B<td>1<td rowspan=2>9<tr><td>2B<td>2<tr><td>3B<td>3<td>8"
                   "<tr><td>B<td>4B<td colspan=2>4")),
      ElementsAre("A 1B 1 9", "A 2B 2 9", "A 3B 3 8", "B 4B 4 4"));
  EXPECT_THAT(rows_of(html("<tr><td rowspan=0>A<td>1B<td>1<tr><td>2B<td>2")),
              ElementsAre("A 1B 1 --", "A 2B 2 --"))
      << "0 is all that follow";
  EXPECT_THAT(
      rows_of(
          "<table><thead><tr><th rowspan=5>model<th>size<th>performance</thead><tbody><tr><td>A<td>1B<td>1"),
      ElementsAre("A 1B 1 --"))
      << "no cell goes over the end of its section";
  EXPECT_THAT(
      rows_of(html("<tr><td rowspan=99999999999999999999>A<td>1B<td>1<tr><td>B<td rowspan=-1>2B<td>2")),
      ElementsAre("A 1B 1 --", "B 2B 2 --"))
      << "what is no span is 1";
}

TEST(ImportHtml, ARowMayHaveNoCellOfItsOwn) {
  EXPECT_EQ(error_of(html("<tr><td rowspan=2>A<td rowspan=2>7B<tr></tr>")),
            "t.md:1:66: a row of 2 cells: it ends before what was measured\n"
            "t.md:1:97: a row of 2 cells: it ends before what was measured");
  EXPECT_THAT(error_of(html("<tr><td rowspan=2>A<td rowspan=2>7B<td rowspan=2>1<tr></tr>")),
              HasSubstr("is the name of the row at t.md:1, too"));
}

TEST(ImportHtml, SpansAreBounded) {
  std::string rows = "<tr><td rowspan=1000000 colspan=1>A<td>0<td>1";
  for (int i = 1; i < 1000; ++i) rows += "<tr><td>" + std::to_string(i) + "<td>1";
  const PerformanceTable table = table_of(html(rows));
  ASSERT_EQ(table.rows.size(), 1000U);
  EXPECT_EQ(table.rows.back().name, "A 999");
  EXPECT_THAT(rows_of(html("<tr><td colspan=1000000000>A<tr><td>B<td>1B<td>3")), ElementsAre("B 1B 3 --"));
}

TEST(ImportHtml, ALineBetweenSectionsIsNoRow) {
  EXPECT_THAT(rows_of(html("<tr><td colspan=4>dense models<tr><td>A<td>1B<td>1<tr><td>sparse<td><td><td>"
                           "<tr><th>model<th>size<th>performance<tr><td>B<td>1B<td>2")),
              ElementsAre("A 1B 1 --", "B 1B 2 --"));
}

TEST(ImportHtml, EntitiesAndMarkupAreNoText) {
  const PerformanceRow row =
      only_row(html("<tr><td>A&amp;B &lt;x&gt; &quot;&#39;&#x4E00;&nbsp;&unknown; &#0; &#xD800;<td><a "
                    "class=\"b\" HREF='u?a=1&amp;b=2'>7B</a>"
                    "<td>1<sup>2</sup><!-- 3 --><td>4<br>"));
  EXPECT_EQ(row.shape.model, "A&B <x> \"'一 &unknown; &#0; &#xD800;");
  EXPECT_EQ(row.link, "u?a=1&b=2");
  EXPECT_EQ(digits(row.measured) + " " + digits(row.reference), "1 4");
}

TEST(ImportHtml, ASignThatBeginsNoTagIsText) {
  EXPECT_EQ(only_row(html("<tr><td>A < B <3<td>7B<td>1")).shape.model, "A < B <3");
  EXPECT_EQ(only_row(html("<tr><td>A <b <td>7B<td>1")).shape.model, "A <b");
  EXPECT_EQ(only_row(html("<tr><td title=\"1 > 0\">A<td>7B<td>1")).shape.model, "A");
  EXPECT_EQ(only_row(html("<tr><td title=\"no end>A<td>7B<td>1")).shape.model, "A");
}

TEST(ImportHtml, ATableWithinAnotherEndsThatOne) {
  EXPECT_THAT(rows_of("<table><tr><td>" + html("<tr><td>A<td>7B<td>1") + "</td></tr></table>"),
              ElementsAre("A 7B 1 --"));
}

TEST(ImportHtml, CommentsScriptsAndCodeAreNoTables) {
  const std::string table = html("<tr><td>A<td>7B<td>1"), other = html("<tr><td>B<td>7B<td>1");
  EXPECT_THAT(rows_of("<!-- " + other + " -->\n<script>" + other + "</SCRIPT>\n```\n" + other + "\n```\n`" +
                      other + "`\n" + table),
              ElementsAre("A 7B 1 --"));
  EXPECT_THAT(rows_of("```\n" + table, "t.html"), ElementsAre("A 7B 1 --")) << "of an HTML file ``` is text";
}

// --- Markdown ------------------------------------------------------------------------------------

TEST(ImportMarkdown, ReadsATable) {
  const PerformanceRow row = only_row(
      "| **Model** | Params | `Seq` | Performance (tokens/s/p) | 参考（tokens/p/s） |\n| :- | --- | :---: | "
      "- | ---: |\n"
      "| [LLaMA\\|2](m) | ![x](y) [**7B**](https://h/7B \"title\") | 4K | __4,672.50__ | -- |\n\n| B | | | 3 "
      "| |\n");
  EXPECT_EQ(row.name, "LLaMA|2 x 7B 4K");
  EXPECT_EQ(row.unit, "tokens/s/p");
  EXPECT_EQ(digits(row.measured), "4672.50");
  EXPECT_FALSE(row.reference);
  EXPECT_EQ(row.source, "t.md:3");
}

TEST(ImportMarkdown, ARowWithoutAModelHasTheOneAbove) {
  EXPECT_THAT(rows_of("model|size|performance\n---|---|---\nA|1B|1\n||2B|2\nB|3B|3\n"),
              ElementsAre("A 1B 1 --", "A 2B 2 --", "B 3B 3 --"));
  EXPECT_EQ(error_of("model|size|performance\n---|---|---\n||2B|2\n"),
            "t.md:3:2: a row without a model, and none above it has one");
  EXPECT_THAT(error_of("model|performance\n---|---\nA|1\n\nmodel|performance\n---|---\n||1\n"),
              StartsWith("t.md:7:"))
      << "those of another table are no rows above it";
}

TEST(ImportMarkdown, HardwareIsThatOfTheLastMention) {
  const std::string table = "\n\n|model|size|performance|\n|---|---|---|\n|A|";
  const PerformanceTable read = table_of("hardware: none of these\n（硬件信息：Atlas 900 A2 PODc）】" +
                                         table + "1B|1|\n\nno hardware here\n" + table +
                                         "2B|1|\n**Hardware**: A100 (80 GB), SXM" + table + "3B|1|\n");
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[0].hardware, "Atlas 900 A2 PODc");
  EXPECT_EQ(read.rows[1].hardware, "Atlas 900 A2 PODc");
  EXPECT_EQ(read.rows[2].hardware, "A100 (80 GB), SXM");
}

TEST(ImportMarkdown, ARowThatEndsTooEarlyIsAMistake) {
  EXPECT_EQ(error_of("model|size|performance\n---|---|---\nA|1B|1\n|2B|2\n"),
            "t.md:4:2: a row of 2 cells: it ends before what was measured");
}

// --- CSV -----------------------------------------------------------------------------------------

TEST(ImportCsv, ReadsQuotesAndColumnsInAnyOrder) {
  const PerformanceRow row = only_row(
      "\xEF\xBB\xBFlink,measured_tokens_per_p_per_s,unit,\"model\",measured_minus_reference_pct,seq_"
      "tokens\r\n"
      "u,\"1,234.5\",,\" A \"\"x\"\"\n 1 \",7,4096\r\n",
      "folder/t.CSV");
  EXPECT_EQ(row.name, "A \"x\" 1");
  EXPECT_EQ(digits(row.measured), "1234.5");
  EXPECT_EQ(row.unit, "tokens/p/s");
  EXPECT_EQ(row.link, "u");
  EXPECT_EQ(row.source, "t.CSV:2");
}

TEST(ImportCsv, IsWhatHasNoOtherTable) {
  EXPECT_THAT(rows_of("model,performance\nA,1\n", "t.txt"), ElementsAre("A 1 --"));
  EXPECT_THAT(rows_of("model|performance\n---|---\nA|1\n", "t.txt"), ElementsAre("A 1 --"));
  EXPECT_THAT(rows_of("<TABLE><tr><td>model<td>performance<tr><td>A<td>1", "t"), ElementsAre("A 1 --"));
  EXPECT_THAT(error_of("model,performance\nA,1,2\n", "t.csv"), StartsWith("t.csv:2:1: 3 cells in a line"));
}

// --- heads and cells -----------------------------------------------------------------------------

TEST(ImportHeads, AreKnownInChineseAndEnglish) {
  const PerformanceRow chinese = only_row(
      "模型,参数,序列,实现,集群,模式,性能,参考,贡献方,认证\nA,1,2,3,4,5,6,7,【昇腾】【GTS】,【Pass】\n",
      "t.csv");
  const PerformanceRow english = only_row(
      "Model,Size,Sequence,Impl,Cluster,Mode,Performance,Reference,Contributor,Cert\nA,1,2,3,4,5,6,7,\"昇腾, "
      "GTS\",Pass\n",
      "t.csv");
  EXPECT_EQ(chinese.shape, (TrainingShape{"A", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(write_performance({{chinese}}), write_performance({{english}}));
}

TEST(ImportHeads, GiveTheUnit) {
  const auto unit = [](const std::string& head, const std::string& more = "") {
    return only_row("model," + head + "\nA,1" + more + "\n", "t.csv").unit;
  };
  EXPECT_EQ(unit("性能"), "tokens/p/s");
  EXPECT_EQ(unit("性能 (tokens/s/p)"), "tokens/s/p");
  EXPECT_EQ(unit("性能（samples/s）"), "samples/s");
  EXPECT_EQ(unit("throughput tokens/s/gpu"), "tokens/s/gpu");
  EXPECT_EQ(unit("measured_samples_per_second"), "samples/second");
  EXPECT_EQ(unit("performance (TFLOPS)"), "TFLOPS");
  EXPECT_EQ(unit("performance (ms)"), "ms");
  EXPECT_EQ(unit("performance (with mc2)"), "tokens/p/s");
  EXPECT_EQ(unit("performance,unit", ",TFLOP/s"), "TFLOP/s");
  EXPECT_EQ(
      error_of("model,performance (tokens/s/p),reference (samples/s)\nA,1,2\n", "t.csv"),
      "t.csv:2:5: the reference is in samples/s, what was measured in tokens/s/p; bring them into one unit");
  EXPECT_EQ(error_of("model,performance (tokens/s/p),reference (tokens/p/s)\nA,1,2\n", "t.csv"), "");
}

TEST(ImportHeads, OfOneMeaningStandOnce) {
  EXPECT_EQ(error_of("model,performance,throughput\nA,1,2\n", "t.csv"),
            "t.csv:1:19: a second column of measured, \"throughput\"; remove or rename one of them");
}

TEST(ImportHeads, AreLookedForInTheFirstRowsAlone) {
  const std::string before = "<table><tr><td>Table 1<tr><td>of 2024",
                    head = "<tr><th>model<th>performance<tr><td>A<td>1";
  EXPECT_THAT(rows_of(before + head), ElementsAre("A 1 --"));
  EXPECT_THAT(error_of(before + "<tr><td>and more" + head), HasSubstr("holds no table of performance"));
}

TEST(ImportHeads, AreNamedWhereNoneIsThere) {
  const std::string error = error_of("| model | speed |\n|---|---|\n| A | 1 |\n");
  EXPECT_THAT(error, StartsWith("t.md: holds no table of performance"));
  EXPECT_THAT(error, HasSubstr("模型, 模型名称, model"));
  EXPECT_THAT(error, HasSubstr("性能, 实测性能"));
  for (const PerformanceHeads& row : performance_heads()) EXPECT_FALSE(row.heads.empty()) << row.column;
}

// A table of configurations: one row of it, as `name: figures`; what is wrong where there is none.
std::string configured(const std::string& head, const std::string& cells, const std::string& before = "") {
  const std::string dashes = "|---|---|---|---|\n";
  const auto table = import_performance(before + head + "\n" + dashes + cells + "\n", "t.md");
  if (!table) return table.error().message;
  std::vector<std::string> rows;
  for (const PerformanceRow& row : table->rows) rows.push_back(row.name + ": " + row.figures_line());
  return join(rows, "; ");
}

TEST(ImportConfigurations, AreKnownByTheirHeads) {
  const std::string head = "| 配置 | fix_hp | e2e_time | acc |";
  for (const auto& [row, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"| A100单机8卡（1x8） | / | 61 | 0.9 |", "1x8 A100: e2e_time 61 s, final_accuracy 0.9"},
           {"| BI-V100单机8卡(1x8*32G) | / | / | 80.1% |", "1x8 BI-V100: final_accuracy 0.801"},
           {"| config_A100x2x16 | / | | 0.656/0.655 |", "2x16 A100: final_accuracy 0.656"},
           {"| **A100** (1x1) | bs=8 | 1,061.5 | OOM |", "1x1 A100: e2e_time 1061.5 s"},
           {"| (1x1) | bs=8 | 5 | |", "1x1: e2e_time 5 s"},
       })
    EXPECT_EQ(configured(head, row), wanted);
  for (const char* none : {"| A100 | / | 61 | 0.9 |", "| A100 1x8 | / | / | OOM |", "| x8 1x | / | 6 | 1 |",
                           "| A100 1x8 | / | 0 | -1 |", "| | | | |"})
    EXPECT_THAT(configured(head, none), HasSubstr("no rows with numbers")) << none;
  EXPECT_THAT(configured("| 配置 | a | b | c |", "| A100 1x8 | 1 | 2 | 3 |"),
              HasSubstr("holds no table of performance"));
  EXPECT_THAT(configured("| 配置 | acc | mAP | |", "| A100 1x8 | 1 | 2 | |"),
              HasSubstr("a second column of final_accuracy"));
}

TEST(ImportConfigurations, HaveTheUnitsOfTheirMetrics) {
  EXPECT_EQ(configured("| configuration | mem | MFU | token/p/s |", "| A 1x8 | 33.5/40.0 | 0.035 | 4047 |"),
            "1x8 A: tokens_per_second_per_device 4047 tokens/s/device, mfu 3.5 %, device_memory 34304 MiB");
  EXPECT_EQ(configured("| config | mem (MiB) | MFU | e2e_time (h) |", "| A 1x8 | 335 | 36.1% | 1.5 |"),
            "1x8 A: e2e_time 5400 s, mfu 36.1 %, device_memory 335 MiB");
  EXPECT_THAT(configured("| config | mem (pages) | e2e_time (days) | |", "| A 1x8 | 335 | 2 | |"),
              HasSubstr("holds no table of performance"));
}

TEST(ImportConfigurations, MayShowHowANumberCameAbout) {
  for (const auto& [cell, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"16.67 * 2048 / 8 = 4267 tokens/s", "tokens_per_second_per_device 4267 tokens/s/device"},
           {"16.67 * 2048 = 34,140 tokens/s", "tokens_per_second 34140 tokens/s"},
           {"16.67 * 2048 / 4 = 8535 tokens/s", "tokens_per_second 8535 tokens/s"}})
    EXPECT_EQ(
        configured("| 配置 | config | throughput | memory |", "| A 1x8 | c | " + cell + " | 70 * 8 GB |"),
        "1x8 A: device_memory 71680 MiB, " + wanted);
  for (const auto& [cell, wanted] :
       std::vector<std::pair<std::string, std::string>>{{"66.27 * 8 GB", "67860.48"},
                                                        {"66.27*8GiB", "67860.48"},
                                                        {"512 * 8 MiB", "512"},
                                                        {"66.27 * 8 = 530.16", "67860.48"}})
    EXPECT_EQ(configured("| 配置 | acc | mem | |", "| A 1x8 | 0.8 | " + cell + " | |"),
              "1x8 A: final_accuracy 0.8, device_memory " + wanted + " MiB");
  for (const char* cell : {"66.27 * 4 GB", "66.27 * 8 pages", "8 * 66.27 GB", "* 8 GB", "66.27 * GB"})
    EXPECT_EQ(configured("| 配置 | acc | mem | |", "| A 1x8 | 0.8 | " + std::string(cell) + " | |"),
              "1x8 A: final_accuracy 0.8")
        << cell;
  for (const char* cell :
       {"4267", "4267 tokens/s", "16.67 * 2048 / 8 = 4267", "1 / 8 = x tokens/s", "= tokens/s"})
    EXPECT_THAT(
        configured("| 配置 | config | throughput | memory |", "| A 1x8 | c | " + std::string(cell) + " | |"),
        HasSubstr("no rows with numbers"))
        << cell;
  EXPECT_EQ(configured("| 配置 | acc | mem | |", "| A 1x8 | 8 / 10 = 0.8 | 2 * 16.5 = 33/40 | |"),
            "1x8 A: final_accuracy 0.8, device_memory 33792 MiB");
  EXPECT_THAT(rows_of("model,performance\nA,16.67 * 2048 / 8 = 4267\n", "t.csv"), ElementsAre("A 4267 --"));
}

TEST(ImportConfigurations, AreNamedByWhatStandsAround) {
  const std::string head = "| 配置 | fix_hp | precision | acc |",
                    before = "训练框架版本：pytorch-1.8\n\n| 指标 | 值 |\n|---|---|\n| 模型 | GLM |\n\n";
  EXPECT_EQ(configured(head, "| A 1x8 | / | fp32 | 1 |\n| A 1x8 | bs=8 | fp32 | 2 |\n| A 1x1 | / | amp | 3 |",
                       before),
            "GLM pytorch 1x8 A fp32: final_accuracy 1; GLM pytorch 1x8 A fp32 bs=8: final_accuracy 2; "
            "GLM pytorch 1x1 A: final_accuracy 3");
  EXPECT_EQ(
      configured(head, "| GLM-6B | -- | -- | -- |\n| A 1x8 | / | fp32 | 1 |\n| GLM-13B | | | |", before),
      "GLM-6B pytorch 1x8 A: final_accuracy 1");
  EXPECT_THAT(configured(head, "| A 1x8 | / | fp32 | 1 |\n| A 1x8 | / | fp32 | 2 |"),
              HasSubstr("they differ in nothing that names rows"));
}

TEST(ImportCells, StandForNothingOrForANumber) {
  for (const char* word : {"--", "-", "—", "——", "/", "N/A", "nan", "【--】", "无"})
    EXPECT_THAT(rows_of("model,performance,reference\nA,1," + std::string(word) + "\n", "t.csv"),
                ElementsAre("A 1 --"))
        << word;
  for (const char* word : {"1,23", "1,2345", ",123", "1 000", "12*", "1e400", "0", "-5", "1e-10", "inf"})
    EXPECT_THAT(error_of("model,performance\nA,\"" + std::string(word) + "\"\n", "t.csv"),
                StartsWith("t.csv:2:3: measured \"" + std::string(word) + "\" is no"))
        << word;
  EXPECT_THAT(rows_of("model,performance\nA,\"12,345,678.90\"\n", "t.csv"), ElementsAre("A 12345678.90 --"));
  EXPECT_THAT(rows_of("model,performance,reference\nA,--,--\nB,,\nC,,1\n", "t.csv"),
              ElementsAre("A -- --", "C -- 1"));
}

TEST(ImportCells, AreOfBoundedLength) {
  const std::string most(500, 'a');
  EXPECT_EQ(only_row("model,performance\n" + most + ",1\n", "t.csv").name, most);
  EXPECT_EQ(error_of("model,performance\n" + most + "a,1\n", "t.csv"),
            "t.csv:2:1: model of more than 500 bytes; is this a table of performance?");
  EXPECT_THAT(rows_of("model,performance,notes\nA,1," + most + most + "\n", "t.csv"), ElementsAre("A 1 --"));
}

TEST(ImportCells, WhatIsNoTextIsShown) {
  const PerformanceRow row = only_row("model,size,performance\nA\xFF\xE4,\x1b[1mx\xE2\x80\xAE,1\n", "t.csv");
  EXPECT_EQ(row.shape.model, "A\\xff\\xe4");
  EXPECT_EQ(row.shape.parameters, "[1mx\\xe2\\x80\\xae");
  EXPECT_TRUE(read_performance(write_performance({{row}}), "r"));
}

// --- names and limits ----------------------------------------------------------------------------

TEST(ImportNames, HaveThePrecisionWhereTheyAreTheSame) {
  const std::string head = "model,mode,performance\n";
  EXPECT_THAT(rows_of(head + "A,BF16,1\nA,FP16,2\nB,BF16,3\n", "t.csv"),
              ElementsAre("A BF16 1 --", "A FP16 2 --", "B 3 --"));
  EXPECT_EQ(error_of(head + "A,BF16,1\nB,,2\nA,BF16,3\n", "t.csv"),
            "t.csv:4:1: \"A BF16\" of t.csv:4 is the name of the row at t.csv:2, too; they differ in nothing "
            "that names rows");
  EXPECT_THAT(error_of(head + "A,,1\nA,,3\n", "t.csv"),
              HasSubstr("\"A\" of t.csv:3 is the name of the row at t.csv:2"));
  EXPECT_THAT(error_of(head + "A,X,1\nA,,2\nA X,,3\n", "t.csv"), HasSubstr("\"A X\" of t.csv:4"))
      << "also of another row";
}

TEST(ImportLimits, AreHeld) {
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of(" \n"), HasSubstr("nothing but blanks"));
  EXPECT_THAT(error_of(std::string(most_imported_bytes + 1, 'x')), HasSubstr("larger than 16 MiB"));
  EXPECT_THAT(error_of("\xFF\xFEm\0"), HasSubstr("is UTF-16"));
  if (SANITIZED) return;  // takes long
  std::string rows = "model,performance\n";
  for (int i = 0; i < 100'000; ++i) rows += std::to_string(i) + ",1\n";
  EXPECT_EQ(error_of(rows + "x,1\n", "t.csv"), "t.csv:100002:1: more than 100000 rows");
}

// Each of these would take minutes, or memory without end, if it took more than its length does.
TEST(ImportLimits, HostileFilesTakeTimeByTheirLength) {
  const auto many = [](const std::string& piece) {
    std::string text;
    while (text.size() < (SANITIZED ? 100'000 : 500'000)) text += piece;
    return text;
  };
  const std::string open = html("").substr(0, html("").size() - 8);
  for (const char* piece : {"<tr>", "<td>", "<td rowspan=1000 colspan=1000>", "<td colspan=1000><tr>",
                            "<a '<a \"", "<a", "<!--", "&#", "<table", "<sup>", "</", "<script>"})
    EXPECT_FALSE(import_performance(open + many(piece), "t.md")) << piece;
  for (const char* piece : {"`\n", "hardware\n:", "hardware:", "|---|\n", "<table>", "```\n", "<", "|\n"})
    EXPECT_FALSE(import_performance(many(piece), "t.md")) << piece;
  for (const char* piece : {"[", "[](", "|", "\\", "![", "**"})
    EXPECT_FALSE(import_performance("|model|performance|\n|---|---|\n|" + many(piece), "t.md")) << piece;
}

// --- the published table that all this is for ----------------------------------------------------

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Each row with everything but its source.
std::vector<std::string> whole_rows(PerformanceTable table) {
  std::vector<std::string> rows;
  for (PerformanceRow& row : table.rows) {
    row.source.clear();
    rows.push_back(write_performance({{row}}));
  }
  return rows;
}

TEST(ImportPublished, HtmlAndCsvOfModelLinkAreTheSameRows) {
  const std::filesystem::path shared = GATE_SOURCE_DIR "/../shared";
  const auto readme = shared / "seeds/003_9a2f3200b063e521.txt", csv = shared / "data/modellink_perf.csv";
  if (!std::filesystem::exists(readme) || !std::filesystem::exists(csv))
    GTEST_SKIP() << "the published table of ModelLink is not here";
  const PerformanceTable of_html = table_of(content(readme), readme.string()),
                         of_csv = table_of(content(csv), csv.string());
  ASSERT_EQ(of_html.rows.size(), 47U);
  EXPECT_EQ(whole_rows(of_html), whole_rows(of_csv));
  EXPECT_EQ(of_html.rows.front().source, "003_9a2f3200b063e521.txt:111");
  EXPECT_EQ(of_html.rows.back().source, "003_9a2f3200b063e521.txt:632");
  EXPECT_EQ(of_csv.rows.back().source, "modellink_perf.csv:48");
  EXPECT_EQ(of_html.find("LLaMA2 7B 4K Mcore 1x8")->contributor, "NAIE");
}

}  // namespace
}  // namespace gate::schema::performance_import_test
