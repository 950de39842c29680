// What a node says first on a connection to node 0, and whether node 0 takes it.
//
// One line of words, `tinygpt-1 nnodes=2 ranks=1 ... node=1 channel=data`: all that must be the same on all
// nodes for one result, then who comes and what for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "trainer/options.h"
#include "trainer/parameters.h"

namespace tinygpt {

// A node has two connections to node 0. Its ranks exchange values on `data`; its launcher keeps `control`,
// on which silence says that all is well.
enum class Channel { control, data };

struct Hello {
  int node = 0;
  Channel channel = Channel::control;
};

// The longest line that is looked at, with its end.
inline constexpr std::size_t kLongestLine = 512;

// Return `32x64x64x4x2x4`: vocabulary, context, width, heads, layers, batch.
std::string word_of(const ModelShape& shape);

// Return the name of this host's byte order, `little` or `big`.
std::string byte_order();

// Return the words that must be the same on all nodes.
std::string terms_of(const Options& options, const ModelShape& shape);

// Return the line with its end.
std::string hello_line(const std::string& terms, const Hello& hello);

// Read a line without its end, whoever sent it: the hello of one of nodes 1 to `last`, or else why it is
// refused, in printable words.
std::variant<Hello, std::string> read_hello(const std::string& terms, std::string_view line, int last);

// True if all of it is ASCII that can be printed.
bool is_printable(std::string_view text);

}  // namespace tinygpt
