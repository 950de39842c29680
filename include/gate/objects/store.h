// An object store: one bucket of a server that speaks as S3 or OBS do.
//
// What is sent is read once, a part at a time, so that its checksums are those of the bytes that left; the
// server is asked to check them (x-amz-content-sha256, Content-MD5), and says what it stored (ETag). What was
// received is checked by ETag where that is an MD5, or one of gate's own parts. Each request is tried again
// as net::send() does it, and signed anew. No message shows the credentials,
// whatever the store tells. A clock that is wrong is found out by the server's Date.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/object_place.h"
#include "gate/base/result.h"
#include "gate/base/secrets.h"
#include "gate/base/time.h"
#include "gate/net/http.h"
#include "gate/objects/signing.h"

namespace gate::objects {

// Why a store did not do what it was asked to.
enum class Failing : std::uint8_t {
  absent,   // there is no such object or bucket
  refused,  // the credentials, or what they may do
  taken,    // there is an object already
  unable,   // it takes no conditions
  failed    // all else: no answer, an answer that is none, damage, a file of this host
};

struct StoreError {
  Failing kind = Failing::failed;
  std::string message;
};

template <typename T>
using Stored = tl::expected<T, StoreError>;

struct Object {
  std::string key;
  std::uintmax_t size = 0;
  std::string modified = {};   // as the store writes it
  std::string etag = {};       // without quotes
  std::uintmax_t part = 0;     // bytes of each of gate's parts; 0 where it has none
  std::string maker = {};      // as put_new() was told; "": nobody was
  bool is_etag_digest = true;  // false: of what is encrypted with a key of the store's it tells nothing
};

struct StoreAccess {
  ObjectService service = ObjectService::s3;
  std::string endpoint;  // `https://HOST[:PORT]`
  std::string region;    // of S3
  bool by_path = false;  // /BUCKET/KEY; else the bucket is the first name of the host
  std::string bucket;
  Credentials credentials;
  int retries = 6;
  Duration stall = std::chrono::seconds(30);
};

struct ErrorAnswer;

// Fail where it is no `http(s)://HOST[:PORT]`.
Status check_endpoint(const std::string& endpoint);

// Tell whether a bucket cannot be a name in front of the endpoint's host: an IP address, localhost.
bool needs_path_style(const std::string& endpoint);

class ObjectStore {
 public:
  // `now` is this host's clock.
  ObjectStore(StoreAccess access, net::Stop stop, std::function<Moment()> now = gate::now);

  Stored<Object> head(const std::string& key);

  // Write the object into the file, whose folder is made. What comes lies beside it, in FILE.ETAG.part, until
  // it is whole and checked: a download that was cut, in this call or an earlier one, goes on there; but
  // not where the object has no ETag, and in no file that is another user's, a link, or has two names. Fails
  // where the file is there and no regular one.
  Stored<Object> get(const std::string& key, const fs::Path& file);

  // Store the file, in parts where it is large: each is tried again alone. Where that fails, the parts that
  // are there are removed.
  Stored<Object> put(const fs::Path& file, const std::string& key) { return put_with({}, file, key); }

  // The same, but fail as `taken` where any object is there, at the latest when the file has been sent; a
  // store that takes no conditions is asked before and after. The maker, "" or printable ASCII, stays with
  // the object.
  Stored<Object> put_new(const fs::Path& file, const std::string& key, const std::string& maker);

  // Store the text.
  Stored<Object> put_text(const std::string& text, const std::string& key);

  // Return all objects whose keys begin so, by key. Fails where there are more than `most`.
  Stored<std::vector<Object>> list(const std::string& prefix, std::size_t most = most_listed);

  // One that is not there is no error.
  Stored<void> remove(const std::string& key);

  static constexpr std::size_t most_listed = 100'000;

 private:
  struct Call;
  Stored<net::Response> ask(Call call);
  net::Request request(const Call& call, Moment when) const;
  std::string s3_proof(SignedParts& parts, const std::string& body_sha256, Moment when) const;
  std::string obs_proof(SignedParts& parts, const std::string& resource, Moment when) const;
  Stored<net::Response> checked(const Call& call, const Result<net::Response>& answer) const;
  bool corrects_clock(const net::Response& answer);
  StoreError error(const std::string& key, Failing kind, const std::string& what) const;
  ErrorAnswer told_by(const std::string& answer) const;

  using Headers = std::map<std::string, std::string>;  // names in small letters
  std::string meta(const std::string& name) const;
  Stored<Object> put_with(const Headers& headers, const fs::Path& file, const std::string& key);
  Stored<Object> put_body(const Headers& headers, const std::string& key, std::string body);
  Stored<Object> put_parts(const Headers& headers, const fs::Path& file, std::uintmax_t size,
                           const std::string& key);
  Stored<std::string> begin_upload(const Headers& headers, const std::string& key, std::uintmax_t part);
  Stored<std::vector<std::string>> send_parts(const fs::Path& file, std::uintmax_t size, const Call& upload);
  void take_back(Call upload);
  Stored<Object> end_upload(Call end, const std::vector<std::string>& digests, std::uintmax_t size);
  Stored<void> receive(const Object& object, const fs::Path& part);
  Stored<void> check_received(const Object& object, const fs::Path& part) const;

  StoreAccess access_;
  Masker masker_;  // of the credentials
  net::Stop stop_;
  std::function<Moment()> now_;
  std::atomic<std::int64_t> clock_is_behind_{0};  // seconds, as the server told
};

}  // namespace gate::objects
