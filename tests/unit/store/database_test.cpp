#include "gate/store/database.h"

#include <gmock/gmock.h>

#include <array>
#include <filesystem>

#include "../temporary.h"

namespace gate::store::database_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

constexpr std::array<std::string_view, 1> steps{"CREATE TABLE numbers(piece INTEGER, word TEXT, value REAL)"};

class Pieces : public Temporary {
 protected:
  std::unique_ptr<Database> open() const {
    auto database = Database::open(root / "deep/numbers.db", steps, "");
    EXPECT_TRUE(database.has_value());
    (*database)->execute("INSERT INTO numbers VALUES(0, 'a', 1.5), (1, 'b', NULL), (1, 'c', 4), (2, 'd', 8)");
    return std::move(*database);
  }

  // The sum of each piece.
  static std::vector<double> sums(Database& database, std::size_t threads) {
    std::vector<double> sums(3);
    database.read_pieces(sums.size(), threads, [&](Database& from, std::size_t piece) {
      sums[piece] = 0;
      Statement(from, "SELECT take(value) FROM numbers WHERE piece = ?")
          .bind(static_cast<std::int64_t>(piece))
          .take([&](const TakenRow& row) { sums[piece] += row.real(0).value_or(0); });
    });
    return sums;
  }
};

TEST_F(Pieces, AreTheSameInSeveralThreads) {
  const auto database = open();
  EXPECT_THAT(sums(*database, 1), ElementsAre(1.5, 4, 8));
  EXPECT_THAT(sums(*database, 3), ElementsAre(1.5, 4, 8));
  EXPECT_TRUE(database->status().has_value());
}

TEST_F(Pieces, ThatNoOtherConnectionReadsAreReadByTheFirst) {
  const auto database = open();
  std::filesystem::rename(root / "deep", root / "moved");
  EXPECT_THAT(sums(*database, 3), ElementsAre(1.5, 4, 8));
}

TEST_F(Pieces, OfARowAreTakenAsTheyAre) {
  const auto database = open();
  std::string words;
  Statement(*database, "SELECT take(word, value, piece) FROM numbers WHERE piece = 1")
      .take([&](const TakenRow& row) {
        words += row.view(0);
        EXPECT_EQ(row.integer(2), 1);
        if (row.view(0) == "b") EXPECT_EQ(row.real(1), std::nullopt);
        if (row.view(0) == "c") EXPECT_THAT(row.real(1), Optional(4));
      });
  EXPECT_EQ(words, "bc");
}

}  // namespace
}  // namespace gate::store::database_test
