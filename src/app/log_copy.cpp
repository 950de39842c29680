#include "app/log_copy.h"

#include <utility>

namespace gate::app {

LogCopy::LogCopy(Tail tail, std::size_t index, Result<store::LogFile> copy, const Masker& masker)
    : tail_(std::move(tail)), index_(index), masked_(masker) {
  if (copy)
    copy_ = std::move(*copy);
  else
    fail(copy.error().message);
}

void LogCopy::fail(const std::string& why) {
  if (wrong_.empty()) wrong_ = why;
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
    fail(unpacker_->finish());
    begin_unpacking(extractor);
  };
  const Status read = tail_.read([&](std::string_view bytes) { unpacker_->feed(bytes); }, anew);
  if (!read) fail(read.error().message);
}

std::string LogCopy::finish(extract::Extractor& extractor) {
  read(extractor);
  fail(unpacker_->finish());
  if (!copy_) return wrong_;
  copy_->append(masked_.finish());
  if (const Status written = copy_->close(); !written) fail(written.error().message);
  return wrong_;
}

}  // namespace gate::app
