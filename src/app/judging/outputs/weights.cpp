#include "judging/outputs/weights.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>

#include "gate/base/text.h"
#include "gate/schema/tensor_file.h"
#include "gate/score/tensors.h"

namespace gate::app {

namespace {

constexpr std::string_view index_name = "model.safetensors.index.json";
constexpr std::string_view single_name = "model.safetensors";
constexpr std::size_t piece_bytes = 1 << 20;
constexpr std::uintmax_t most_index_bytes = 100'000'000;

Result<std::map<std::string, std::string>> shards_in(const fs::Path& index) {
  if (fs::size_of(index) > most_index_bytes)
    return fail(index.string() + ": has more than " + std::to_string(most_index_bytes) + " bytes");
  GATE_TRY(const std::string text, fs::read_file(index));
  return schema::read_tensor_index(text, index.string());
}

// Fill the bytes from that place of the file on; returns how many there are.
Result<std::size_t> read_at(const Fd& file, const fs::Path& path, std::uint64_t from, std::string& bytes) {
  std::size_t count = 0;
  while (count < bytes.size()) {
    const ssize_t got =
        ::pread(file.get(), bytes.data() + count, bytes.size() - count, static_cast<off_t>(from + count));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(path.string() + ": cannot be read: " + std::strerror(errno));
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  return count;
}

Result<std::vector<Tensor>> tensors_in(const fs::Path& path) {
  GATE_TRY(const Fd file, fs::open_to_read(path));
  const std::uintmax_t size = fs::size_of(path);
  std::string bytes(std::min<std::uintmax_t>(size, schema::tensor_prefix_bytes), '\0');
  GATE_TRY(const std::size_t first, read_at(file, path, 0, bytes));
  bytes.resize(first);
  GATE_TRY(const std::uint64_t length, schema::tensor_header_bytes(bytes, size, path.string()));
  bytes.assign(length, '\0');
  GATE_TRY(const std::size_t count, read_at(file, path, schema::tensor_prefix_bytes, bytes));
  bytes.resize(count);
  return schema::read_tensor_header(bytes, size, path.string());
}

Status check_shard(const fs::Path& path) {
  std::error_code error;
  if (std::filesystem::is_symlink(path, error))
    return fail(path.string() +
                ": is a symbolic link: a shard lies beside its index; cp -rL copies what links lead to");
  const Sentence why = why_not_plain(path);
  return why.empty() ? Status() : fail(why.english());
}

std::set<std::pair<dev_t, ino_t>> identities_of(const std::vector<fs::Path>& files) {
  std::set<std::pair<dev_t, ino_t>> all;
  struct stat info {};
  for (const fs::Path& file : files)
    if (::stat(file.c_str(), &info) == 0) all.emplace(info.st_dev, info.st_ino);
  return all;
}

// What a file is as long as nobody writes it.
std::string stamp_of(const fs::Path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "";
  return join(
      std::vector{std::to_string(info.st_dev), std::to_string(info.st_ino), std::to_string(info.st_size),
                  std::to_string(info.st_mtim.tv_sec), std::to_string(info.st_mtim.tv_nsec),
                  std::to_string(info.st_ctim.tv_sec), std::to_string(info.st_ctim.tv_nsec)},
      " ");
}

// Return the file's SHA-256, of a large one that was read before from memory.
std::string hash_of_file(const fs::Path& path) {
  constexpr std::uintmax_t large = 64 << 20;
  static std::mutex mutex;
  static std::map<std::string, std::pair<std::string, std::string>> known;  // by path: stamp and hash
  if (fs::size_of(path) < large) return fs::sha256_of(path).value_or("");
  const std::lock_guard lock(mutex);
  const std::string stamp = stamp_of(path);
  auto& [then, hash] = known[path.string()];
  if (then != stamp) {
    hash = fs::sha256_of(path).value_or("");
    then = stamp;
  }
  return hash;
}

// Lays the tensors that both sides have alike side by side.
class WeightsComparison {
 public:
  WeightsComparison(score::TensorScorer& scorer, Weights& actual, Weights& golden, bool& golden_fault)
      : scorer_(scorer), actual_(actual), golden_(golden), golden_fault_(golden_fault) {
    for (const Weights::Placed& one : actual.tensors()) by_name_.emplace(one.tensor.name, &one);
  }

  Status add_all() {
    for (const Weights::Placed& one : golden_.tensors()) {
      const auto other = by_name_.find(one.tensor.name);
      if (other == by_name_.end() || kind_of(other->second->tensor) != kind_of(one.tensor))
        scorer_.add_unlike(other == by_name_.end() ? nullptr : &other->second->tensor, &one.tensor);
      else
        GATE_TRY_STATUS(add(*other->second, one));
      if (other != by_name_.end()) by_name_.erase(other);
    }
    for (const auto& [name, extra] : by_name_) scorer_.add_unlike(&extra->tensor, nullptr);
    return {};
  }

 private:
  Status add(const Weights::Placed& ours, const Weights::Placed& theirs) {
    scorer_.begin(theirs.tensor);
    for (std::uint64_t at = 0; at < theirs.tensor.bytes(); at += piece_bytes) {
      const std::uint64_t size = std::min<std::uint64_t>(piece_bytes, theirs.tensor.bytes() - at);
      ours_.resize(size);
      theirs_.resize(size);
      const Status read = golden_.read(theirs, at, theirs_);
      golden_fault_ = !read;
      GATE_TRY_STATUS(read);
      GATE_TRY_STATUS(actual_.read(ours, at, ours_));
      scorer_.add(ours_, theirs_);
    }
    return {};
  }

  score::TensorScorer& scorer_;
  Weights &actual_, &golden_;
  bool& golden_fault_;
  std::map<std::string_view, const Weights::Placed*> by_name_;
  std::string ours_, theirs_;
};

}  // namespace

Sentence why_not_plain(const fs::Path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return fs::is_taken(path) ? say({"{}: is a link that leads nowhere", "{}：是失效的链接"}, path.string())
                              : say({"{}: no such file", "{}：没有这个文件"}, path.string());
  if (!std::filesystem::is_regular_file(path, error))
    return say({"{}: is no plain file", "{}：不是普通文件"}, path.string());
  return std::ifstream(path) ? Sentence() : say({"{}: cannot be read", "{}：无法读取"}, path.string());
}

fs::Path weights_in(const fs::Path& path) {
  for (const std::string_view name : {index_name, single_name})
    if (fs::is_folder(path) && fs::exists(path / name)) return path / name;
  return path;
}

std::vector<fs::Path> files_of_output(const fs::Path& file) {
  std::vector<fs::Path> files{file};
  if (!names_weights_index(file.string()) || !why_not_plain(file).empty()) return files;
  std::set<std::string> shards;
  if (const auto shard_of = shards_in(file))
    for (const auto& [tensor, shard] : *shard_of)
      if (shards.insert(shard).second) files.push_back(file.parent_path() / shard);
  return files;
}

std::vector<std::string> output_globs(const std::string& file) {
  if (!names_weights_index(file)) return {file};
  constexpr std::string_view end = ".safetensors.index.json";
  std::string shards = file.substr(0, file.size() - end.size());
  if (!shards.ends_with('*')) shards += "*";
  return {file, shards + ".safetensors"};
}

std::string golden_hash(const fs::Path& path) {
  if (!why_not_plain(path).empty()) return "";
  const std::vector<fs::Path> files = files_of_output(path);
  if (files.size() == 1) return hash_of_file(path);
  return fs::sha256(join(texts_of(files, hash_of_file), "\n"));
}

Result<Weights> Weights::open(const fs::Path& path) {
  Weights weights;
  if (const Sentence why = why_not_plain(path); !why.empty()) return fail(why.english());
  if (names_pickle(path.string())) return fail(why_pickle(path.string()));
  if (!names_weights(path.string()))
    return fail(path.string() +
                ": its name is that of no weights; .safetensors and .safetensors.index.json are read");
  if (!names_weights_index(path.string())) {
    GATE_TRY_STATUS(weights.add_file(path, nullptr));
    return weights;
  }
  GATE_TRY(auto shard_of, shards_in(path));
  for (const fs::Path& shard : files_of_output(path))
    if (shard != path) {
      GATE_TRY_STATUS(check_shard(shard));
      GATE_TRY_STATUS(weights.add_file(shard, &shard_of));
    }
  if (shard_of.empty()) return weights;
  return fail((path.parent_path() / shard_of.begin()->second).string() + ": holds no tensor \"" +
              printable(shard_of.begin()->first, 120) + "\", which " + path.filename().string() +
              " says it has");
}

// Takes what the file has out of the map.
Status Weights::add_file(const fs::Path& path, std::map<std::string, std::string>* shard_of) {
  GATE_TRY(std::vector<Tensor> found, tensors_in(path));
  for (Tensor& tensor : found) {
    if (shard_of != nullptr) {
      const auto said = shard_of->find(tensor.name);
      if (said == shard_of->end() || said->second != path.filename().string())
        return fail(path.string() + ": holds tensor \"" + printable(tensor.name, 120) +
                    "\", of which its index says something else");
      shard_of->erase(said);
    }
    tensors_.push_back({std::move(tensor), files_.size()});
  }
  files_.push_back(path);
  return {};
}

std::vector<std::string> Weights::select(const std::vector<std::string>& globs) {
  if (globs.empty()) return {};
  std::set<std::string> idle(globs.begin(), globs.end());
  std::erase_if(tensors_, [&](const Placed& one) {
    bool is_selected = false;
    for (const std::string& glob : globs)
      if (glob_match(glob, one.tensor.name)) {
        is_selected = true;
        idle.erase(glob);
      }
    return !is_selected;
  });
  return {idle.begin(), idle.end()};
}

Status Weights::read(const Placed& placed, std::uint64_t offset, std::string& bytes) {
  const fs::Path& path = files_[placed.file];
  if (opened_ != placed.file) {
    GATE_TRY(open_, fs::open_to_read(path));
    opened_ = placed.file;
  }
  GATE_TRY(const std::size_t count, read_at(open_, path, placed.tensor.begin + offset, bytes));
  return count == bytes.size() ? Status() : fail(path.string() + ": was cut off while it was read");
}

Result<score::Score> score_weights(const std::string& metric, Weights& actual, Weights& golden,
                                   bool& golden_fault) {
  const auto ours = identities_of(actual.files());
  for (const auto& theirs : identities_of(golden.files()))
    if (ours.contains(theirs)) return fail("a file of it is a golden file");
  score::TensorScorer scorer(metric);
  GATE_TRY_STATUS(WeightsComparison(scorer, actual, golden, golden_fault).add_all());
  return scorer.score();
}

}  // namespace gate::app
