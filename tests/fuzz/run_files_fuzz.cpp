// The first byte chooses a file of a run that gate reads again: R its result, C that of a case, S the stages
// of a case, Q what is asked of the run. The rest is the file: an error at its place, or what is written and
// read again as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "error_place.h"
#include "gate/schema/result_file.h"
#include "gate/schema/stages_file.h"
#include "gate/schema/status_file.h"
#include "targets.h"

namespace {

void demand_of_run_file(bool holds) {
  if (!holds) std::abort();
}

template <typename Read, typename Write>
void write_and_read(std::string_view bytes, Read read, Write write) {
  const auto value = read(bytes, "f.json");
  if (!value) return demand_of_run_file(gate::fuzz::names_a_place(value.error().message, "f.json", bytes));
  const std::string text = write(*value);
  const auto again = read(text, "f.json");
  demand_of_run_file(again && write(*again) == text);
}

void read_result_of(std::string_view bytes) {
  const auto report = gate::schema::read_result(bytes, "f.json");
  if (!report) return;
  demand_of_run_file(report->duration >= gate::Duration{} &&
                     report->device_time().value_or(gate::Duration{}) >= gate::Duration{});
  if (report->shard) demand_of_run_file(gate::parse_shard(to_string(*report->shard)).has_value());
}

void read_stages_of(std::string_view bytes) {
  auto stages = gate::schema::read_stages(bytes, "f.json");
  if (!stages) return;
  for (const gate::Stage stage : gate::all_stages) {
    const gate::StageResult* found = stages->find(stage);
    demand_of_run_file(found == nullptr || found->stage == stage);
  }
  stages->put({gate::Stage::init, gate::Exited{0}, "", "", {}, ""});
  demand_of_run_file(stages->stages.size() == 1);
}

// A reader of a file that grows has never more than who reads it whole, and nothing else.
void read_requests_of(std::string_view bytes) {
  const auto whole = gate::schema::read_stops(bytes);
  const auto first = gate::schema::read_stops(bytes.substr(0, bytes.size() / 2));
  demand_of_run_file(first.size() <= whole.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    demand_of_run_file(gate::schema::write_stop(first[i]) == gate::schema::write_stop(whole[i]));
}

}  // namespace

int run_files_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'R':
      write_and_read(bytes, gate::schema::read_result, gate::schema::write_result);
      read_result_of(bytes);
      break;
    case 'C':
      write_and_read(bytes, gate::schema::read_case, gate::schema::write_case);
      break;
    case 'S':
      write_and_read(bytes, gate::schema::read_stages, gate::schema::write_stages);
      read_stages_of(bytes);
      break;
    case 'Q':
      read_requests_of(bytes);
      break;
    default:
      break;
  }
  return 0;
}
