#include "gate/config/python_literals.h"

#include <gmock/gmock.h>

namespace gate::config::python_literals_test {
namespace {

using testing::HasSubstr;

// Return what the file sets, `NAME=value;` each; or its mistake.
std::string told(std::string_view text) {
  const auto file = read_python(text, "x.py");
  if (!file) return to_string(file.error());
  std::string out;
  for (const PythonSetting& setting : file->settings)
    out += setting.name + "=" + to_string(setting.value) + ";";
  return out;
}

// Return the one value of `X = ...`, as Python writes it.
std::string value(std::string_view literal) {
  const std::string out = told("X = " + std::string(literal) + "\n");
  return out.starts_with("X=") ? out.substr(2, out.size() - 3) : out;
}

constexpr std::string_view untold = "(not told)";

TEST(Python, TextsInAllTheirQuotes) {
  EXPECT_EQ(value("'a'"), "'a'");
  EXPECT_EQ(value("\"it's\""), "'it's'");
  EXPECT_EQ(value("'''two\nlines'''"), "'two\nlines'");
  EXPECT_EQ(value("\"\"\"a\"b\"\"\""), "'a\"b'");
  EXPECT_EQ(value("''"), "''");
  EXPECT_EQ(value("r'a\\n'"), "'a\\n'");
  EXPECT_EQ(value("R'\\''"), "'\\''");
  EXPECT_EQ(value("u'a'"), "'a'");
  EXPECT_EQ(value("b'a'"), "b'a'");
  EXPECT_EQ(value("Rb'a'"), "b'a'");
  EXPECT_EQ(value("'a\\t\\'\\\\\\q\\\nb'"), "'a\t'\\\\qb'");
  EXPECT_EQ(value("'a' \"b\""), "'ab'");
  EXPECT_EQ(value("('a'\n  # why\n  'b')"), "'ab'");
  EXPECT_EQ(value("'a' \\\n 'b'"), "'ab'");
}

TEST(Python, TextsThatAreNoLiterals) {
  for (const std::string_view text : {"f'a{b}'", "'a' b'c'", "'a' f'c'", "'\\x41'", "'\\0'", "'\\N{DASH}'",
                                      "'a' + 'b'", "'a' % 1", "'a'.x", "'a'[0]", "'a' if b else 'c'"})
    EXPECT_EQ(value(text), untold) << text;
}

TEST(Python, Numbers) {
  for (const std::string_view number :
       {"1", "-1", "0", "1.5", "-1.5", "1e-5", "1.", ".5", "1E+3", "0x1f", "1e-08"})
    EXPECT_EQ(value(number), number);
  EXPECT_EQ(value("+1"), "1");
  EXPECT_EQ(value("- 1"), "-1");
  EXPECT_EQ(value("1_000"), "1000");
  for (const std::string_view no_number :
       {"600 * 8", "--1", "1 if a else 2", "1j", "0x", "1.2.3", "1e", "-", "-a", "1 2", "1-2", "nan", "0b1"})
    EXPECT_EQ(value(no_number), untold) << no_number;
}

TEST(Python, Words) {
  EXPECT_EQ(value("None"), "None");
  EXPECT_EQ(value("True"), "True");
  EXPECT_EQ(value("(False)"), "False");
  for (const std::string_view word :
       {"true", "a", "...", "", "not True", "os.environ['A']", "f(1)", "lambda: 1"})
    EXPECT_EQ(value(word), untold) << word;
}

TEST(Python, ListsTuplesSetsAndDictionaries) {
  EXPECT_EQ(value("[]"), "[]");
  EXPECT_EQ(value("[1, 'a', [None, ], ]"), "[1, 'a', [None]]");
  EXPECT_EQ(value("()"), "()");
  EXPECT_EQ(value("(1,)"), "(1,)");
  EXPECT_EQ(value("(1, 2)"), "(1, 2)");
  EXPECT_EQ(value("{}"), "{}");
  EXPECT_EQ(value("{1, 2}"), "{1, 2}");
  EXPECT_EQ(value("{'a': 1, \"b\" : {2: (3,)},}"), "{'a': 1, 'b': {2: (3,)}}");
  EXPECT_EQ(value("[\n  1,  # one\n\n  2\n]"), "[1, 2]");
}

TEST(Python, AnItemThatIsNoLiteralIsNotToldAtItsPlace) {
  EXPECT_EQ(value("[1, f(2, [3]), 4]"), "[1, (not told), 4]");
  EXPECT_EQ(value("{'a': 1 + 1, b: 2, 'c': 3}"), "{'a': (not told), (not told): 2, 'c': 3}");
  EXPECT_EQ(value("[x for x in y]"), "[(not told)]");
  for (const std::string_view text :
       {"{k: v for k, v in y}", "{1, 2: 3}", "{1: 2, 3}", "{1: 2} | {}", "[1] * 2", "[1] + [2]", "set()"})
    EXPECT_EQ(value(text), untold) << text;
  const auto file = read_python("A = [1,\n  é(2)]\n", "x.py");
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->settings[0].value.is_told());
  EXPECT_EQ(file->settings[0].value.items[1].at.line, 2);
  EXPECT_EQ(file->settings[0].value.items[1].at.column, 3);
}

TEST(Python, NamesWithTypesCommentsAndSeveralInALine) {
  EXPECT_EQ(told("'''a doc'''\n# A = 1\nfrom typing import ClassVar\n\nx: int = 1\ny: Dict[str, int] = {}\n"
                 "z: int\nm = 2; n = 3 # o = 4\n"),
            "x=1;y={};m=2;n=3;");
  EXPECT_EQ(told("a = 1\r\nb = 2\r\n"), "a=1;b=2;");
  EXPECT_EQ(told("# a\rb = 2"), "b=2;") << "a carriage return ends a line";
  EXPECT_EQ(told("\xEF\xBB\xBF"
                 "a = 1"),
            "a=1;");
}

TEST(Python, TheLastAssignmentHoldsAtThePlaceOfTheFirst) {
  EXPECT_EQ(told("a = 1\nb = 2\na = 3\n"), "a=3;b=2;");
  EXPECT_EQ(read_python("a = 1\n a = 2\na = 3\n", "x.py")->find("a")->at.line, 3);
  EXPECT_EQ(read_python("a = 1\n", "x.py")->find("b"), nullptr);
}

TEST(Python, AListThatGrows) {
  EXPECT_EQ(told("a = ['x']\na += ['y', 'z']\n"), "a=['x', 'y', 'z'];");
  EXPECT_EQ(told("a = ['x']\na += more\n"), "a=(not told);");
  EXPECT_EQ(told("a = 'x'\na += 'y'\n"), "a=(not told);");
}

TEST(Python, WhatAnotherStatementMayChangeIsNotTold) {
  for (const std::string_view change : {"a.update(b)",
                                        "a['x'] = 1",
                                        "del a",
                                        "if b:\n  a = 2",
                                        "if b: a = 2",
                                        "try: a = 2\nexcept: pass",
                                        "for a in b: pass",
                                        "a |= {}",
                                        "a = b = 2",
                                        "a, b = 1, 2",
                                        "change(a)",
                                        "def f():\n  global a\n  a = 2",
                                        "c = a.pop(1)",
                                        "c = a\nc.clear()",
                                        "from b import *",
                                        "exec('a = 2')",
                                        "globals()['a'] = 2",
                                        "with b as a: pass",
                                        "import a",
                                        "else: a = 1"})
    EXPECT_THAT(told("a = {}\n" + std::string(change) + "\n"), HasSubstr("a=(not told);")) << change;
  EXPECT_EQ(told("def f():\n  global a\n  a = 2\na = {}\nf()\n"), "a=(not told);");
  EXPECT_EQ(told("a = {}\nb = len(a)\nc = a + '/x'\n"), "a=(not told);b=(not told);c=(not told);");
  EXPECT_EQ(told("from b import *\na = 1\n"), "a=1;");
}

TEST(Python, StarImportsAreNamed) {
  const auto file = read_python("a = 1\n\nfrom .config_common import *\n", "x.py");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->imports.size(), 1U);
  EXPECT_EQ(file->imports[0].module, ".config_common");
  EXPECT_EQ(file->imports[0].at.line, 3);
}

