#include "config/tables/document_tables.h"

#include <array>

#include "config/tables/key_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

Result<std::string> read_endpoint(const RawValue& raw) {
  Result<std::string> text = read_filled_text(raw);
  if (text && !text->starts_with("https://") && !text->starts_with("http://"))
    return fail("the endpoint does not begin with https://HOST or http://HOST");
  return text;
}

constexpr std::string_view where_stores = "store";
constexpr auto store_table = std::to_array<AssignRow<StoreSettings>>({
    {{"endpoint", "text", "", where_stores, "server, e.g. https://HOST (default: the environment's)"},
     assign_member<&StoreSettings::endpoint, read_endpoint>},
    {{"region", "text", "", where_stores, "e.g. us-east-1 or cn-north-4 (default: the environment's)"},
     assign_member<&StoreSettings::region, read_filled_text>},
    {{"addressing", "auto, virtual or path", "auto", where_stores,
      "virtual: the bucket is part of the host name; path; auto: path for IP addresses and localhost"},
     [](StoreSettings& store, const RawValue& raw) {
       return assign(store.addressing, read_enum<Addressing>(raw, "addressing", {"auto", "virtual", "path"}));
     }},
    {{"credentials", "file", "", where_stores,
      "file with access key and secret key, relative to the suite (default: the environment)"},
     assign_member<&StoreSettings::credentials, read_filled_text>},
});
constexpr auto store_rows = rows_of(store_table);

void read_store(const Branch& branch, StoreSettings& store, Diagnostics& mistakes) {
  for (const Branch& key : branch.tree.branches) assign_key(store_table, store_rows, key, store, mistakes);
}

// What a key of credentials or a variable is called, the first that is there.
struct StoreNames {
  std::vector<std::string> access_key, secret_key, token, endpoint, region, bucket;
};

const StoreNames& store_names(ObjectService service) {
  static const StoreNames s3{{"AWS_ACCESS_KEY_ID"},
                             {"AWS_SECRET_ACCESS_KEY"},
                             {"AWS_SESSION_TOKEN"},
                             {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"},
                             {"AWS_REGION", "AWS_DEFAULT_REGION"},
                             {"S3_BUCKET"}};
  static const StoreNames obs{{"OBS_AK", "HUAWEI_CLOUD_ACCESS_KEY_ID"},
                              {"OBS_SK", "HUAWEI_CLOUD_SECRET_ACCESS_KEY"},
                              {"OBS_SECURITY_TOKEN", "HUAWEI_CLOUD_SECURITY_TOKEN"},
                              {"OBS_ENDPOINT", "ENDPOINT"},
                              {"OBS_REGION"},
                              {"OBS_BUCKET", "BUCKET_NAME"}};
  return service == ObjectService::s3 ? s3 : obs;
}

// Names in a file of credentials that hold for either service.
constexpr std::array<std::string_view, 3> plain_access_keys{"ak", "access_key", "access_key_id"};
constexpr std::array<std::string_view, 3> plain_secret_keys{"sk", "secret_key", "secret_access_key"};
constexpr std::array<std::string_view, 3> plain_tokens{"token", "security_token", "session_token"};

using NamedValues = std::map<std::string, std::string>;

// Return the name of the first variable that is set; "" where none is.
std::string first_set(const std::vector<std::string>& names, const NamedValues& variables) {
  for (const std::string& name : names)
    if (const auto found = variables.find(name); found != variables.end() && !trim(found->second).empty())
      return name;
  return "";
}

std::string value_of_first(const std::vector<std::string>& names, const NamedValues& variables) {
  const std::string name = first_set(names, variables);
  return name.empty() ? "" : std::string(trim(variables.at(name)));
}

std::string_view unquoted(std::string_view value) {
  const bool is_quoted =
      value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

// Return names, in small letters, and values: those above all sections, and of the one profile.
NamedValues profile_lines(std::string_view text, std::string_view profile) {
  NamedValues values;
  bool is_wanted = true;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with("export ")) line = trim(line.substr(7));
    if (line.starts_with('[')) is_wanted = line == "[" + std::string(profile) + "]" || profile == "*";
    const auto said = key_and_value(line);
    if (!is_wanted || !said || line.starts_with('#') || line.starts_with(';')) continue;
    std::string name = to_lower(trim(said->key));
    if (profile == "*") name += " " + std::to_string(values.size());
    values[name] = unquoted(trim(said->value));
  }
  return values;
}

std::string in_credentials(const NamedValues& values, const std::vector<std::string>& names,
                           std::span<const std::string_view> plain_names) {
  auto all = texts_of(names, [&](const std::string& name) { return to_lower(name); });
  all.insert(all.end(), plain_names.begin(), plain_names.end());
  return value_of_first(all, values);
}

