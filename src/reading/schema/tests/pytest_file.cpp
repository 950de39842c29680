#include "gate/schema/pytest_file.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "gate/base/text.h"

namespace gate::schema {

namespace {

// What is under test writes the file: decision 45.
constexpr std::size_t most_tests = 100'000;
constexpr std::size_t most_depth = 16;
constexpr std::size_t most_of_name = 4096;  // bytes
constexpr std::size_t most_of_message = 1000;
constexpr double most_seconds = 1e8;

enum class Element : std::uint8_t { suites, suite, test, end, other };

// All elements that pytest writes, and within what they stand. What stands within those of `end` and `other`
// says nothing.
struct ElementRow {
  std::string_view name;
  Element element;
  Element within;
  TestEnd end = TestEnd::passed;  // of Element::end
};
constexpr std::array element_rows{
    ElementRow{"testsuite", Element::suite, Element::suites},
    ElementRow{"testcase", Element::test, Element::suite},
    ElementRow{"properties", Element::other, Element::suite},
    ElementRow{"failure", Element::end, Element::test, TestEnd::failed},
    ElementRow{"error", Element::end, Element::test, TestEnd::erred},
    ElementRow{"skipped", Element::end, Element::test, TestEnd::skipped},
    ElementRow{"properties", Element::other, Element::test},
    ElementRow{"system-out", Element::other, Element::test},
    ElementRow{"system-err", Element::other, Element::test},
};

std::string_view element_name(Element element) {
  constexpr std::array<std::string_view, 3> names{"testsuites", "testsuite", "testcase"};
  return names[static_cast<std::size_t>(element)];
}

// What other tools write of a test that ran and did not fail, in small letters.
constexpr std::array<std::string_view, 8> well_words{"run",        "passed", "pass", "success",
                                                     "successful", "ok",     "",     "completed"};

class Attributes {
 public:
  explicit Attributes(const XML_Char** all) : all_(all) {}

  std::optional<std::string_view> find(std::string_view name) const {
    for (const XML_Char** one = all_; one[0] != nullptr; one += 2)
      if (name == one[0]) return one[1];
    return std::nullopt;
  }
  std::string_view get(std::string_view name) const { return find(name).value_or(""); }

 private:
  const XML_Char** all_;
};

// `tests.ut.test_rope` of `tests/ut/test_rope.py`, as pytest mangles it.
std::string module_of(std::string_view path) {
  if (path.ends_with(".py")) path.remove_suffix(3);
  std::string module(path);
  std::ranges::replace(module, '/', '.');
  return module;
}

// A test as it stands in the file.
struct WrittenTest {
  EndedTest test;     // without its name
  std::string name;   // as JUnit has it
  std::string path;   // of the file that defines it; "" where it is not told
  std::string place;  // `FILE:LINE:COLUMN: ` of the element
};

// Return the name of the test where the file at the path holds it.
std::optional<std::string> name_within(const WrittenTest& written, const std::string& path) {
  if (path.empty()) return std::nullopt;
  const std::string module = module_of(path);
  const std::string& class_name = written.test.result.class_name;
  if (class_name.empty() && written.name == module) return path;
  if (!class_name.starts_with(module)) return std::nullopt;
  std::string name = path;
  const std::string rest = class_name.substr(module.size());
  if (!rest.empty() && rest.front() != '.') return std::nullopt;
  for (const std::string_view part : split(rest, '.'))
    if (!part.empty()) name += "::" + std::string(part);
  return name + "::" + written.name;
}

// The path of each module of the file, by its dotted name.
using PathsByModule = std::map<std::string, std::string, std::less<>>;

// A test that is inherited from a class in another file is told under that file's path, which says nothing of
// the module that runs it.
std::string name_of_test(const WrittenTest& written, const PathsByModule& paths) {
  constexpr int most_classes = 16;  // within one another
  if (const auto name = name_within(written, written.path)) return *name;
  const std::string& class_name = written.test.result.class_name;
  std::string_view module = class_name;
  for (int level = 0; level < most_classes && !module.empty(); ++level) {
    if (const auto found = paths.find(module); found != paths.end())
      if (const auto name = name_within(written, found->second)) return *name;
    const std::size_t dot = module.rfind('.');
    module = module.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return (class_name.empty() ? "" : class_name + "::") + written.name;
}

std::string first_line(std::string_view text) {
  for (const std::string_view line : split(text, '\n'))
    if (!trim(line).empty()) return printable(trim(line), most_of_message);
  return "";
}

// What pytest quotes of the exception: lines that begin with `E`.
std::string quoted_exception(std::string_view text) {
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("E  ")) return first_line(line.substr(1));
  return "";
}

// The last place that a traceback names: `tests/test_rope.py:12: AssertionError`.
void put_place(std::string_view text, TestResult& result) {
  constexpr std::string_view suffix = ".py:";
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t at = line.find(suffix);
    if (at == std::string_view::npos || line.front() == ' ' || line.starts_with("E ")) continue;
    const std::string_view rest = line.substr(at + suffix.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || end == rest.data() + rest.size() || *end != ':') continue;
    result.file = printable(line.substr(0, at + suffix.size() - 1));
    result.line = number;
  }
}

std::optional<Duration> parse_seconds(std::string_view text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (!is_whole || !(seconds >= 0 && seconds < most_seconds)) return std::nullopt;
  return Duration(std::llround(seconds * 1e3));
}

// What a suite, or all of them, counts of its tests, and what it holds.
class Counts {
 public:
  // Returns the attribute that is no number; "": there is none.
  std::string_view begin(const Attributes& attributes) {
    for (const Row& row : rows)
      if (const auto told = attributes.find(row.attribute)) {
        const std::optional<std::int64_t> number = parse_integer(*told);
        if (!number) return row.attribute;
        if (row.attribute == disabled && *number == 0) continue;
        std::optional<std::int64_t>& all = told_[index(row.end)];
        all = all.value_or(0) + std::clamp(*number, -most_told, most_told);
      }
    return "";
  }

