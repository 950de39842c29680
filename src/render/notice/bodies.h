// One function for each kind of receiver.
#pragma once

#include "gate/render/notice.h"

namespace gate::render {

std::string generic_notice(const Notice& notice, const Proof& proof);
std::string slack_notice(const Notice& notice, const Proof& proof);
std::string feishu_notice(const Notice& notice, const Proof& proof);
std::string dingtalk_notice(const Notice& notice, const Proof& proof);
std::string wecom_notice(const Notice& notice, const Proof& proof);

}  // namespace gate::render
