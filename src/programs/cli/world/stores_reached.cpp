#include "cli/world/stores_reached.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>

#include "cli/world/signals.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/net/post.h"

namespace gate::cli {

namespace {

void warn_of_readers(const fs::Path& file) {
  constexpr mode_t of_others = 0077;
  static std::atomic_flag has_warned;
  struct stat facts {};
  if (::stat(file.c_str(), &facts) == 0 && (facts.st_mode & of_others) != 0 && !has_warned.test_and_set())
    log::warn(file.string() + ": others than its user may read these credentials; chmod 600");
}

Result<std::optional<std::string>> credentials_text(const app::Suite& suite, const std::string& file) {
  if (file.empty()) return std::nullopt;
  std::error_code unknown;
  const fs::Path path = suite.root / file;
  if (fs::exists(path) && !std::filesystem::is_regular_file(path, unknown))
    return fail(path.string() + ": is no regular file; credentials are read from one");
  GATE_TRY(std::string text, fs::read_file(path));
  warn_of_readers(suite.root / file);
  return text;
}

// Return what the store of the place is reached with, and put the bucket that is missing into the place.
Result<config::StoreWords> words_of(const app::Suite& suite, ObjectPlace& place) {
  const config::StoreSettings& settings = suite.policy.stores().at(place.service);
  GATE_TRY(const auto text, credentials_text(suite, settings.credentials));
  GATE_TRY(config::StoreWords words, config::store_words(place.service, settings, text, own_variables()));
  GATE_TRY_STATUS(objects::check_endpoint(words.endpoint));
  for (const std::string* word : {&words.region, &words.access_key, &words.secret_key, &words.token})
    if (std::ranges::any_of(*word, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }))
      return fail("the region, a key or the token of " + printable(words.source) +
                  " has a control character; a line of it is missing or too much");
  if (!place.bucket.empty()) return words;
  if (words.bucket.empty()) return fail("names no bucket");
  place.bucket = words.bucket;
  const Result<ObjectPlace> whole = parse_object_place(place.url());
  if (!whole || whole->bucket != place.bucket)
    return fail("the environment names the bucket \"" + printable(place.bucket, 120) +
                "\", which is no name of one");
  return words;
}

class SuiteObjectPlaces : public app::ObjectPlaces {
 public:
  SuiteObjectPlaces(const app::Suite& suite, net::Stop fetching, net::Stop putting)
      : suite_(suite), fetching_(std::move(fetching)), putting_(std::move(putting)) {}

  Status check(const std::string& url) override {
    GATE_TRY(ObjectPlace place, parse_object_place(url));
    return open_store(suite_, place, putting_).map([](const auto&) {});
  }

  Status fetch(const std::string& url, const fs::Path& to, const Stop& stop) override {
    GATE_TRY(ObjectPlace place, parse_object_place(url));
    GATE_TRY(const auto store, open_store(suite_, place, either(fetching_, stop)));
    return place.is_prefix() ? told(get_below(*store, place, to)) : told(store->get(place.key, to));
  }

  Status put(const fs::Path& file, const std::string& url, const Stop& stop) override {
    GATE_TRY(ObjectPlace place, parse_object_place(url));
    GATE_TRY(const auto store, open_store(suite_, place, either(putting_, stop)));
    return told(store->put(file, place.below(file.filename().string()).key));
  }

  Result<bool> put_new(const fs::Path& file, const std::string& url, const std::string& maker,
                       const Stop& stop) override {
    GATE_TRY(ObjectPlace place, parse_object_place(url));
    GATE_TRY(const auto store, open_store(suite_, place, either(putting_, stop)));
    const auto stored = store->put_new(file, place.key, maker);
    if (!stored && stored.error().kind == objects::Failing::taken) return false;
    return told(stored).map([] { return true; });
  }

  Result<std::optional<std::string>> maker_of(const std::string& url, const Stop& stop) override {
    GATE_TRY(ObjectPlace place, parse_object_place(url));
    GATE_TRY(const auto store, open_store(suite_, place, either(fetching_, stop)));
    const auto there = store->head(place.key);
    if (there) return there->maker;
    if (there.error().kind == objects::Failing::absent) return std::nullopt;
    return fail(there.error().message);
  }

  std::string identity(const std::string& url) override { return identity_of_object(suite_, url); }

 private:
  static net::Stop either(const net::Stop& one, const Stop& other) {
    return [one, other] { return one() || other(); };
  }
  static Status told(const auto& stored) { return stored ? Status() : fail(stored.error().message); }

  const app::Suite& suite_;
  net::Stop fetching_, putting_;
};

}  // namespace