  // An element that says how a test ended.
  void add(TestEnd end) { ++held_[index(end)]; }
  void add_test() { ++held_[index(tests)]; }

  // Returns why they disagree; "": they do not.
  std::string disagreement(std::int64_t passed_subtests) const {
    for (const Row& row : rows)
      if (row.end != tests && told(row.end) && *told(row.end) != held(row.end))
        return words(*told(row.end), row.attribute, held(row.end));
    const std::int64_t failed = held(TestEnd::failed), erred = held(TestEnd::erred);
    // pytest counts a test once that failed and could not be torn down, and lists it twice.
    const std::int64_t least = held(tests) - std::min(failed, erred);
    // It counts a test that passed once more if it could not be torn down, and each of its subtests.
    const std::int64_t subtests =
        passed_subtests > 0 ? std::min(passed_subtests, most_told) + held(TestEnd::skipped) : 0;
    const bool may_be_more = failed > 0 || erred > 0;
    if (!told(tests) || (*told(tests) >= least && (may_be_more || *told(tests) <= held(tests) + subtests)))
      return "";
    return words(*told(tests), "tests", held(tests));
  }

 private:
  struct Row {
    std::string_view attribute;
    TestEnd end;
  };
  static constexpr TestEnd tests = TestEnd::passed;  // its place is free: no element says so
  static constexpr std::string_view disabled = "disabled";
  static constexpr std::int64_t most_told = 1'000'000'000;
  static constexpr std::array rows{Row{"tests", tests},
                                   Row{"failures", TestEnd::failed},
                                   Row{"errors", TestEnd::erred},
                                   Row{"skipped", TestEnd::skipped},
                                   Row{"skips", TestEnd::skipped},  // of pytest before version 5
                                   Row{disabled, TestEnd::skipped}};

  static std::size_t index(TestEnd end) { return static_cast<std::size_t>(end); }
  std::int64_t held(TestEnd end) const { return held_[index(end)]; }
  const std::optional<std::int64_t>& told(TestEnd end) const { return told_[index(end)]; }
  static std::string words(std::int64_t told, std::string_view what, std::int64_t held) {
    return "the file counts " + std::to_string(told) + " " + std::string(what) + " and holds " +
           std::to_string(held);
  }

