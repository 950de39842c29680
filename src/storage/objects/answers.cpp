#include "objects/call.h"

#include <pugixml.hpp>

#include "gate/base/text.h"

namespace gate::objects {

namespace {

std::string text_of(const pugi::xml_node& node, const char* member) {
  return node.child(member).text().get();
}

Result<pugi::xml_node> root_of(pugi::xml_document& document, std::string_view xml, const char* root) {
  const pugi::xml_parse_result parsed = document.load_buffer(xml.data(), xml.size());
  const pugi::xml_node node = document.child(root);
  if (!parsed || !node) return fail(std::string("the answer is no ") + root);
  return node;
}

Result<Object> object_of(const pugi::xml_node& node) {
  Object object{text_of(node, "Key"), 0, text_of(node, "LastModified"),
                without_quotes(text_of(node, "ETag"))};
  const auto size = parse_integer(text_of(node, "Size"));
  if (object.key.empty() || !size || *size < 0) return fail("the list has an object without key or size");
  object.size = static_cast<std::uintmax_t>(*size);
  return object;
}

}  // namespace

std::string without_quotes(std::string_view etag) {
  std::string out(trim(etag));
  std::erase(out, '"');
  return out;
}

ErrorAnswer read_error(std::string_view xml) {
  pugi::xml_document document;
  const auto root = root_of(document, xml, "Error");
  if (!root) return {};
  return {text_of(*root, "Code"), text_of(*root, "Message")};
}

Result<ListAnswer> read_list(std::string_view xml, bool by_token) {
  pugi::xml_document document;
  GATE_TRY(const pugi::xml_node root, root_of(document, xml, "ListBucketResult"));
  ListAnswer answer;
  for (const pugi::xml_node node : root.children("Contents")) {
    GATE_TRY(Object object, object_of(node));
    answer.objects.push_back(std::move(object));
  }
  if (text_of(root, "IsTruncated") != "true") return answer;
  answer.next = text_of(root, by_token ? "NextContinuationToken" : "NextMarker");
  if (answer.next.empty() && !by_token && !answer.objects.empty()) answer.next = answer.objects.back().key;
  if (answer.next.empty()) return fail("the list ends, and says that it does not");
  return answer;
}

Result<std::string> read_member(std::string_view xml, const char* root, const char* member) {
  pugi::xml_document document;
  GATE_TRY(const pugi::xml_node node, root_of(document, xml, root));
  std::string text = text_of(node, member);
  if (text.empty()) return fail(std::string("the answer has no ") + member);
  return text;
}

std::string complete_upload(const std::vector<std::string>& etags) {
  std::string body = "<CompleteMultipartUpload>";
  for (std::size_t i = 0; i < etags.size(); ++i)
    body += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>\"" + etags[i] +
            "\"</ETag></Part>";
  return body + "</CompleteMultipartUpload>";
}

}  // namespace gate::objects
