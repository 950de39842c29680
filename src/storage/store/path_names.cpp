#include "store/path_names.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/store/suite_folder.h"

namespace gate::store {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string flaw_of(const std::string& name) {
  if (name.empty()) return "is empty";
  if (name.starts_with('/')) return "is an absolute path";
  if (std::ranges::any_of(name, is_control)) return "holds a control character";
  for (const std::string_view part : split(name, '/'))
    if (part.empty() || part == "." || part == "..") return "holds a part \"" + std::string(part) + "\"";
  return "";
}

}  // namespace

Status check_name(const std::string& what, const std::string& name) {
  const std::string flaw = flaw_of(name);
  if (flaw.empty()) return {};
  return fail(what + " \"" + printable(name, 120) + "\" " + flaw + "; name it like pretrain/llama2_tp2");
}

Status check_case_name(const std::string& case_name) { return check_name("case", case_name); }

}  // namespace gate::store
