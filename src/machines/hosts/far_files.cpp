#include "gate/hosts/far_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gate/base/time.h"

namespace gate::hosts {

namespace {

constexpr Duration file_limit =
    std::chrono::minutes(10);  // of a slow disk there; less, where the host is lost
constexpr std::size_t most_ahead = std::size_t{4} << 20;  // sent without an answer, where the link is fast
constexpr std::size_t words_of_block = 128;               // about, in bytes
constexpr Duration tree_limit{30000};  // of a few files, or a block: no disk takes longer that works
constexpr std::size_t entries_at_once = 250;

class FilesBehindLink : public FarFiles {
 public:
  explicit FilesBehindLink(Link& link) : link_(link) {}

  Result<std::vector<FarFile>> find(const fs::Path& folder, const std::vector<std::string>& globs,
                                    const Cut& cut) override {
    Frame question{"find", folder.string()};
    question.insert(question.end(), globs.begin(), globs.end());
    GATE_TRY(const Frame answer, link_.ask(question, cut.bounded(file_limit)));
    std::vector<FarFile> files;
    for (WordReader words(answer); words.has_more();) {
      FarFile file{words.text(), read_file_state(words)};
      if (!words.is_good() || !is_plain_path(file.path))
        return fail(link_.host() + ": what its agent says of files cannot be understood");
      files.push_back(std::move(file));
    }
    return files;
  }

  Result<std::string> read(const fs::Path& path, const FileIdentity& file, std::uintmax_t from,
                           std::size_t count, const Cut& cut) override {
    std::string bytes;
    for (bool is_whole = true; is_whole && bytes.size() < count;) {
      const std::size_t wanted = std::min(count - bytes.size(), link_.block());
      GATE_TRY(const std::string block, read_block(path, file, from + bytes.size(), wanted, cut));
      is_whole = block.size() == wanted;
      bytes += block;
    }
    return bytes;
  }

  std::size_t block() const override { return link_.block(); }

  std::string speed() const override {
    const std::size_t speed = link_.bytes_per_second();
    return speed == 0 ? "" : std::to_string((speed + 500) / 1000) + " kB/s";
  }

  Result<std::int64_t> make_folder(const fs::Path& path, const Cut& cut) override {
    GATE_TRY(const Frame answer, link_.ask({"folder", path.string()}, cut.bounded(file_limit)));
    WordReader words(answer);
    const std::int64_t time = words.number();
    return words.is_good()
               ? Result<std::int64_t>(time)
               : fail(link_.host() + ": what its agent says of " + path.string() + " cannot be understood");
  }

  Result<std::vector<std::string>> settle(const std::string& journal, const Cut& cut) override {
    return link_.ask({"settle", journal}, cut.bounded(file_limit));
  }

  Status remove_folder(const fs::Path& path, const Cut& cut) override {
    GATE_TRY_STATUS(link_.ask({"remove", path.string()}, cut.bounded(file_limit)));
    return {};
  }

 private:
  Result<std::string> read_block(const fs::Path& path, const FileIdentity& file, std::uintmax_t from,
                                 std::size_t count, const Cut& cut) {
    Frame question{"read", path.string()};
    add(question, file);
    question.push_back(std::to_string(from));
    question.push_back(std::to_string(count));
    const auto began = SteadyClock::now();
    GATE_TRY(Frame answer, link_.ask(question, cut.bounded(file_limit)));
    if (answer.size() != 1 || answer.front().size() > count)
      return fail(link_.host() + ": what its agent says of " + path.string() + " cannot be understood");
    link_.note_block(answer.front().size(), since(began));
    return std::move(answer.front());
  }

  Link& link_;
};

class TreeSender {
 public:
  TreeSender(Link& link, const Tree& tree, const Cut& cut) : link_(link), tree_(tree), cut_(cut) {}

