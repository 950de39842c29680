#include "gate/schema/pytest_file.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_tests = 100'000;
constexpr std::size_t most_depth = 16;
constexpr std::size_t most_of_name = 4096;  // bytes
constexpr std::size_t most_of_message = 1000;
constexpr double most_seconds = 1e8;

enum class Element : std::uint8_t { suites, suite, test, end, other };

// The elements that say something, and within what they stand.
struct ElementRow {
  std::string_view name;
  Element element;
  Element within;
  TestEnd end = TestEnd::passed;  // of Element::end
};
constexpr std::array element_rows{
    ElementRow{"testsuite", Element::suite, Element::suites},
    ElementRow{"testcase", Element::test, Element::suite},
    ElementRow{"failure", Element::end, Element::test, TestEnd::failed},
    ElementRow{"error", Element::end, Element::test, TestEnd::erred},
    ElementRow{"skipped", Element::end, Element::test, TestEnd::skipped},
};

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
  EndedTest test;    // without its name
  std::string name;  // as JUnit has it
  std::string path;  // of the file that defines it; "" where it is not told
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

// What a suite counts of its tests, and what it holds.
struct EndCount {
  std::string_view attribute;
  TestEnd end;
  std::optional<std::int64_t> told = {};
  std::int64_t held = 0;
};

class PytestReader {
 public:
  PytestReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
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
  }

  Result<std::vector<EndedTest>> read() {
    if (text_.size() > most_pytest_bytes)
      return fail(file_ + ": " + std::to_string(text_.size()) + " bytes; of pytest's file " +
                  std::to_string(most_pytest_bytes) + " are read at most");
    if (XML_Parse(parser_.get(), text_.data(), static_cast<int>(text_.size()), XML_TRUE) != XML_STATUS_OK)
      refuse(XML_ErrorString(XML_GetErrorCode(parser_.get())));
    if (fault_.empty() && suites_ == 0) refuse("no element testsuite");
    if (!fault_.empty()) return fail(fault_);
    return named();
  }

 private:
  // The first fault counts.
  void refuse(const std::string& what) {
    if (fault_.empty())
      fault_ = file_ + ":" + std::to_string(XML_GetCurrentLineNumber(parser_.get())) + ":" +
               std::to_string(XML_GetCurrentColumnNumber(parser_.get()) + 1) + ": " + what;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin(std::string_view name, const Attributes& attributes) {
    if (!fault_.empty()) return;
    if (open_.size() == most_depth) return refuse("elements within one another, too deep");
    open_.push_back(open_.empty() ? root(name) : Element::other);
    if (open_.size() == 1 && open_.back() == Element::other)
      return refuse("<" + printable(name, 40) + ">, and no <testsuites>: no JUnit file");
    if (open_.back() == Element::suite) return begin_suite(attributes);
    if (open_.size() == 1) return;
    const auto* const row = std::ranges::find(element_rows, name, &ElementRow::name);
    if (row == element_rows.end() || row->within != open_[open_.size() - 2]) return;
    open_.back() = row->element;
    if (row->element == Element::suite) begin_suite(attributes);
    if (row->element == Element::test) begin_test(attributes);
    if (row->element == Element::end) begin_end(row->end, attributes);
  }

  static Element root(std::string_view name) {
    if (name == "testsuites") return Element::suites;
    return name == "testsuite" ? Element::suite : Element::other;
  }

  void begin_suite(const Attributes& attributes) {
    ++suites_;
    counts_ = {EndCount{"failures", TestEnd::failed}, EndCount{"errors", TestEnd::erred}};
    for (EndCount& count : counts_)
      if (const auto told = attributes.find(count.attribute)) {
        count.told = parse_integer(*told);
        if (!count.told) refuse("no number: " + std::string(count.attribute));
      }
  }

  void begin_test(const Attributes& attributes) {
    if (written_.size() == most_tests) return refuse("more tests than " + std::to_string(most_tests));
    const auto name = attributes.find("name");
    const std::string_view class_name = attributes.get("classname"), path = attributes.get("file");
    if (!name || name->empty()) return refuse("a testcase without a name");
    if (std::max({name->size(), class_name.size(), path.size()}) > most_of_name)
      return refuse("a name of more than " + std::to_string(most_of_name) + " bytes");
    WrittenTest written{{}, printable(*name, most_of_name), printable(path, most_of_name)};
    written.test.result.class_name = printable(class_name, most_of_name);
    if (const auto time = attributes.find("time")) {
      const std::optional<Duration> duration = parse_seconds(*time);
      if (!duration) return refuse("no time: \"" + printable(*time, 40) + '"');
      written.test.result.duration = *duration;
    }
    place_ = written.path;
    line_ = static_cast<std::uint32_t>(parse_integer(attributes.get("line")).value_or(-1) + 1);
    written_.push_back(std::move(written));
  }

  // A test of which several things are said ended in the worst of them.
  void begin_end(TestEnd end, const Attributes& attributes) {
    for (EndCount& count : counts_)
      if (count.end == end) ++count.held;
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
    if (!open_.empty() && open_.back() == Element::end && is_worst_) told_ += text;
  }

  void end() {
    if (!fault_.empty()) return;
    const Element element = open_.back();
    open_.pop_back();
    if (element == Element::end && is_worst_) end_end(written_.back().test);
    if (element == Element::suite) end_suite();
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
    result.file = place_;
    result.line = line_;
  }

  void end_suite() {
    for (const EndCount& count : counts_)
      if (count.told && *count.told != count.held)
        return refuse("the file counts " + std::to_string(*count.told) + " " + std::string(count.attribute) +
                      " and holds " + std::to_string(count.held));
  }

  std::vector<EndedTest> named() {
    PathsByModule paths;
    for (const WrittenTest& written : written_) paths.emplace(module_of(written.path), written.path);
    std::vector<EndedTest> tests;
    std::map<std::string, std::size_t> places;
    for (WrittenTest& written : written_) {
      written.test.name = name_of_test(written, paths);
      const auto [place, is_new] = places.try_emplace(written.test.name, tests.size());
      if (is_new)
        tests.push_back(std::move(written.test));
      else
        add_again(tests[place->second], std::move(written.test));
    }
    return tests;
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
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_{XML_ParserCreate(nullptr),
                                                                       XML_ParserFree};
  std::string fault_;
  std::vector<Element> open_;
  std::array<EndCount, 2> counts_{};  // of the suite that is open
  std::size_t suites_ = 0;
  std::vector<WrittenTest> written_;
  std::string place_;  // of the test that is open, as its attributes tell
  std::uint32_t line_ = 0;
  bool is_worst_ = false;  // what is said now is the worst that is said of the test
  std::string told_;       // the text of that
};

}  // namespace

Result<std::vector<EndedTest>> read_pytest_file(std::string_view text, const std::string& file) {
  return PytestReader(text, file).read();
}

}  // namespace gate::schema
