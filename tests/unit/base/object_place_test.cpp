#include "gate/base/object_place.h"

#include <gmock/gmock.h>

namespace gate::object_place_test {
namespace {

using testing::HasSubstr;

TEST(ObjectPlaces, AreRead) {
  const ObjectPlace place = *parse_object_place("s3://a-bucket.x/deep/file name.txt");
  EXPECT_EQ(place.service, ObjectService::s3);
  EXPECT_EQ(place.bucket, "a-bucket.x");
  EXPECT_EQ(place.key, "deep/file name.txt");
  EXPECT_FALSE(place.is_prefix());
  EXPECT_EQ(place.url(), "s3://a-bucket.x/deep/file name.txt");
  EXPECT_EQ(parse_object_place("obs://b/k")->service, ObjectService::obs);
  EXPECT_EQ(parse_object_place("obs:///k")->bucket, "");
  for (const char* prefix : {"s3://b", "s3://b/", "s3://b/deep/"})
    EXPECT_TRUE(parse_object_place(prefix)->is_prefix()) << prefix;
}

TEST(ObjectPlaces, HaveNamesBelowThem) {
  EXPECT_EQ(parse_object_place("s3://b/deep/")->below("x").url(), "s3://b/deep/x");
  EXPECT_EQ(parse_object_place("s3://b")->below("x").url(), "s3://b/x");
  EXPECT_EQ(parse_object_place("s3://b/file")->below("x").url(), "s3://b/file");
}

TEST(ObjectPlaces, ThatAreNone) {
  for (const char* text : {"", "s3:/b/k", "S3://b/k", "file:///x", "b/k"})
    EXPECT_FALSE(is_object_place(text)) << text;
  for (const char* text :
       {"s3://-b/k", "s3://.b/k", "s3://a b/k", "s3://a@b/k", "s3://b:9000/k", "s3://b?x/k"})
    EXPECT_THAT(parse_object_place(text).error().message, HasSubstr("no name of a bucket")) << text;
  EXPECT_FALSE(parse_object_place("s3://" + std::string(64, 'b') + "/k"));
  for (const char* key : {"../x", "a/../b", ".", "a/./b", "a//b", "/a", "a/..", "a\nb", "a/../"})
    EXPECT_THAT(parse_object_place("s3://b/" + std::string(key)).error().message, HasSubstr("a key has"))
        << key;
  EXPECT_FALSE(parse_object_place("s3://b/" + std::string(1025, 'k')));
  EXPECT_TRUE(parse_object_place("s3://b/" + std::string(1024, 'k')));
}

TEST(ObjectPlaces, HaveNoGoldenFileThatAServerAnswersInItsPlace) {
  const auto problem = [](const std::string& text, const std::string& name = "s3://b/output.txt") {
    const Status checked = check_golden_object(name, text);
    return checked ? "" : checked.error().message;
  };
  for (const std::string before : {"", "\xef\xbb\xbf", "\n \r\n",
                                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "<!-- of a proxy -->\n"}) {
    for (const char* page : {"<html>", "<HTML lang=\"en\">", "<!DOCTYPE html>",
                             "<!doctype HTML PUBLIC \"x\">", "<head><title>Log in</title>", "<html\n>"})
      EXPECT_EQ(problem(before + page), "s3://b/output.txt: is a page of HTML, and no golden file") << page;
    for (const char* error : {"<Error><Code>NoSuchKey</Code></Error>", "<Error xmlns=\"x\"/>", "<Error>"})
      EXPECT_EQ(problem(before + error), "s3://b/output.txt: is an error of a store, and no golden file");
    for (const char* golden : {"", "a b c", "Errors are <html>", "<errors>", "<htmlx>", "<p>",
                               "{\"html\": 1}", "<", "<html", "<!--", "<?"})
      EXPECT_EQ(problem(before + golden), "") << golden;
  }
  for (const char* name : {"s3://b/a.html", "obs://b/a.HTM", "s3://b/a.xml"})
    EXPECT_EQ(problem("<html></html>", name), "") << name;
}

}  // namespace
}  // namespace gate::object_place_test
