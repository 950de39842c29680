#include "gate/schema/result_file.h"
#include "schema/json/series_text.h"
#include "schema/result/json_report.h"

namespace gate::schema {

namespace {

std::string sample_json(const Sample& sample) {
  const bool left_out = sample.value.kind == ValueKind::left_out;
  return "{\"number\": " + std::to_string(sample.number) +
         ", \"value\": " + (left_out ? "null" : number_or_text(word_of(sample))) +
         ", \"file\": " + std::to_string(sample.file) + ", \"line\": " + std::to_string(sample.line) + "}";
}

void write_extracted_series(JsonOut& out, const Series& series) {
  out.text("metric", series.metric());
  out.known_number("rank", series.rank());
  out.text("unit", series.unit());
  out.text("numbered", to_string(series.numbered()));
  out.list("conflicts", [&] {
    for (const std::int64_t number : series.conflicts()) out.number("", number);
  });
  out.list("samples", [&] {
    for (const Sample& sample : series.samples()) out.raw("", sample_json(sample));
  });
}

void write_all_series(JsonOut& out, const std::vector<Series>& all) {
  out.list("series", [&] {
    for (const Series& series : all) out.object("", [&] { write_extracted_series(out, series); });
  });
}

void write_attempt(JsonOut& out, const Attempt& attempt, Attempts attempts) {
  out.text("source", attempt.source);
  out.number("first_step", attempt.first_step);
  out.number("last_step", attempt.last_step);
  if (attempts == Attempts::all) write_all_series(out, attempt.series);
}

void write_match(JsonOut& out, const MatchCount& count) {
  out.text("extractor", count.extractor);
  out.number("matches", count.matches);
}

}  // namespace

void write_extraction(const Extraction& extraction, Attempts attempts, const TakeText& take) {
  JsonOut out(take);
  out.object("", [&] {
    out.texts("files", extraction.files);
    out.texts("formats", extraction.formats);
    out.number("lines", extraction.lines);
    out.number("bytes", extraction.bytes);
    out.known_number("total", extraction.total);
    out.values("notes", quoted(extraction.notes), 1);
    out.list("matches", [&] {
      for (const MatchCount& count : extraction.matches) out.object("", [&] { write_match(out, count); });
    });
    MemberWriter(out).list("problems", extraction.problems);
    MemberWriter(out).list("messages", extraction.messages);
    out.list("attempts", [&] {
      for (const Attempt& attempt : extraction.attempts)
        out.object("", [&] { write_attempt(out, attempt, attempts); });
    });
    write_all_series(out, extraction.series);
  });
  take(out.take());
}

}  // namespace gate::schema
