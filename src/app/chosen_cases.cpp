#include <algorithm>

#include "app/chosen_cases.h"
#include "app/run_plan.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

bool has_tag(const config::Case& the_case, const std::vector<std::string>& tags) {
  const std::vector<std::string>& own = the_case.settings.tags;
  return tags.empty() || std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) {
           return std::find(own.begin(), own.end(), tag) != own.end();
         });
}

Result<std::vector<std::string>> select(const std::vector<std::string>& words, const fs::Path& folder,
                                        const Suite& suite, std::span<const config::Found> found) {
  std::vector<std::string> paths;
  for (const std::string& word : words) paths.push_back(as_suite_path(suite, word, folder));
  return config::select(paths, found);
}

tl::unexpected<Failure> no_such_tag(const std::vector<std::string>& tags) {
  return usage("--tag " + join(tags, ", ") + ": no case has this tag");
}

// Return the suite's cases, and those that have a baseline and no script.
std::vector<config::Found> all_judged(const Suite& suite) {
  std::vector<config::Found> all = suite.found;
  for (const std::string& name : find_orphans(suite)) all.push_back({name, name});
  std::ranges::sort(all, {}, &config::Found::name);
  return all;
}

}  // namespace

Answer<std::vector<const config::Case*>> choose(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags,
                                                const fs::Path& folder) {
  const Result<std::vector<std::string>> names = select(words, folder, suite, suite.found);
  if (!names) return usage(names.error());
  std::vector<const config::Case*> chosen;
  for (const std::string& name : *names)
    if (const config::Case* the_case = suite.find(name); the_case != nullptr && has_tag(*the_case, tags))
      chosen.push_back(the_case);
  if (chosen.empty() && !tags.empty()) return no_such_tag(tags);
  return chosen;
}

Answer<config::Case> case_of(const Suite& suite, const std::string& name) {
  if (const config::Case* found = suite.find(name)) return *found;
  Answer<config::Case> the_case = case_of_no_script(suite, suite.overrides);
  if (the_case) the_case->name = name;
  return the_case;
}

Answer<std::vector<config::Case>> choose_judged(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags,
                                                const fs::Path& folder) {
  const Result<std::vector<std::string>> names = select(words, folder, suite, all_judged(suite));
  if (!names) return usage(names.error());
  std::vector<config::Case> chosen;
  for (const std::string& name : *names) {
    Answer<config::Case> the_case = case_of(suite, name);
    if (!the_case) return tl::unexpected(the_case.error());
    if (has_tag(*the_case, tags)) chosen.push_back(std::move(*the_case));
  }
  if (chosen.empty() && !tags.empty()) return no_such_tag(tags);
  return chosen;
}

}  // namespace gate::app
