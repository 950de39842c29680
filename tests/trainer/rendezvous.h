// How the nodes of a training come together.
#pragma once

#include <string>
#include <vector>

#include "trainer/options.h"
#include "trainer/socket.h"

namespace tinygpt {

// The connections to another node; see Channel.
struct Link {
  Socket control;
  Socket data;
};

// What a launcher says on `control`, in one byte: that its ranks have all ended well, or the number of the
// node that was lost.
inline constexpr unsigned char kDone = 255;

// Listen at the master's address until all other nodes have come with the same terms, and return the links to
// them, [node]; [0] is empty. Who is something else or brings other terms is refused, with a line on standard
// error (the first few are), and does not hurt. Throws std::runtime_error when nodes are missing at the end
// of the limit or one that has come is gone, which the others are told; std::system_error when it cannot
// listen.
std::vector<Link> gather_nodes(const Options& options, const std::string& terms);

// Connect to node 0, as often as it takes within the limit, and return the link to it, [0]. Throws
// std::runtime_error when it cannot be reached or refuses.
std::vector<Link> reach_first_node(const Options& options, const std::string& terms);

// Say the byte on `control`; a connection that is broken is left alone.
void say(const Link& link, unsigned char byte);

}  // namespace tinygpt