// Return what the file sets where `common` is what each module sets, and what it imports beyond that.
std::string told_with(std::string_view common, std::string_view text) {
  const auto file = read_python(text, "x.py", [&](const std::string& module) -> std::optional<PythonFile> {
    if (module == "gone") return std::nullopt;
    return *read_python(common, module + ".py");
  });
  std::string out;
  for (const PythonSetting& setting : file->settings)
    out += setting.name + "=" + to_string(setting.value) + " " + setting.at.file + ";";
  for (const StarImport& import : file->imports) out += "from " + import.module;
  return out;
}

TEST(Python, StarImportsSetWhatTheModuleSets) {
  EXPECT_EQ(told_with("b = 2\nc = f()\n", "a = 1\nb = 1\nfrom m import *\nd = 4\n"),
            "a=1 x.py;b=2 m.py;c=(not told) m.py;d=4 x.py;");
  EXPECT_EQ(told_with("b = 2\n", "from m import *\nb = 3\n"), "b=3 x.py;");
  EXPECT_EQ(told_with("_b = 2\n", "_b = 1\nfrom m import *\n"), "_b=1 x.py;");
  EXPECT_EQ(told_with("b = 2\n", "a = 1\nfrom gone import *\n"), "a=(not told) x.py;from gone");
}

TEST(Python, WhatAModuleMayHaveFromElsewhereIsNotTold) {
  EXPECT_EQ(told_with("from far import *\nb = 2\n", "a = 1\nfrom m import *\n"),
            "a=(not told) x.py;b=2 m.py;from far");
  EXPECT_EQ(told_with("__all__ = ['b']\nb = 2\nc = 3\n", "c = 1\nfrom m import *\n"),
            "c=(not told) x.py;from m");
}

