// What a receiver answers: whether it took the message.
#pragma once

#include <string>

#include "gate/base/secrets.h"
#include "gate/model/notice.h"
#include "gate/net/post.h"

namespace gate::publish {

// Return why the message was not taken, `HOST answered 404: no_service`, or "" where it was. Services answer
// 200 and say in the body what went wrong; their own words are shown, masked and cut.
std::string complaint_of(NoticeKind kind, const std::string& host, const net::Response& answer,
                         const Masker& masker);

}  // namespace gate::publish
