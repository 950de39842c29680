#include "gate/publish/notify.h"

#include <exception>
#include <future>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/net/post.h"
#include "gate/publish/ci.h"
#include "gate/render/notice.h"
#include "publish/webhook_request.h"

namespace gate::publish {

namespace {

using Receivers = std::vector<config::Receiver>;

constexpr Duration shortened = std::chrono::seconds(3);

void warn(const config::Receiver& to, const std::string& complaint) {
  log::warn("notify " + printable(to.name, 80) + ": " + complaint + "; the verdict stands");
}

Receivers due(const Receivers& all, const Report& report) {
  Receivers due;
  for (const config::Receiver& receiver : all)
    if (receiver.on == config::NotifyOn::always || report.exit_code != exit_code::ok) due.push_back(receiver);
  return due;
}

void mask(render::Notice& notice, const Masker& masker) {
  for (std::string* text : {&notice.title, &notice.about, &notice.suite, &notice.run, &notice.host,
                            &notice.platform, &notice.commit, &notice.link})
    *text = masker.mask(*text);
  for (std::string& next : notice.next) next = masker.mask(next);
  for (render::NoticeCase& one : notice.cases)
    for (std::string* text : {&one.name, &one.owner, &one.what, &one.first}) *text = masker.mask(*text);
}

// Fail where the message did not arrive.
Status send(const config::Receiver& to, const render::Notice& notice, const net::Stop& stop) {
  GATE_TRY(const WebhookRequest request, request_to(to, notice, now()));
  const Result<net::Response> answer = net::post(request.request, stop);
  if (!answer) return fail(request.masker.mask(answer.error().message));
  return check_taken(to.kind, request.host, *answer, request.masker);
}

void send_all(const Receivers& receivers, const render::Notice& notice, const net::Stop& stop) {
  std::vector<std::future<Status>> sent;
  for (const config::Receiver& to : receivers)
    sent.push_back(
        std::async(std::launch::async | std::launch::deferred, [&] { return send(to, notice, stop); }));
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    const Status arrived = sent[i].get();
    if (arrived)
      log::detail("notified " + printable(receivers[i].name, 80));
    else
      warn(receivers[i], arrived.error().message);
  }
}

void shorten(Receivers& receivers) {
  for (config::Receiver& receiver : receivers) {
    receiver.timeout = std::min(receiver.timeout, shortened);
    receiver.retries = 0;
  }
}

}  // namespace

void notify(const std::vector<config::Receiver>& all, const Report& report, const Masker& masker,
            const Signals& signals) {
  Receivers receivers = due(all, report);
  if (receivers.empty()) return;
  if (const Status can = net::can_send(); !can)
    return log::warn("notify: nobody was told, " + can.error().message + "; the verdict stands");
  const bool interrupted = signals.caught();
  if (interrupted) shorten(receivers);
  try {
    render::Notice notice = render::notice_of(report, ci_links().job);
    mask(notice, masker);
    send_all(receivers, notice, [&] { return interrupted ? signals.second_signal() : signals.caught(); });
  } catch (const std::exception&) {  // no memory, no thread
    log::warn("notify: this host has no memory or no thread left; the verdict stands");
  }
}

}  // namespace gate::publish
