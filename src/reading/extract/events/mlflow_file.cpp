#include "extract/events/mlflow_file.h"

#include <algorithm>
#include <optional>

#include "gate/base/text.h"
#include "gate/model/numbers/sample.h"

namespace gate::extract {

namespace {

constexpr std::string_view metrics_folder = "metrics/";
constexpr std::size_t longest_metric_line = 1024;
constexpr std::size_t telling_line = 256;
constexpr std::size_t least_time = 12, most_time = 14;  // digits of it

struct MetricLine {
  std::string_view word;
  std::int64_t step;
};

std::optional<MetricLine> read_metric_line(std::string_view line) {
  const std::vector<std::string_view> parts = split(line, ' ');
  if (parts.size() < 3 || !parse_integer(parts[0]) || !parse_value(parts[1])) return std::nullopt;
  const std::optional<std::int64_t> step = parse_integer(parts[2]);
  return step ? std::optional(MetricLine{parts[1], *step}) : std::nullopt;
}

// Return where the name of the metric begins in the path; npos: it is below no folder `metrics`.
std::size_t behind_metrics(std::string_view path) {
  for (std::size_t at = path.rfind(metrics_folder); at != std::string_view::npos && at > 0;
       at = path.rfind(metrics_folder, at - 1))
    if (path[at - 1] == '/') return at + metrics_folder.size();
  return path.starts_with(metrics_folder) ? metrics_folder.size() : std::string_view::npos;
}

std::size_t digits_at_start(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

}  // namespace

bool is_in_metrics_folder(std::string_view path) { return behind_metrics(path) != std::string_view::npos; }

bool looks_like_mlflow(std::string_view head) {
  const std::size_t digits = digits_at_start(head);
  const std::string_view line = head.substr(0, head.find('\n'));
  return digits >= least_time && digits <= most_time && line.size() < telling_line &&
         read_metric_line(trim(line));
}

bool may_become_mlflow(std::string_view head) {
  return head.size() < telling_line && digits_at_start(head) >= least_time &&
         head.find('\n') == std::string_view::npos;
}

MlflowFile::MlflowFile(std::string_view path, Handlers handlers) : ScalarFile(std::move(handlers)) {
  const std::size_t at = behind_metrics(path);
  const bool is_below = at != std::string_view::npos;
  run_ = is_below ? path.substr(0, at) : ".";
  if (is_below) path.remove_prefix(at);
  while (path.starts_with("./")) path.remove_prefix(2);
  name_ = path.starts_with('/') ? path.substr(path.rfind('/') + 1) : path;
}

void MlflowFile::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line_.size() <= longest_metric_line) line_ += piece.substr(0, longest_metric_line + 1);
    size_ += piece.size();
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    end_line();
  }
}

void MlflowFile::end_line() {
  const std::string_view line = trim(line_);
  const std::optional<MetricLine> read =
      line.size() > longest_metric_line ? std::nullopt : read_metric_line(line);
  ++ended_;
  if (read)
    handlers_.on_scalar({name_, read->word, read->step, 0, offset_, number_});
  else
    complain(ProblemKind::malformed, number_, offset_,
             say({"no time, value and step: {}", "不是时间、值和步号：{}"}, printable(line, 80)));
  offset_ += size_ + 1;
  size_ = 0;
  ++number_;
  line_.clear();
}

void MlflowFile::finish() {
  if (size_ > 0) complain(ProblemKind::torn, number_, offset_, cut_off_after(size_));
}

}  // namespace gate::extract