  std::array<std::optional<std::int64_t>, 4> told_{};
  std::array<std::int64_t, 4> held_{};
};

// The parts of a path or of a class's dotted name, as `tests.ut.test_rope` mangles them.
std::vector<std::string_view> module_parts(std::string_view module) {
  std::vector<std::string_view> parts = split(module, '.');
  std::erase(parts, "");
  return parts;
}

// Tell whether one of them ends as the whole other one does: each is seen from a folder of its own.
bool is_same_module(std::span<const std::string_view> a, std::span<const std::string_view> b) {
  const std::size_t common = std::min(a.size(), b.size());
  return common > 0 && std::ranges::equal(a.last(common), b.last(common));
}

// Tell whether the test belongs to the script. `CLASSNAME` has the names of classes behind those of the
// module.
bool is_of_script(std::string_view test, const std::string& script) {
  const std::string_view head = test.substr(0, test.find("::"));
  const std::string module = module_of(head), wanted = module_of(script);
  const std::vector<std::string_view> parts = module_parts(module), all = module_parts(wanted);
  if (head.ends_with(".py")) return is_same_module(parts, all);
  for (std::size_t count = 1; count <= parts.size(); ++count)
    if (is_same_module(std::span(parts).first(count), all)) return true;
  return false;
}

class PytestReader {
 public:
  PytestReader(std::string_view text, const std::string& file, const PytestHints& hints)
      : text_(text), file_(file), hints_(hints) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<PytestReader*>(self)->begin(name, Attributes(attributes));
        },
        [](void* self, const XML_Char*) { static_cast<PytestReader*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* bytes, int length) {
      static_cast<PytestReader*>(self)->add_text({bytes, static_cast<std::size_t>(length)});
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<PytestReader*>(self)->refuse("a document type, which pytest never writes");
        });
    XML_SetXmlDeclHandler(parser_.get(), [](void* self, const XML_Char*, const XML_Char* encoding, int) {
      if (encoding != nullptr && to_lower(encoding) != "utf-8")
        static_cast<PytestReader*>(self)->refuse("encoding " + printable(encoding, 40) + not_utf8);
    });
  }

  Result<PytestFile> read() {
    if (text_.size() > most_pytest_bytes)
      return fail(file_ + ": " + std::to_string(text_.size()) + " bytes; of pytest's file " +
                  std::to_string(most_pytest_bytes) + " are read at most");
    // Expat would read UTF-16, which alone holds such bytes.
    if (text_.find('\0') != std::string_view::npos) return PytestFile{{}, file_ + ":1:1: UTF-16" + not_utf8};
    if (XML_Parse(parser_.get(), text_.data(), static_cast<int>(text_.size()), XML_TRUE) != XML_STATUS_OK)
      refuse(XML_ErrorString(XML_GetErrorCode(parser_.get())));
    if (fault_.empty() && suites_ == 0) refuse("no element testsuite");
    if (fault_.empty()) return named();
    if (!has_root_) return fail(fault_);
    return PytestFile{{}, fault_};
  }

 private:
  static constexpr const char* not_utf8 = ", and pytest writes UTF-8";

  std::string place() const {
    return file_ + ":" + std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ":" +
           std::to_string(XML_GetCurrentColumnNumber(parser_.get()) + 1) + ": ";
  }

  // The first fault counts.
  void refuse(const std::string& what) {
    if (fault_.empty()) fault_ = place() + what;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin(std::string_view name, const Attributes& attributes) {
    if (!fault_.empty()) return;
    if (open_.size() == most_depth) return refuse("elements within one another, too deep");
    const ElementRow row = open_.empty() ? root(name) : row_of(name);
    if (!fault_.empty()) return;
    open_.push_back(row.element);
    if (row.element == Element::suites) begin_counts(all_, attributes);
    if (row.element == Element::suite) begin_suite(attributes);
    if (row.element == Element::test) begin_test(attributes);
    if (row.element == Element::end) begin_end(row.end, attributes);
  }

  ElementRow root(std::string_view name) {
    has_root_ = name == "testsuites" || name == "testsuite";
    if (!has_root_) refuse("<" + printable(name, 40) + ">, and no <testsuites>: no JUnit file");
    return {name, name == "testsuites" ? Element::suites : Element::suite, Element::other};
  }

  ElementRow row_of(std::string_view name) {
    const Element within = open_.back();
    if (within == Element::end || within == Element::other) return {name, Element::other, within};
    const auto* const row = std::ranges::find_if(
        element_rows, [&](const ElementRow& one) { return one.name == name && one.within == within; });
    if (row != element_rows.end()) return *row;
    refuse("<" + printable(name, 40) + "> in a <" + std::string(element_name(within)) +
           ">, which pytest never writes");
    return {name, Element::other, within};
  }

  void begin_suite(const Attributes& attributes) {
    ++suites_;
    begin_counts(suite_ = {}, attributes);
  }

  void begin_counts(Counts& counts, const Attributes& attributes) {
    if (const std::string_view attribute = counts.begin(attributes); !attribute.empty())
      refuse("no number: " + std::string(attribute));
  }

  void begin_test(const Attributes& attributes) {
    if (written_.size() == most_tests) return refuse("more tests than " + std::to_string(most_tests));
    const auto name = attributes.find("name");
    const std::string_view class_name = attributes.get("classname"), path = attributes.get("file");
    if (!name || name->empty()) return refuse("a testcase without a name");
    if (std::max({name->size(), class_name.size(), path.size()}) > most_of_name)
      return refuse("a name of more than " + std::to_string(most_of_name) + " bytes");
    suite_.add_test();
    all_.add_test();
    WrittenTest written{{}, printable(*name, most_of_name), printable(path, most_of_name), place()};
    written.test.result.class_name = printable(class_name, most_of_name);
    if (const auto time = attributes.find("time")) {
      const std::optional<Duration> duration = parse_seconds(*time);
      if (!duration) return refuse("no time: \"" + printable(*time, 40) + '"');
      written.test.result.duration = *duration;
    }
    path_ = written.path;
    line_ = static_cast<std::uint32_t>(parse_integer(attributes.get("line")).value_or(-1) + 1);
    status_.clear();
    for (const std::string_view word : {attributes.get("status"), attributes.get("result")})
      if (std::ranges::find(well_words, to_lower(word)) == well_words.end()) status_ = printable(word, 40);
    written_.push_back(std::move(written));
  }

  // A test of which several things are said ended in the worst of them.
  void begin_end(TestEnd end, const Attributes& attributes) {
    suite_.add(end);
    all_.add(end);
    EndedTest& test = written_.back().test;
    told_.clear();
    is_worst_ = end > test.end;
    if (!is_worst_) return;
    test.end = end;
    test.message = first_line(attributes.get("message"));
    if (attributes.get("type") == "pytest.xfail")
      test.message = "expected to fail" + (test.message.empty() ? "" : ": " + test.message);
  }

  void add_text(std::string_view text) {
    if (!fault_.empty() || open_.empty() || open_.back() == Element::other) return;
    if (open_.back() != Element::end) {
      if (!trim(text).empty()) refuse("text in a <" + std::string(element_name(open_.back())) + ">");
    } else if (is_worst_) {
      told_ += text;
    }
  }

  void end() {
    if (!fault_.empty()) return;
    const Element element = open_.back();
    open_.pop_back();
    if (element == Element::end && is_worst_) end_end(written_.back().test);
    if (element == Element::test) end_test();
    if (element == Element::suite) end_counts(suite_);
    if (element == Element::suites) end_counts(all_);
  }

  void end_test() {
    if (!status_.empty() && written_.back().test.end == TestEnd::passed)
      refuse("a test of status " + status_ + " that shows neither failure, error nor skip");
  }

  void end_counts(const Counts& counts) {
    if (const std::string why = counts.disagreement(hints_.passed_subtests); !why.empty()) refuse(why);
  }

  // Of a module that cannot be collected the message says nothing of why.
  void end_end(EndedTest& test) const {
    TestResult& result = test.result;
    std::string& message = test.message;
    if (const std::string quoted = quoted_exception(told_);
        test.end == TestEnd::erred && !quoted.empty() && message.find(quoted) == std::string::npos)
      message += (message.empty() ? "" : ": ") + quoted;
    if (message.empty()) message = first_line(told_);
    if (test.end != TestEnd::skipped) put_place(told_, result);
    if (!result.file.empty()) return;
    result.file = path_;
    result.line = line_;
  }

  PytestFile named() {
    PathsByModule paths;
    for (const WrittenTest& written : written_) paths.emplace(module_of(written.path), written.path);
    PytestFile all;
    std::map<std::string, std::size_t> places;
    for (WrittenTest& written : written_) {
      written.test.name = name_of_test(written, paths);
      count_owner(written, all);
      const auto [place, is_new] = places.try_emplace(written.test.name, all.tests.size());
      if (is_new)
        all.tests.push_back(std::move(written.test));
      else
        add_again(all.tests[place->second], std::move(written.test));
    }
    return all;
  }

  // Outside of pytest's root folder a test has no class.
  void count_owner(const WrittenTest& written, PytestFile& all) const {
    const bool has_class = !written.test.result.class_name.empty();
    if (!has_class && written.path.empty()) return;
    if (hints_.script.empty() || is_of_script(has_class ? written.test.name : written.path, hints_.script)) {
      ++all.own;
    } else if (all.foreign++ == 0) {
      all.first_foreign = written.place + written.test.name;
    }
  }

  static void add_again(EndedTest& known, EndedTest again) {
    again.result.duration += known.result.duration;
    if (again.end > known.end)
      known = std::move(again);
    else
      known.result.duration = again.result.duration;
  }

  std::string_view text_;
  const std::string& file_;
  const PytestHints& hints_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_{XML_ParserCreate(nullptr),
                                                                       XML_ParserFree};
  std::string fault_;
  std::vector<Element> open_;
  bool has_root_ = false;
  Counts all_, suite_;  // of the file, of the suite that is open
  std::size_t suites_ = 0;
  std::vector<WrittenTest> written_;
  std::string path_;  // of the test that is open, as its attributes tell
  std::uint32_t line_ = 0;
  std::string status_;     // of it, where that is none of a test that is well
  bool is_worst_ = false;  // what is said now is the worst that is said of the test
  std::string told_;       // the text of that
};

}  // namespace

Result<PytestFile> read_pytest_file(std::string_view text, const std::string& file,
                                    const PytestHints& hints) {
  return PytestReader(text, file, hints).read();
}

}  // namespace gate::schema