void take_credentials(StoreWords& words, const StoreNames& names, const std::string& text,
                      const NamedValues& variables) {
  const auto profile = variables.find("AWS_PROFILE");
  const bool is_named = profile != variables.end() && !profile->second.empty();
  const NamedValues values = profile_lines(text, is_named ? profile->second : "default");
  words.access_key = in_credentials(values, names.access_key, plain_access_keys);
  words.secret_key = in_credentials(values, names.secret_key, plain_secret_keys);
  words.token = in_credentials(values, names.token, plain_tokens);
}

// Of each name of a key that one which is set for both halves: never the access key of one and the secret of
// another.
void take_variables(StoreWords& words, const StoreNames& names, const NamedValues& variables) {
  for (std::size_t i = 0; i < names.access_key.size(); ++i) {
    words.access_key = value_of_first({names.access_key[i]}, variables);
    words.secret_key = value_of_first({names.secret_key[i]}, variables);
    words.token = value_of_first({names.token[i]}, variables);
    words.source = names.access_key[i];
    if (!words.access_key.empty() && !words.secret_key.empty()) return;
  }
}

// Return the service's own server of the region; "" where there is none.
std::string usual_endpoint(ObjectService service, const std::string& region) {
  if (region.empty()) return "";
  return service == ObjectService::s3 ? "https://s3." + region + ".amazonaws.com"
                                      : "https://obs." + region + ".myhuaweicloud.com";
}

}  // namespace

std::span<const SettingRow> store_keys() { return store_rows; }

Stores built_in_stores() {
  const auto built_in = built_in_of<StoreSettings>(store_table);
  return {{ObjectService::s3, built_in}, {ObjectService::obs, built_in}};
}

Stores read_stores(const TomlTree& table, Diagnostics& mistakes) {
  Stores stores = built_in_stores();
  for (const Branch& branch : table.branches) {
    const bool is_known = branch.key == "s3" || branch.key == "obs";
    if (is_known && branch.tree.is_table())
      read_store(branch, stores[branch.key == "s3" ? ObjectService::s3 : ObjectService::obs], mistakes);
    else
      mistakes.push_back({branch.at, "[store] holds two tables, [store.s3] and [store.obs]"});
  }
  return stores;
}

Result<StoreWords> store_words(ObjectService service, const StoreSettings& settings,
                               const std::optional<std::string>& credentials,
                               const std::map<std::string, std::string>& variables) {
  const StoreNames& names = store_names(service);
  const std::string store = "[store." + std::string(to_string(service)) + "]";
  StoreWords words{.endpoint = settings.endpoint,
                   .region = settings.region,
                   .bucket = value_of_first(names.bucket, variables),
                   .addressing = settings.addressing,
                   .access_key = {},
                   .secret_key = {},
                   .token = {},
                   .source = settings.credentials};
  if (words.region.empty()) words.region = value_of_first(names.region, variables);
  if (words.region.empty() && service == ObjectService::s3) words.region = "us-east-1";
  if (words.endpoint.empty()) words.endpoint = value_of_first(names.endpoint, variables);
  if (words.endpoint.empty()) words.endpoint = usual_endpoint(service, words.region);
  if (words.endpoint.empty())
    return fail("nothing says which server; write endpoint in " + store + ", or set " + names.endpoint[0]);
  if (words.endpoint.find("://") == std::string::npos) words.endpoint = "https://" + words.endpoint;
  while (words.endpoint.ends_with('/')) words.endpoint.pop_back();
  if (credentials)
    take_credentials(words, names, *credentials, variables);
  else
    take_variables(words, names, variables);
  if (!words.access_key.empty() && !words.secret_key.empty()) return words;
  if (credentials)
    return fail(settings.credentials + ": holds no access key and secret key; write " + names.access_key[0] +
                "=... and " + names.secret_key[0] + "=... in lines of their own");
  return fail("there are no credentials; set " + names.access_key[0] + " and " + names.secret_key[0] +
              ", or write credentials = \"FILE\" in " + store);
}

std::vector<std::string> secret_store_variables() {
  std::vector<std::string> all;
  for (const ObjectService service : {ObjectService::s3, ObjectService::obs})
    for (const auto* names :
         {&store_names(service).access_key, &store_names(service).secret_key, &store_names(service).token})
      all.insert(all.end(), names->begin(), names->end());
  return all;
}

std::vector<std::string> values_of_credentials(std::string_view text) {
  std::vector<std::string> values;
  for (const auto& [name, value] : profile_lines(text, "*"))
    if (!value.empty()) values.push_back(value);
  return values;
}

}  // namespace gate::config
