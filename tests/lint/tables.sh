#!/usr/bin/env bash
# Fails where a table of src/verdict/score/unicode_tables.cpp is not what Unicode's data give; with --write, the tables are
# written. The categories are those of Unicode 17.0, as the Python package unicodedata2 has them; other data are held
# against the table for the code points that they know. Letter case is what str.lower() of a Python with Unicode 14.0
# does, as 3.11 is; another one does not look at it.   tables.sh TREE [--write]
cd "${1:?usage: tables.sh TREE [--write]}" || exit 2
python3 - "${2:-}" <<'PYTHON' && { [[ -z ${2:-} ]] || clang-format -i src/verdict/score/unicode_tables.cpp; }
import re
import sys
import unicodedata

try:
    import unicodedata2 as data
except ImportError:
    data = unicodedata
PATH = "src/verdict/score/unicode_tables.cpp"
TABLE = r"(std::array<\w+, )\d+(> (\w+)\{\{)(.*?)\}\};"
CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
categories = {code: data.category(chr(code)) for code in CODES}


def ranges(holds):
    found = []
    for code in filter(holds, CODES):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def has_sigma_inside(behind):
    """Whether a capital sigma before the text is not the end of a word: what is cased decides, what is ignored does not."""
    return ("a\u03a3" + behind).lower()[1] == "\u03c3"


def lower_case_rows():
    """Of letters that are alike far from their lower case, at every stride: first, last, stride, distance."""
    rows = []
    for code in CODES:
        low = chr(code).lower()
        if len(low) > 1 or ord(low) == code:
            continue
        first, last, stride, distance = rows[-1] if rows else (0, 0, 0, 0)
        if distance == ord(low) - code and (code - last == stride or (first == last and code - last == 2)):
            rows[-1][1:3] = code, code - last
        else:
            rows.append([code, code, 1, ord(low) - code])
    return rows


def is_cased(code):
    return has_sigma_inside(chr(code))


wanted = {name + "_ranges": ranges(lambda code, letter=letter: categories[code][0] == letter)
          for name, letter in (("punctuation", "P"), ("symbol", "S"), ("number", "N"))}
if data.unidata_version == "17.0.0":
    known = set(CODES)
else:
    known = {code for code in CODES if categories[code] != "Cn"}
if unicodedata.unidata_version == "14.0.0":
    wanted |= {"cased_ranges": ranges(is_cased), "lower_case_rows": lower_case_rows(),
               "case_ignorable_ranges": ranges(lambda code: has_sigma_inside(chr(code) + "a") and not is_cased(code))}
with open(PATH, encoding="utf-8") as file:
    text = file.read()
if sys.argv[1] == "--write":
    if len(known) < len(CODES) or len(wanted) < 6:
        sys.exit("the tables need unicodedata2 of Unicode 17.0 and a Python of Unicode 14.0")

    def written(table):
        rows = wanted[table[3]]
        cells = (", ".join([f"0x{row[0]:04X}", f"0x{row[1]:04X}", *map(str, row[2:])]) for row in rows)
        return table[1] + str(len(rows)) + table[2] + "".join("{" + row + "}," for row in cells) + "}};"

    with open(PATH, "w", encoding="utf-8") as file:
        file.write(re.sub(TABLE, written, text, flags=re.S))
    sys.exit()
wrong = []
for table in re.finditer(TABLE, text, re.S):
    rows = [[int(cell, 0) for cell in row.split(",")] for row in re.findall(r"\{([^{}]*)\}", table[4])]
    if table[3] in wanted and table[3].split("_")[0] in ("punctuation", "symbol", "number"):
        held = {code for first, last in rows for code in range(first, last + 1)} & known
        rows = ranges(held.__contains__)
    if rows != wanted.get(table[3], rows):
        wrong.append(f"{PATH}: {table[3]} is not what Unicode's data give; write it by tests/lint/tables.sh . --write")
sys.exit("\n".join(wrong) or 0)
PYTHON
