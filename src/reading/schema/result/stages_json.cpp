#include <algorithm>

#include "gate/base/text.h"
#include "gate/schema/stages_file.h"
#include "schema/result/json_report.h"

namespace gate::schema {

void members(auto& io, Is<StageResult> auto& stage) {
  io.named("stage", stage.stage, parse_stage);
  io.object("outcome", stage.outcome);
  io.known_text("problem", stage.problem);
  io.text("began", stage.began);
  io.duration("duration_s", stage.duration);
  io.known_text("log", stage.log);
  io.known_texts("leftovers", stage.leftovers);
}

void members(auto& io, Is<StagedOutput> auto& output) {
  io.required_text("name", output.name);
  io.known_text("file", output.file);
  io.known_text("sha256", output.sha256);
  io.known_text("missing", output.missing);
}

void members(auto& io, Is<StagesFile> auto& file) {
  schema_member(io, "gate.stages/1");
  io.required_text("case", file.case_name);
  io.known_text("script_sha256", file.script_sha256);
  io.known_text("environment_sha256", file.environment_sha256);
  io.known_text_map("golden", file.golden);
  io.list("stages", file.stages);
  io.known_list("outputs", file.outputs);
  io.known_text("log", file.log);
}

template void members(MemberWriter& io, const StageResult& stage);
template void members(MemberReader& io, StageResult& stage);

const StageResult* StagesFile::find(Stage stage) const { return row_in(stages, stage, &StageResult::stage); }

void StagesFile::put(StageResult result) {
  std::erase_if(stages, [&](const StageResult& other) { return other.stage >= result.stage; });
  stages.push_back(std::move(result));
}

std::string write_stages(const StagesFile& stages) { return write_document(stages); }

Result<StagesFile> read_stages(std::string_view text, const std::string& file) {
  return read_document<StagesFile>(text, file);
}

}  // namespace gate::schema