Result<std::unique_ptr<objects::ObjectStore>> open_store(const app::Suite& suite, ObjectPlace& place,
                                                         const net::Stop& stop) {
  const auto at_place = [url = place.url()](const Error& error) { return Error{url + ": " + error.message}; };
  GATE_TRY_STATUS(net::can_send().map_error(at_place));
  GATE_TRY(const config::StoreWords words, words_of(suite, place).map_error(at_place));
  const bool by_path =
      words.addressing == config::Addressing::path ||
      (words.addressing == config::Addressing::automatic && objects::needs_path_style(words.endpoint));
  return std::make_unique<objects::ObjectStore>(
      objects::StoreAccess{
          .service = place.service,
          .endpoint = words.endpoint,
          .region = words.region,
          .by_path = by_path,
          .bucket = place.bucket,
          .credentials = {words.access_key, words.secret_key, words.token, printable(words.source)}},
      stop);
}

// Two services of one server have the same buckets; whether it is reached by TLS makes no other object.
std::string identity_of_object(const app::Suite& suite, const std::string& url) {
  Result<ObjectPlace> place = parse_object_place(url);
  if (!place) return url;
  const Result<config::StoreWords> words = words_of(suite, *place);
  if (!words) return place->url();
  std::string server = to_lower(words->endpoint.substr(words->endpoint.find("://") + 3));
  for (const char* usual : {":443", ":80"})
    if (server.ends_with(usual)) server.resize(server.rfind(':'));
  return server + "/" + place->bucket + "/" + place->key;
}

std::shared_ptr<app::ObjectPlaces> object_places(const app::Suite& suite, net::Stop fetching,
                                                 net::Stop putting) {
  return std::make_shared<SuiteObjectPlaces>(suite, std::move(fetching), std::move(putting));
}

tl::unexpected<app::Failure> store_failure(const objects::StoreError& error) {
  constexpr int of_signals = 128;
  const bool is_absent = error.kind == objects::Failing::absent;
  if (const auto signal = caught_signal())
    return tl::unexpected(app::Failure{of_signals + *signal, error.message});
  return tl::unexpected(app::Failure{is_absent ? exit_code::refused : exit_code::infra, error.message});
}

GoldenCopies::~GoldenCopies() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

app::Answer<void> GoldenCopies::take(std::vector<std::string>& golden,
                                     const std::function<app::Answer<app::Suite>()>& suite_of_words) {
  if (std::ranges::none_of(golden, is_object_place)) return {};
  GATE_TRY(const app::Suite suite, suite_of_words());
  std::error_code unknown;
  if (folder_.empty()) {
    auto made = fs::make_unique_folder(std::filesystem::temp_directory_path(unknown) / "gate-golden-");
    if (!made) return app::infra(made.error());
    folder_ = *made;
  }
  catch_signals();
  for (std::string& file : golden) {
    if (!is_object_place(file)) continue;
    Result<ObjectPlace> place = parse_object_place(file);
    if (!place) return app::usage(place.error());
    auto store = open_store(suite, *place, [] { return caught_signal().has_value(); });
    if (!store) return app::infra(store.error());
    const fs::Path copy = folder_ / fs::sha256(file).substr(0, 12) / fs::Path(file).filename();
    if (const auto got = (*store)->get(place->key, copy); !got) return store_failure(got.error());
    const Status is_golden = fs::read_file(copy).and_then(
        [&](const std::string& text) { return check_golden_object(file, text); });
    if (!is_golden) return app::infra(is_golden.error());
    file = copy.string();
  }
  return {};
}

objects::Stored<std::vector<objects::Object>> get_below(objects::ObjectStore& store,
                                                        const ObjectPlace& prefix, const fs::Path& folder) {
  using objects::Failing, objects::StoreError;
  GATE_TRY(std::vector<objects::Object> all, store.list(prefix.key));
  std::erase_if(all, [](const objects::Object& object) { return object.key.ends_with('/'); });
  if (all.empty())
    return tl::unexpected(StoreError{Failing::absent, prefix.url() + ": there are no objects"});
  for (const objects::Object& object : all)
    if (!is_path_of_parts(object.key.substr(prefix.key.size())))
      return tl::unexpected(StoreError{
          Failing::failed, prefix.url() + ": " + printable(object.key, 120) + " can be no file in a folder"});
  // What the part of a file could be called comes behind the file, which takes its old parts away.
  std::ranges::sort(all, {}, &objects::Object::key);
  if (const auto twice = std::ranges::adjacent_find(all, {}, &objects::Object::key); twice != all.end())
    return tl::unexpected(StoreError{
        Failing::failed, prefix.url() + ": the store lists " + printable(twice->key, 120) + " twice"});
  for (const objects::Object& object : all)
    GATE_TRY_STATUS(store.get(object.key, folder / object.key.substr(prefix.key.size())));
  return all;
}

}  // namespace gate::cli
