// One request to a store, before it is signed.
#pragma once

#include <map>
#include <string>

#include "gate/objects/store.h"

namespace gate::objects {

struct ObjectStore::Call {
  std::string method;
  std::string key;  // "" is the bucket
  Query query = {};
  std::map<std::string, std::string> headers = {};  // names in small letters
  std::string body = {};
  std::function<net::AnswerTarget()> into = nullptr;  // asked before each try; the range follows from it
};

}  // namespace gate::objects
