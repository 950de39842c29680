// What a receiver answers: whether it took the message.
#pragma once

#include <string>

#include "gate/base/result.h"
#include "gate/base/secrets.h"
#include "gate/model/notice.h"
#include "gate/net/post.h"

namespace gate::publish {

// Fail where the message was not taken: `HOST answered 404: no_service`. Services answer 200 and say in the
// body what went wrong; their own words are shown, masked and cut.
Status check_taken(NoticeKind kind, const std::string& host, const net::Response& answer,
                   const Masker& masker);

}  // namespace gate::publish
