// The manual for man(1), as roff, made of the program's own tables.
#pragma once

#include <string>
#include <vector>

namespace gate::cli {

struct ManPage {
  std::string name;  // `gate`, `gate-baseline-record`, `gate.toml`
  int section = 1;
  std::string text;
};

// Return all pages: gate(1), one of each command, gate.toml(5).
std::vector<ManPage> man_pages();

// docs/agents.md, which `gate help agents` prints.
extern const std::string_view agents_page;

}  // namespace gate::cli
