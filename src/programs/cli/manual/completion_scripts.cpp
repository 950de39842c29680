#include <algorithm>
#include <array>

#include "cli/manual/completion.h"

namespace gate::cli {

namespace {

// readline replaces what stands behind the last break of the word under the cursor, so the word is read as
// the shell reads it, and candidates lose the head that stays. No name is ever evaluated.
constexpr const char* bash_script =
    R"__bash__(# Completion of gate for bash, printed by `gate completion bash`.

# Read the line up to the cursor: its words without quotes are in `words`, the quote that is open in `quote`, and
# what readline keeps of the last word in `head`.
_gate_read_line() {
  local line=${COMP_LINE:0:COMP_POINT} char began='' i
  words=('') head='' quote=''
  for ((i = 0; i < ${#line}; ++i)); do
    char=${line:i:1}
    if [[ $char == "$quote" || ( -z $quote && $char == [\'\"] ) ]]; then
      [[ -z $quote ]] && quote=$char || quote=''
      began=yes head=${words[-1]}
    elif [[ $char == \\ && $quote != "'" ]]; then
      began=yes words[-1]+=${line:i+1:1}
      ((++i))
    elif [[ $char == [[:space:]] && -z $quote ]]; then
      [[ -z $began ]] || words+=('')
      began='' head=''
    else
      began=yes words[-1]+=$char
      [[ -n $quote || $COMP_WORDBREAKS != *"$char"* ]] || head=${words[-1]}
    fi
  done
}

# Print the word as it may stand behind the quote that is open.
_gate_quoted() {
  case $quote in
    "'") printf '%s' "${1//\'/\'\\\'\'}" ;;
    '"') printf '%s' "$1" | sed 's/[\\"$`]/\\&/g' ;;
    *) printf '%q' "$1" ;;
  esac
}

# Add the files, or folders, that the last word may become.
_gate_add_files() {
  local value=${words[-1]} flag='' name
  [[ $value != --*=* ]] || flag=${value%%=*}=
  value=${value#"$flag"}
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do found+=("$flag$name"); done < <(compgen "$1" -- "$value")
}

_gate() {
  local words head quote line word found=() files=''
  _gate_read_line
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    if [[ -z $word ]]; then files=${line#$'\t'}; elif [[ $word == "${words[-1]}"* ]]; then found+=("$word"); fi
  done < <(command gate completion -- "${words[@]:1}" 2>/dev/null)
  case $files in files) _gate_add_files -f ;; folders) _gate_add_files -d ;; esac
  COMPREPLY=()
  for word in "${found[@]}"; do
    word=${word#"$head"}
    [[ -n $files || -z $word ]] || word=$(_gate_quoted "$word")
    COMPREPLY+=("$word")
  done
}

complete -F _gate gate
)__bash__";

constexpr const char* zsh_script = R"__zsh__(#compdef gate
# Completion of gate for zsh, printed by `gate completion zsh`.

_gate() {
  local line word files
  local -a found
  for line in ${(f)"$(command gate completion -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)"}; do
    word=${line%%$'\t'*}
    if [[ -z $word ]]; then
      files=${line#$'\t'}
    else
      found+=("${${word//\\/\\\\}//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#found )) && _describe gate found
  [[ -n $files && $PREFIX == --*=* ]] && compset -P 1 '*='
  case $files in
    files) _files ;;
    folders) _files -/ ;;
  esac
}

if [[ $funcstack[1] == _gate ]]; then _gate "$@"; else compdef _gate gate; fi
)__zsh__";

constexpr const char* fish_script =
    R"__fish__(# Completion of gate for fish, printed by `gate completion fish`.

function __gate_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in (command gate completion -- $words[2..-1] "$last" 2>/dev/null)
        set -l parts (string split -m 1 \t -- $line)
        if test -n "$parts[1]"
            printf '%s\n' $line
        else
            set -l flag (string match -r -- '^--[^=]*=' "$last")
            set -l value (string replace -- "$flag" '' "$last")
            set -l paths (complete -C "'' $value")
            test "$parts[2]" = files; or set paths (string match -r -- '^[^\t]*/(?:\t.*)?$' $paths)
            for path in $paths
                printf '%s%s\n' "$flag" $path
            end
        end
    end
end

complete -c gate -f -a '(__gate_complete)'
)__fish__";

struct ScriptRow {
  std::string_view shell;
  const char* script;
};

constexpr std::array<ScriptRow, 3> scripts{
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

}  // namespace

const char* completion_script(std::string_view shell) {
  const auto row = std::ranges::find(scripts, shell, &ScriptRow::shell);
  return row == scripts.end() ? nullptr : row->script;
}

}  // namespace gate::cli
