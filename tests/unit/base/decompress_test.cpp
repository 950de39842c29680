#include "gate/base/decompress.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "../temporary.h"

namespace gate::unpack_test {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size()));
  return packed;
}

using Pack = std::string (*)(const std::string&);
constexpr Pack packers[] = {gzip, zstd};

struct Unpacked {
  std::string text, wrong;
};

Unpacked unpack(const std::string& bytes, std::size_t piece = std::string::npos) {
  Unpacked result;
  Decompressor unpacker([&](std::string_view plain) { result.text += plain; });
  for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size() - at))
    unpacker.feed(std::string_view(bytes).substr(at, piece));
  result.wrong = unpacker.finish();
  return result;
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "step " + std::to_string(i * 7919) + "\n";
  return text;
}

TEST(Unpack, LeavesPlainTextAlone) {
  for (const std::string text : {"", "a", "abc", "step 1\nstep 2", "\x1f", "\x28\xb5\x2f"}) {
    EXPECT_EQ(unpack(text).text, text);
    EXPECT_EQ(unpack(text, 1).text, text);
    EXPECT_EQ(unpack(text).wrong, "");
  }
}

// The first block tells a golden file from a log.
TEST(Unpack, GivesPlainBlocksAsTheyCame) {
  std::vector<std::string> blocks;
  Decompressor unpacker([&](std::string_view plain) { blocks.emplace_back(plain); });
  for (const char* block : {"1 10.5\n", "2 9\n"}) unpacker.feed(block);
  EXPECT_EQ(blocks, (std::vector<std::string>{"1 10.5\n", "2 9\n"}));
}

TEST(Unpack, IsTheSameWhereverItIsCut) {
  const std::string text = lines(500) + "no newline";
  for (const Pack pack : packers)
    for (const std::size_t piece : {1, 3, 4, 5, 1000}) {
      const Unpacked unpacked = unpack(pack(text), piece);
      EXPECT_EQ(unpacked.text, text);
      EXPECT_EQ(unpacked.wrong, "");
    }
}

TEST(Unpack, MembersInARowAreOneText) {
  for (const Pack pack : packers)
    for (const std::size_t piece : {std::size_t{1}, std::string::npos}) {
      const std::string packed = pack("one\ntw") + pack("") + pack("o\nthree") + std::string(700, '\0');
      EXPECT_EQ(unpack(packed, piece).text, "one\ntwo\nthree");
      EXPECT_EQ(unpack(packed, piece).wrong, "");
    }
}

TEST(Unpack, ManySmallMembersTakeNoStack) {
  std::string packed;
  for (int i = 0; i < (SANITIZED ? 20'000 : 100'000); ++i) packed += gzip("");
  EXPECT_EQ(unpack(packed + gzip("end")).text, "end");
}

TEST(Unpack, SkipsTheIndexOfParallelPackers) {
  const std::string index("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  EXPECT_EQ(unpack(index + zstd("text")).text, "text");
}

TEST(Unpack, ACutStreamGivesTheWholeLinesBeforeIt) {
  const std::string text = lines(500);
  for (const Pack pack : packers) {
    const std::string packed = pack(text);
    for (std::size_t size = 4; size < packed.size(); size += SANITIZED ? 7 : 1) {
      const Unpacked cut = unpack(packed.substr(0, size), 100);
      EXPECT_TRUE(text.starts_with(cut.text));
      EXPECT_TRUE(cut.text.empty() || cut.text.ends_with('\n'));
      EXPECT_NE(cut.wrong.find("ends in its middle"), std::string::npos) << size;
    }
  }
}

TEST(Unpack, AFlippedByteIsNeverSilent) {
  const std::string text = lines(300);
  for (const Pack pack : packers) {
    const std::string packed = pack(text);
    for (std::size_t at = 10; at < packed.size(); at += SANITIZED ? 7 : 1) {
      std::string flipped = packed;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
      const Unpacked unpacked = unpack(flipped);
      EXPECT_TRUE(!unpacked.wrong.empty() || unpacked.text == text) << at;
      EXPECT_EQ(unpack(flipped, 7).text, unpacked.text) << at;
    }
  }
}

TEST(Unpack, SaysWhatFollowsAMember) {
  for (const Pack pack : packers)
    for (const std::string tail : {"x", "plain text\n"}) {
      const Unpacked unpacked = unpack(pack("one\n") + tail);
      EXPECT_EQ(unpacked.text, "one\n");
      EXPECT_NE(unpacked.wrong.find("is followed by other bytes"), std::string::npos);
    }
}

TEST(Unpack, WhatIsPackedTwiceComesOutPackedOnce) {
  const std::string once = gzip("text\n");
  EXPECT_EQ(unpack(gzip(once)).text, once);
}

// 64 MiB of nothing in 64 KiB: what comes out comes in blocks.
TEST(Unpack, ABombComesInBlocks) {
  const std::string packed = gzip(std::string(std::size_t{64} << 20, 'x'));
  std::size_t largest = 0, total = 0;
  Decompressor unpacker([&](std::string_view plain) {
    largest = std::max(largest, plain.size());
    total += plain.size();
  });
  unpacker.feed(packed);
  EXPECT_EQ(unpacker.finish(), "");
  EXPECT_EQ(total, std::size_t{64} << 20);
  EXPECT_LE(largest, std::size_t{1} << 20);
}

class UnpackFile : public Temporary {};

TEST_F(UnpackFile, IsDecidedByContent) {
  put("plain.gz", "text\n");
  put("packed.log", gzip("text\n"));
  for (const char* name : {"plain.gz", "packed.log"}) {
    std::string text;
    const Result<std::string> wrong =
        read_unpacked(root / name, [&](std::string_view plain) { text += plain; });
    ASSERT_TRUE(wrong);
    EXPECT_EQ(*wrong, "");
    EXPECT_EQ(text, "text\n");
  }
  EXPECT_FALSE(read_unpacked(root / "absent", [](std::string_view) {}));
}

}  // namespace
}  // namespace gate::unpack_test
