#include "objects/call.h"

#include <gmock/gmock.h>

namespace gate::objects::answers_test {
namespace {

using testing::HasSubstr;

std::string list_of(const std::string& inside) {
  return "<?xml version='1.0' encoding='UTF-8'?><ListBucketResult "
         "xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>" +
         inside + "</ListBucketResult>";
}

std::string problem_of(const std::string& xml, bool by_token = true) {
  const auto read = read_list(xml, by_token);
  return read ? "none" : read.error().message;
}

TEST(Lists, HaveObjects) {
  const auto read =
      read_list(list_of("<IsTruncated>false</IsTruncated><Contents><Key>a&lt;b &amp; c</Key><Size>12</Size>"
                        "<ETag>&quot;abc&quot;</ETag><LastModified>2026-01-01</LastModified></Contents>"),
                true);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->objects.size(), 1u);
  EXPECT_EQ(read->objects[0].key, "a<b & c");
  EXPECT_EQ(read->objects[0].size, 12u);
  EXPECT_EQ(read->objects[0].etag, "abc");
  EXPECT_EQ(read->objects[0].modified, "2026-01-01");
  EXPECT_EQ(read->next, "");
}

TEST(Lists, GoOn) {
  const std::string object = "<Contents><Key>k</Key><Size>1</Size></Contents>",
                    more = "<IsTruncated>true</IsTruncated>";
  EXPECT_EQ(read_list(list_of(more + "<NextContinuationToken>t</NextContinuationToken>"), true)->next, "t");
  EXPECT_EQ(read_list(list_of(more + "<NextMarker>m</NextMarker>" + object), false)->next, "m");
  EXPECT_EQ(read_list(list_of(more + object), false)->next, "k");
  EXPECT_EQ(problem_of(list_of(more + object)), "the list ends, and says that it does not");
  EXPECT_EQ(problem_of(list_of(more), false), "the list ends, and says that it does not");
}

TEST(Lists, ThatAreNone) {
  for (const char* text :
       {"", "<", "<html/>", "<ListBucketResult>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"})
    EXPECT_EQ(problem_of(text), "the answer is no ListBucketResult") << text;
  for (const char* size : {"", "-1", "x", "99999999999999999999999"})
    EXPECT_THAT(
        problem_of(list_of(std::string("<Contents><Key>k</Key><Size>") + size + "</Size></Contents>")),
        HasSubstr("without key or size"))
        << size;
  EXPECT_THAT(problem_of(list_of("<Contents><Size>1</Size></Contents>")), HasSubstr("without key or size"));
}

TEST(Errors, AreTold) {
  const ErrorAnswer told =
      read_error("<Error><Code>NoSuchKey</Code><Message>It is\nnot there</Message></Error>");
  EXPECT_EQ(told.code, "NoSuchKey");
  EXPECT_EQ(told.message, "It is\nnot there");
  EXPECT_EQ(read_error("busy").code, "");
}

TEST(Uploads, BeginAndEnd) {
  EXPECT_EQ(*read_member("<A><UploadId>u</UploadId></A>", "A", "UploadId"), "u");
  EXPECT_FALSE(read_member("<A><UploadId/></A>", "A", "UploadId"));
  EXPECT_EQ(complete_upload({"a", "b"}),
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"a\"</ETag></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>\"b\"</ETag></Part></CompleteMultipartUpload>");
}

}  // namespace
}  // namespace gate::objects::answers_test
