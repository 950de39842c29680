#include "gate/objects/signing.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/net/post.h"

namespace gate::objects::signing_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string sha256_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

// The examples of the documentation of Amazon S3: "Signature Calculations for the Authorization Header".
const Credentials documented{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
const Sigv4Scope documented_scope{"us-east-1", "s3", "20130524T000000Z"};

SignedParts documented_get(const std::string& path, const Query& query) {
  return {"GET",
          path,
          query,
          {{"host", "examplebucket.s3.amazonaws.com"},
           {"x-amz-content-sha256", sha256_of_nothing},
           {"x-amz-date", documented_scope.time}}};
}

std::string signature_of(const SignedParts& parts) {
  const std::string proof = sigv4_authorization(parts, sha256_of_nothing, documented, documented_scope);
  return proof.substr(proof.rfind('=') + 1);
}

TEST(Sigv4, SignsTheDocumentedGet) {
  SignedParts parts = documented_get("/test.txt", {});
  parts.headers["range"] = "bytes=0-9";
  EXPECT_EQ(sigv4_authorization(parts, sha256_of_nothing, documented, documented_scope),
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(Sigv4, SignsTheDocumentedQueries) {
  EXPECT_EQ(signature_of(documented_get("/", {{"lifecycle", ""}})),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  EXPECT_EQ(signature_of(documented_get("/", {{"prefix", "J"}, {"max-keys", "2"}})),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(Sigv4, SignsWhatIsEncoded) {
  EXPECT_EQ(net::encoded("a b/\xc3\xbc~-._+=", "/"), "a%20b/%C3%BC~-._%2B%3D");
  EXPECT_EQ(net::encoded("a/b"), "a%2Fb");
  EXPECT_EQ(encoded_query({{"a", "2"}, {"a-b", "1"}, {"a", "1 &"}, {"uploads", ""}}),
            "a=1%20%26&a=2&a-b=1&uploads=");
}

TEST(Sigv4, SignsTheTokenOfASession) {
  SignedParts parts = documented_get("/", {});
  const std::string without = signature_of(parts);
  parts.headers["x-amz-security-token"] = "token";
  EXPECT_NE(signature_of(parts), without);
}

TEST(Times, AreThoseOfTheProtocols) {
  const Moment moment = std::chrono::system_clock::from_time_t(1660582212);
  EXPECT_EQ(basic_time(moment), "20220815T165012Z");
  EXPECT_EQ(http_time(moment), "Mon, 15 Aug 2022 16:50:12 GMT");
}

TEST(Obs, SignsHeadersAndSubresources) {
  const SignedParts parts{
      "PUT",
      "/k",
      {{"uploadId", "u1"}, {"prefix", "p"}, {"partNumber", "2"}},
      {{"content-md5", "abc"}, {"date", "D"}, {"x-obs-b", "2"}, {"x-obs-a", " 1 "}, {"host", "h"}}};
  EXPECT_EQ(obs_string_to_sign(parts, "/bucket/k"),
            "PUT\nabc\n\nD\nx-obs-a:1\nx-obs-b:2\n/bucket/k?partNumber=2&uploadId=u1");
  EXPECT_EQ(obs_string_to_sign({"POST", "/k", {{"uploads", ""}}, {}}, "/bucket/k"),
            "POST\n\n\n\n/bucket/k?uploads");
}

// --- vectors of a folder beside the project ---------------------------------------------------------

class PublishedVectors : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path file =
        std::filesystem::path(GATE_SOURCE_DIR) / "../shared/data/objstore_sign_vectors.json";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "../shared/data is not here";
    vectors_ = nlohmann::json::parse(*fs::read_file(file));
  }
  nlohmann::json vectors_;
};

TEST_F(PublishedVectors, OfObs) {
  ASSERT_FALSE(vectors_["obs"].empty());
  for (const auto& one : vectors_["obs"]) {
    const std::string resource = one["canonicalized_resource"];
    const std::size_t question = std::min(resource.find('?'), resource.size());
    SignedParts parts{
        one["method"],
        "",
        {},
        {{"content-md5", one["content_md5"]}, {"content-type", one["content_type"]}, {"date", one["date"]}}};
    for (const std::string_view word : split(std::string_view(resource).substr(question), '&'))
      if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
        parts.query.emplace_back(word.substr(1, equals - 1), word.substr(equals + 1));
    const std::string text = obs_string_to_sign(parts, resource.substr(0, question));
    EXPECT_EQ(text, one["string_to_sign"]) << one["name"];
    EXPECT_EQ(obs_authorization(text, {one["ak"], one["sk"]}), one["authorization"]) << one["name"];
  }
}

TEST_F(PublishedVectors, OfSigv4) {
  ASSERT_FALSE(vectors_["sigv4"].empty());
  for (const auto& one : vectors_["sigv4"]) {
    SignedParts parts{
        one["method"], one["path"], {}, {{"host", "example.amazonaws.com"}, {"x-amz-date", one["date"]}}};
    for (const std::string_view word : split(one["canonical_query"].get_ref<const std::string&>(), '&'))
      if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
        parts.query.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    EXPECT_EQ(sigv4_canonical_request(parts, sha256_of_nothing), one["canonical_request"]) << one["name"];
    EXPECT_THAT(sigv4_authorization(parts, sha256_of_nothing, {one["ak"], one["sk"]},
                                    {one["region"], one["service"], one["date"]}),
                EndsWith("Signature=" + one["signature"].get<std::string>()))
        << one["name"];
  }
}

}  // namespace
}  // namespace gate::objects::signing_test
