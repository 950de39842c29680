#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <tuple>

#include "gate/base/text.h"
#include "objects/call.h"
#include "objects/digests.h"

namespace gate::objects {

namespace {

constexpr std::uintmax_t largest_part = std::uintmax_t{64} << 20;
constexpr std::uintmax_t most_parts = 10'000;

// The same for all files of the size.
std::uintmax_t part_of(std::uintmax_t size) {
  const std::uintmax_t mib = std::uintmax_t{1} << 20;
  const std::uintmax_t least = (size + most_parts - 1) / most_parts;
  return std::max(usual_part, (least + mib - 1) / mib * mib);
}

// What changes where somebody writes into the file, or puts another one in its place.
struct FileStamp {
  struct stat facts {};
  explicit FileStamp(const fs::Path& file) { std::ignore = ::stat(file.c_str(), &facts); }
  bool operator==(const FileStamp& other) const {
    const auto same = [](const timespec& a, const timespec& b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return facts.st_dev == other.facts.st_dev && facts.st_ino == other.facts.st_ino &&
           facts.st_size == other.facts.st_size && same(facts.st_mtim, other.facts.st_mtim) &&
           same(facts.st_ctim, other.facts.st_ctim);
  }
};

// Return so many bytes of the file. Fails where it has them no more.
Result<std::string> read_range(const fs::Path& file, std::uintmax_t from, std::uintmax_t count) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(file.string() + ": cannot be read");
  std::string bytes(count, '\0');
  stream.seekg(static_cast<std::streamoff>(from));
  stream.read(bytes.data(), static_cast<std::streamsize>(count));
  if (static_cast<std::uintmax_t>(stream.gcount()) != count)
    return fail(file.string() + ": became shorter while it was sent");
  return bytes;
}

bool is_md5(const std::string& etag) {
  return etag.size() == 32 &&
         std::ranges::all_of(etag, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_other(const Object& stored, const std::string& digest) {
  return stored.is_etag_digest && is_md5(stored.etag) && stored.etag != digest;
}

// What the answer to a PUT tells.
Object stored_object(const net::Response& answer, const std::string& key, std::uintmax_t size) {
  Object object{key, size, "", without_quotes(answer.header("etag"))};
  object.is_etag_digest = is_etag_digest(answer);
  return object;
}

// What holds for the end of a request in parts.
constexpr const char* condition = "if-none-match";

}  // namespace

Stored<Object> ObjectStore::put_text(const std::string& text, const std::string& key) {
  return put_body({}, key, text);
}

// What an answer without an ETag comes from may be no store.
Stored<Object> ObjectStore::put_body(const Headers& headers, const std::string& key, std::string body) {
  Call call{.method = "PUT", .key = key, .headers = headers, .body = std::move(body)};
  call.body_md5 = md5(call.body);
  const std::uintmax_t size = call.body.size();
  const std::string digest = hex(call.body_md5);
  GATE_TRY(const net::Response answer, ask(std::move(call)));
  Object stored = stored_object(answer, key, size);
  if (stored.etag.empty()) {
    GATE_TRY(stored, head(key));
  }
  if (stored.size == size && !is_other(stored, digest)) return stored;
  return tl::unexpected(error(key, Failing::failed,
                              "the store has other bytes than were sent: ETag " + stored.etag + ", MD5 " +
                                  digest + ", " + std::to_string(stored.size) + " of " +
                                  std::to_string(size) + " bytes"));
}

Stored<Object> ObjectStore::put_with(const Headers& headers, const fs::Path& file, const std::string& key) {
  const auto failed = [&](const std::string& what) {
    return tl::unexpected(error(key, Failing::failed, what));
  };
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return failed(file.string() + ": is no file");
  const std::uintmax_t size = fs::size_of(file);
  if (size > usual_part) return put_parts(headers, file, size, key);
  const FileStamp before(file);
  const Result<std::string> body = read_range(file, 0, size);
  if (FileStamp(file) != before) return failed(file.string() + ": changed while it was read");
  return body ? put_body(headers, key, *body) : failed(body.error().message);
}

Stored<Object> ObjectStore::put_new(const fs::Path& file, const std::string& key, const std::string& maker) {
  const auto taken = [&] { return tl::unexpected(error(key, Failing::taken, "is there already")); };
  const Stored<Object> before = head(key);
  if (before) return taken();
  if (before.error().kind != Failing::absent) return before;
  Headers headers{{condition, "*"}};
  if (!maker.empty()) headers[meta("maker")] = maker;
  Stored<Object> stored = put_with(headers, file, key);
  if (!stored && stored.error().kind == Failing::unable) {
    headers.erase(condition);
    stored = put_with(headers, file, key);
  }
  if (!stored) return stored;
  GATE_TRY(Object after, head(key));
  return after.size == stored->size && after.etag == stored->etag ? Stored<Object>(after) : taken();
}

Stored<Object> ObjectStore::put_parts(const Headers& headers, const fs::Path& file, std::uintmax_t size,
                                      const std::string& key) {
  if (part_of(size) > largest_part)
    return tl::unexpected(error(key, Failing::failed, file.string() + ": is larger than 625 GiB"));
  GATE_TRY(const std::string id, begin_upload(headers, key, part_of(size)));
  const Call upload{.method = "POST", .key = key, .query = {{"uploadId", id}}};
  Stored<Object> done = send_parts(file, size, upload).and_then([&](const std::vector<std::string>& digests) {
    Call end = upload;
    if (headers.contains(condition)) end.headers[condition] = headers.at(condition);
    return end_upload(std::move(end), digests, size);
  });
  if (done) return done;
  take_back(upload);
  return done;
}

// Also where somebody wants to stop; what failed before is what is told.
void ObjectStore::take_back(Call upload) {
  constexpr Duration limit = std::chrono::seconds(10);
  upload.method = "DELETE";
  upload.body_sha256 = fs::sha256("");
  const auto next = [&] {
    net::Request out = request(upload, now_() + std::chrono::seconds(clock_is_behind_));
    out.timeout = limit;
    out.retries = 0;
    return out;
  };
  std::ignore = net::send(next, [] { return false; });
}

Stored<std::string> ObjectStore::begin_upload(const Headers& headers, const std::string& key,
                                              std::uintmax_t part) {
  Call begin{.method = "POST", .key = key, .query = {{"uploads", ""}}, .headers = headers};
  begin.headers.erase(condition);
  begin.headers[meta("part")] = std::to_string(part);
  GATE_TRY(const net::Response answer, ask(begin));
  return read_member(answer.body, "InitiateMultipartUploadResult", "UploadId")
      .map_error([&](const Error& none) { return error(key, Failing::failed, none.message); });
}

// Return the MD5 of each part, as bytes.
Stored<std::vector<std::string>> ObjectStore::send_parts(const fs::Path& file, std::uintmax_t size,
                                                         const Call& upload) {
  std::vector<std::string> digests;
  const FileStamp before(file);
  for (std::uintmax_t at = 0; at < size; at += part_of(size)) {
    Result<std::string> body = read_range(file, at, std::min(part_of(size), size - at));
    if (!body) return tl::unexpected(error(upload.key, Failing::failed, body.error().message));
    digests.push_back(md5(*body));
    Call call = upload;
    call.method = "PUT";
    call.query.emplace_back("partNumber", std::to_string(digests.size()));
    call.body = std::move(*body);
    call.body_md5 = digests.back();
    GATE_TRY(const net::Response answer, ask(std::move(call)));
    if (is_other(stored_object(answer, upload.key, size), hex(digests.back())))
      return tl::unexpected(
          error(upload.key, Failing::failed,
                "the store has other bytes of part " + std::to_string(digests.size()) + " than were sent"));
  }
  if (FileStamp(file) != before || fs::size_of(file) != size)
    return tl::unexpected(error(upload.key, Failing::failed, file.string() + ": changed while it was sent"));
  return digests;
}

// Where an earlier try was answered and the answer lost, there is no such upload any more, but the object.
Stored<Object> ObjectStore::end_upload(Call end, const std::vector<std::string>& digests,
                                       std::uintmax_t size) {
  std::vector<std::string> etags;
  std::string all;
  for (const std::string& digest : digests) {
    etags.push_back(hex(digest));
    all += digest;
  }
  const std::string whole = hex(md5(all)) + "-" + std::to_string(digests.size());
  end.body = complete_upload(etags);
  const Stored<net::Response> answer = ask(end);
  if (!answer) {
    const Stored<Object> there = head(end.key);
    if (there && there->etag == whole && there->size == size) return there;
    return tl::unexpected(answer.error());
  }
  const auto etag = read_member(answer->body, "CompleteMultipartUploadResult", "ETag").map(without_quotes);
  const ErrorAnswer told = told_by(answer->body);
  if (!etag)
    return tl::unexpected(error(end.key, told.code == "PreconditionFailed" ? Failing::taken : Failing::failed,
                                told.code.empty() ? etag.error().message : told.code + ": " + told.message));
  if (etag->size() == whole.size() && etag->find('-') == whole.find('-') && *etag != whole)
    return tl::unexpected(
        error(end.key, Failing::failed,
              "the store has other bytes than were sent: ETag " + *etag + ", not " + whole));
  return Object{end.key, size, "", *etag, part_of(size)};
}

}  // namespace gate::objects
