#include "app/run/log_copy.h"

#include <utility>

namespace gate::app {

LogCopy::LogCopy(Tail tail, std::size_t index, Result<store::LogFile> copy, const Masker& masker)
    : tail_(std::move(tail)), index_(index), masked_(masker) {
  if (copy)
    copy_ = std::move(*copy);
  else
    first_failure_ = tl::unexpected(copy.error());
}

void LogCopy::remember(const Status& status) {
  if (first_failure_) first_failure_ = status;
}

void LogCopy::end_unpacking() {
  if (const std::string torn = unpacker_->finish(); !torn.empty()) remember(fail(torn));
}

void LogCopy::begin_unpacking(extract::Extractor& extractor) {
  unpacker_.emplace([this, &extractor](std::string_view plain) {
    if (copy_) copy_->append(masked_.feed(plain));
    extractor.feed(plain);
  });
}

void LogCopy::read(extract::Extractor& extractor) {
  extractor.resume_file(index_);
  if (!unpacker_) begin_unpacking(extractor);
  const auto anew = [&](Tail::Change change) {
    if (change == Tail::Change::none || change == Tail::Change::gone) return;
    end_unpacking();
    begin_unpacking(extractor);
  };
  const Status read = tail_.read([&](std::string_view bytes) { unpacker_->feed(bytes); }, anew);
  remember(read);
}

Status LogCopy::finish(extract::Extractor& extractor) {
  read(extractor);
  end_unpacking();
  if (!copy_) return first_failure_;
  copy_->append(masked_.finish());
  remember(copy_->close());
  return first_failure_;
}

}  // namespace gate::app
