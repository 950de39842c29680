#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/suite_folder.h"

namespace gate::store {

namespace {

constexpr std::string_view extension = ".json";

fs::Path folder_of(const fs::Path& root) { return root / ".gate" / "candidates"; }

tl::unexpected<Error> no_candidate(const fs::Path& root, const std::string& case_name) {
  const auto others = candidate_cases(root);
  return fail("no candidate of case " + printable(case_name, 120) + did_you_mean(case_name, others) +
              "; make one with gate baseline record " + shell_quote(case_name));
}

}  // namespace

fs::Path candidate_path(const fs::Path& root, const std::string& case_name) {
  return folder_of(root) / (case_name + std::string(extension));
}

Status write_candidate(const fs::Path& root, const Baseline& candidate) {
  if (Status status = check_case_name(candidate.case_name); !status) return status;
  return fs::write_file(candidate_path(root, candidate.case_name), schema::write_baseline(candidate));
}

Status remove_candidate(const fs::Path& root, const std::string& case_name) {
  return fs::remove_file(candidate_path(root, case_name));
}

Result<Baseline> read_candidate(const fs::Path& root, const std::string& case_name) {
  if (Status status = check_case_name(case_name); !status) return tl::unexpected(status.error());
  const fs::Path path = candidate_path(root, case_name);
  if (!fs::exists(path)) return no_candidate(root, case_name);
  const auto text = fs::read_file(path);
  if (!text) return tl::unexpected(text.error());
  return schema::read_baseline(*text, path.string());
}

std::vector<std::string> candidate_cases(const fs::Path& root) {
  std::vector<std::string> cases;
  for (const std::string& file : fs::files_below(folder_of(root)))
    if (file.ends_with(extension)) cases.push_back(file.substr(0, file.size() - extension.size()));
  return cases;
}

}  // namespace gate::store