TEST(Python, MistakesHaveTheirPlaces) {
  EXPECT_EQ(told("a = 'x\nb = 1"), "x.py:1:5: this text is not closed");
  EXPECT_EQ(told("a = '''x\nb = 1"), "x.py:1:5: this text is not closed");
  EXPECT_EQ(told("a = 'x\\"), "x.py:1:5: this text is not closed");
  EXPECT_EQ(told("\na = [1, (2]\n"), "x.py:2:11: this `]` closes no bracket");
  EXPECT_EQ(told("a = )"), "x.py:1:5: this `)` closes no bracket");
  EXPECT_EQ(told("a = {\n"), "x.py:1:5: this bracket is not closed");
  EXPECT_EQ(told(std::string_view("a = 1\n#\0", 8)), "x.py:2:2: a NUL byte stands here");
  EXPECT_EQ(told("a = " + std::string(33, '[') + std::string(33, ']')),
            "x.py:1:37: the brackets are nested too deeply (more than 32)");
  EXPECT_EQ(value(std::string(32, '[') + std::string(32, ']')), std::string(32, '[') + std::string(32, ']'));
  EXPECT_EQ(told(std::string((1 << 20) + 1, ' ')), "x.py:1:1: the file is larger than 1 MiB");
}

TEST(Python, LargeFilesAreReadInOnePass) {
  std::string many;
  for (int i = 0; many.size() < 200'000; ++i) many += "a" + std::to_string(i) + " = 1\nexec\n";
  EXPECT_THAT(told(many + "last = 1\n"), HasSubstr("last=1;"));
  std::string deep = "a = ";
  for (int i = 0; i < 32; ++i) deep += "[";
  for (int i = 0; i < 100'000; ++i) deep += "x.";
  EXPECT_THAT(told(deep + "x" + std::string(32, ']')), HasSubstr("(not told)"));
}

}  // namespace
}  // namespace gate::config::python_literals_test
