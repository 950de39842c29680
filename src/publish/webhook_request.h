// One message, ready to be posted.
#pragma once

#include "gate/base/secrets.h"
#include "gate/config/receiver.h"
#include "gate/net/post.h"
#include "gate/render/notice.h"

namespace gate::publish {

struct WebhookRequest {
  net::Request request;
  std::string host;
  Masker masker;  // of the address, its longer parts, and the secret
};

// Return the letter, signed where the receiver has a secret, with the moment as its time. The variables are
// those of gate's environment. Fails where one is not set or holds no address.
Result<WebhookRequest> letter_to(const config::Receiver& to, const render::Notice& notice, Moment moment);

}  // namespace gate::publish
