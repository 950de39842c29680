#include "gate/schema/tensor_file.h"

#include <gmock/gmock.h>

namespace gate::schema::tensor_file_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Result<std::vector<Tensor>> read(const std::string& header, std::uint64_t behind) {
  return read_tensor_header(header, tensor_prefix_bytes + header.size() + behind, "f");
}

TEST(TensorHeader, IsReadInTheOrderOfBytes) {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[],"data_offsets":[8,10]},)"
      R"("a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"e":{"shape":[0,9],"dtype":"I8","data_offsets":[10,10]}}  )";
  const auto tensors = read(header, 10);
  ASSERT_TRUE(tensors) << tensors.error().message;
  ASSERT_EQ(tensors->size(), 3U);
  EXPECT_EQ((*tensors)[0].name, "a");
  EXPECT_EQ(kind_of((*tensors)[0]), "F32 1x2");
  EXPECT_EQ((*tensors)[0].begin, tensor_prefix_bytes + header.size());
  EXPECT_EQ((*tensors)[1].bytes(), 2U);
  EXPECT_EQ(kind_of((*tensors)[2]), "I8 0x9");
}

TEST(TensorHeader, IsHeldAgainstTheFile) {
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const auto with = [&](const std::string& rest) { return "{" + a + "," + rest + "}"; };
  struct {
    std::string header;
    std::uint64_t behind;
    const char* why;
  } const rows[] = {
      {"", 0, "does not begin with {"},
      {"[]", 0, "does not begin with {"},
      {"{" + a + "}", 7, "cut off"},
      {"{" + a + "}", 9, "1 byte behind the last tensor"},
      {with(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})"), 8, "overlap"},
      {with(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})"), 8, "overlap"},
      {with(R"("b":{"dtype":"I8","shape":[0],"data_offsets":[4,4]})"), 8, "overlap"},
      {with(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[10,14]})"), 14, "2 bytes of no tensor"},
      {R"({"b":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}})", 2,
       "1 byte of no tensor between the header"},
      {with(a), 8, "a second time"},
      {with(R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]})"), 8, "ends at byte 12"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", 0, "data_offsets is no list"},
      {R"({"b":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "shape is no list"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4e0]}})", 4, "data_offsets is no list"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "ends before it begins"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 8, "data_offsets is no list"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 8, "lacks one of"},
      {R"({"b":{"dtype":"F32","data_offsets":[0,4]}})", 4, "lacks one of"},
      {R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", 4, "unknown key"},
      {R"({"b":{"dtype":"Q4","shape":[1],"data_offsets":[0,4]}})", 4, "none that safetensors has"},
      {R"({"b":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4,
       "no possible number"},
      {R"({"b":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2, "no possible number"},
      {R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "and 8 by its dtype"},
      {R"({"b":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}})", 4, "shape is no list"},
      {R"({"b":7})", 0, "is no object"},
      {R"({"__metadata__":{"x":1}})", 0, "is no text"},
      {R"({"__metadata__":1})", 0, "is no object of texts"},
      {"{\"\xFF\":1}", 0, "UTF-8"},
      {"{} \0", 0, ""},
      {R"({"b":)", 0, "not JSON"},
  };
  for (const auto& [header, behind, why] : rows) {
    const auto tensors = read(header, behind);
    if (*why == '\0') continue;
    ASSERT_FALSE(tensors) << header;
    EXPECT_THAT(tensors.error().message, StartsWith("f:"));
    EXPECT_THAT(tensors.error().message, HasSubstr(why)) << header;
  }
}

TEST(TensorHeader, HasALengthThatIsChecked) {
  const auto length = [](std::string bytes, std::uint64_t size) {
    return tensor_header_bytes(bytes, size, "f");
  };
  EXPECT_EQ(length(std::string("\2\1\0\0\0\0\0\0", 8), 600).value_or(0), 258U);
  EXPECT_THAT(length(std::string("\2\1\0\0\0\0\0\0", 8), 200).error().message,
              HasSubstr("cut off in its header"));
  EXPECT_THAT(length("\2\1", 2).error().message, HasSubstr("it has 2 bytes"));
  EXPECT_THAT(length("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 1000).error().message,
              HasSubstr("at most 100000000"));
  EXPECT_THAT(length("version ", 130).error().message, HasSubstr("git lfs pull"));
}

TEST(TensorIndex, NamesShardsBesideIt) {
  const auto shards =
      read_tensor_index(R"({"metadata":{},"weight_map":{"a":"m-1.safetensors","b":"m-2.safetensors"}})", "f");
  ASSERT_TRUE(shards);
  EXPECT_EQ(shards->at("b"), "m-2.safetensors");
  for (const char* shard :
       {"../m.safetensors", "/m.safetensors", "d/m.safetensors", "m.bin", "", ".safetensors",
        "m.safetensors.index.json", "d\\\\m.safetensors", "\\u0000.safetensors"})
    EXPECT_FALSE(read_tensor_index(R"({"weight_map":{"a":")" + std::string(shard) + "\"}}", "f")) << shard;
  for (const char* text :
       {"", "[]", "{}", R"({"weight_map":[]})", R"({"weight_map":{"a":1}})", R"({"weight_map":{}})",
        R"({"weight_map":{"a":"m.safetensors","a":"n.safetensors"}})"})
    EXPECT_FALSE(read_tensor_index(text, "f")) << text;
}

}  // namespace
}  // namespace gate::schema::tensor_file_test
