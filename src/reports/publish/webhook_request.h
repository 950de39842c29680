// One message, ready to be posted, and what its receiver answers.
#pragma once

#include <string>

#include "gate/base/result.h"
#include "gate/base/secrets.h"
#include "gate/config/receiver.h"
#include "gate/model/reports/notice.h"
#include "gate/net/post.h"
#include "gate/render/notice.h"

namespace gate::publish {

struct WebhookRequest {
  net::Request request;
  std::string host;
  Masker masker;  // of the address, its longer parts, and the secret
};

// Return the request, signed where the receiver has a secret, with the moment as its time. The variables are
// those of gate's environment. Fails if one is not set or holds no address.
Result<WebhookRequest> request_to(const config::Receiver& to, const render::Notice& notice, Moment moment);

// Fail if the message was not taken: `HOST answered 404: no_service`. Services answer 200 and say in the
// body what went wrong; their own words are shown, masked and cut.
Status check_taken(NoticeKind kind, const std::string& host, const net::Response& answer,
                   const Masker& masker);

}  // namespace gate::publish
