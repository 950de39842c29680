// Which pieces of which sources are one attempt of a training.
//
// A training that dies is started again, resumes from a checkpoint, and goes on writing into the same log:
// that is its next attempt. No line says of which attempt it is, and several sources (files, or launchers'
// prefixes in them: ranks, hosts) print one run beside one another, early or late. What can be seen is that a
// source prints rising steps. Where they fall, or where the last one is printed again behind a failure, one
// piece of the source ends and the next begins. An attempt is at most one piece of each source. Two hosts,
// one restart:
//
//   line 1   node0:  step 1 | loss 3.0   node0's first piece, steps 1-2, lines 1-3
//   line 2   node1:  step 1 | loss 3.0   node1's first piece, steps 1-2, lines 2-4
//   line 3   node0:  step 2 | loss 2.9   their lines overlap: together they are attempt 1
//   line 4   node1:  step 2 | loss 2.9
//   line 5   node1:  Traceback ...
//   line 6   node1:  step 2 | loss 2.8   again, with another loss behind a failure: node1's second piece
//   line 7   node1:  step 3 | loss 2.7
//   line 8   node0:  step 2 | loss 2.8   node0's second piece stands behind all of node1's, and has the
//   line 9   node0:  step 3 | loss 2.7   same steps and equal values: attempt 2, which resumed at step 2
//
// The last attempt is judged, or the one that a person names, with the steps before its first one from the
// attempt that it resumed from: here steps 2 and 3 of attempt 2, behind step 1 of attempt 1.
//
// Pieces that overlap are one attempt: by their times if both print times, else by their lines in one file.
// Of a piece wholly behind another source's the first of these that holds is said. The piece of line 8 does
// not go on, nothing says that it is the next, and it is the same. If line 9 said 2.6, it would be in doubt.
//
//   goes on   it begins above the other's last step: the same attempt, another rank prints now
//   next      both print times, and they do not overlap; or it begins later and goes beyond the other's
//             end, as a resume does; or a source that had printed steps said between them that a run begins
//   same      it holds the same steps, and equal values wherever both have a metric: a buffer that was
//             flushed at exit, a file laid behind another
//   in doubt  nobody can tell. A person can: `attempt` (last, first or a number) says that it is the next
//             one, `sources = "together"` that the sources' k-th pieces are one attempt
//
// Files without times are not before or behind one another: where each has as many attempts, the k-th ones
// are one; else equal values tell which belong together, or it is in doubt. Of a crash loop most pieces are
// forgotten while the log is read (see forget.h): those that are left are counted as if none were, and what
// asks for the others' values is in doubt.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gate::extract {

// First and last of something that rises.
struct Extent {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool overlaps(const Extent& other) const { return first <= other.last && other.first <= last; }
  Extent joined(const Extent& other) const {
    return {std::min(first, other.first), std::max(last, other.last)};
  }
};

// A rising run of one source's steps.
struct SourcePiece {
  std::size_t source = 0;
  std::size_t stream_id = 0;  // what is read as one file
  Extent order = {};          // of its records among all that were read
  Extent steps = {};
  std::size_t forgotten = 0;         // pieces of its source before it that are not kept
  std::optional<Extent> times = {};  // in microseconds since whenever
  std::size_t starts_before =
      0;  // how often a source of the stream that had printed steps said before its first
  std::size_t starts_until = 0;  // line, and before its last one, that a run begins
};

// What two pieces have in common.
//   copy     the same steps, and equal values wherever both have a metric
//   equal    some steps, and equal values there
//   other    other values at a step, or no step
enum class Likeness : std::uint8_t { copy, equal, other };

// How a piece in doubt is read.
//   undecided  as the next attempt, and the doubt is told
//   next       as the next attempt: a person said which attempt is meant
//   together   the k-th pieces of all sources are one attempt, whatever they hold
enum class InDoubt : std::uint8_t { undecided, next, together };

// A piece of which nobody can tell whether it is of the same attempt as the other one.
struct Doubt {
  std::size_t piece = 0;
  std::size_t other = 0;
};

struct Assignment {
  std::vector<std::size_t> attempts;  // of each piece, from 0
  std::vector<Doubt> doubts;
  std::vector<Doubt> copies;  // pieces that stand wholly behind the other, and are the same by their values
  std::size_t count = 0;      // of attempts
};

// Return the attempt of each piece. The pieces of a source stand in their order. `like` is asked of two
// pieces of different sources, as seldom as can be.
Assignment assign_pieces(std::span<const SourcePiece> pieces, InDoubt mode,
                         const std::function<Likeness(std::size_t, std::size_t)>& like);

}  // namespace gate::extract
