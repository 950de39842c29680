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

}  // namespace
}  // namespace gate::object_place_test