  // What is deleted there meanwhile is sent again.
  Status send(const std::function<void(const MissingContents&)>& on_missing) {
    constexpr int most_rounds = 5;
    std::vector<TreeEntry> wanted = tree_.entries;
    for (int round = 0; round < most_rounds; ++round) {
      GATE_TRY(const std::set<std::string> missing, plant(wanted));
      if (missing.empty()) return {};
      std::erase_if(wanted, [&](const TreeEntry& entry) {
        return entry.kind == EntryKind::link || !missing.contains(entry.content);
      });
      std::map<std::string, fs::Path> contents;
      for (const TreeEntry& entry : wanted) contents.emplace(entry.content, tree_.root / entry.path);
      on_missing(measure(contents));
      for (const auto& [hash, file] : contents) GATE_TRY_STATUS(send_content(hash, file));
      GATE_TRY_STATUS(send_blocks());
    }
    return fail(link_.host() +
                ": what is sent there does not stay; does something clear the agent's folder?");
  }

 private:
  // Returns the hashes of contents that are not there.
  Result<std::set<std::string>> plant(const std::vector<TreeEntry>& entries) {
    std::set<std::string> missing;
    for (std::size_t from = 0; from < entries.size(); from += entries_at_once) {
      GATE_TRY_STATUS(may_go_on());
      Frame question{"plant"};
      for (std::size_t i = from; i < std::min(entries.size(), from + entries_at_once); ++i)
        add(question, entries[i]);
      const Result<Frame> answer = link_.ask(question, cut_.bounded(tree_limit));
      if (!answer) return failed(answer.error());
      missing.insert(answer->begin(), answer->end());
    }
    return missing;
  }

  static MissingContents measure(const std::map<std::string, fs::Path>& contents) {
    MissingContents missing{contents.size(), 0};
    for (const auto& [hash, file] : contents) missing.bytes += fs::size_of(file);
    return missing;
  }

  // The last block is one that is not full.
  Status send_content(const std::string& hash, const fs::Path& file) {
    bool is_last = false;
    for (std::uintmax_t from = 0; !is_last;) {
      const std::size_t wanted = link_.block();
      std::string block = bytes_at(file, from, wanted);
      is_last = block.size() < wanted;
      const std::uintmax_t offset = std::exchange(from, from + block.size());
      ahead_ += block.size() + words_of_block;
      blocks_.push_back({"blob", hash, std::to_string(offset), is_last ? "1" : "0", std::move(block)});
      files_.push_back(file);
      if (ahead_ < (wanted < file_block ? wanted : most_ahead) && blocks_.size() < entries_at_once) continue;
      GATE_TRY_STATUS(send_blocks());
    }
    return {};
  }

  Status send_blocks() {
    GATE_TRY_STATUS(may_go_on());
    const auto began = SteadyClock::now();
    const std::vector<Result<Frame>> answers = link_.ask_all(blocks_, cut_.bounded(tree_limit));
    link_.note_block(ahead_, since(began));
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (!answers[i]) return failed({files_[i].string() + ": " + answers[i].error().message});
    blocks_.clear();
    files_.clear();
    ahead_ = 0;
    return {};
  }

  Status may_go_on() const {
    const std::string why = cut_.why(link_.host() + ": the git tree was not sent to its end");
    return why.empty() ? Status() : fail(why);
  }

  tl::unexpected<Error> failed(const Error& error) const {
    const std::string lost = link_.why_lost();
    return fail(lost.empty() ? link_.host() + ": " + error.message : lost);
  }

  Link& link_;
  const Tree& tree_;
  const Cut& cut_;
  std::vector<Frame> blocks_;
  std::vector<fs::Path> files_;  // of each block
  std::size_t ahead_ = 0;        // bytes of these blocks
};

}  // namespace

std::unique_ptr<FarFiles> files_of(Link& link) { return std::make_unique<FilesBehindLink>(link); }

fs::Path tree_root(const Link& link) { return fs::Path(link.hello().session_folder) / "tree"; }

Status send_tree(Link& link, const Tree& tree, const std::function<void(const MissingContents&)>& on_missing,
                 const Cut& cut) {
  return TreeSender(link, tree, cut).send(on_missing);
}

}  // namespace gate::hosts
