// store-object list URL | get URL [FILE] | put FILE URL  [--json] [--config FILE]: objects of stores as gate
// reaches them, for the tests of this folder alone. `put -` takes standard input.
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/stores_reached.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/text.h"

namespace gate::cli::store_object {

namespace {

constexpr std::size_t most_of_a_pipe = std::size_t{256} << 20;

net::Stop stop_at_signals() {
  catch_signals();
  return [] { return caught_signal().has_value(); };
}

// The store of a place, and the place with its bucket.
struct OpenPlace {
  ObjectPlace place;
  std::unique_ptr<objects::ObjectStore> store;
};

app::Answer<OpenPlace> open_place(const app::Suite& suite, const std::string& url) {
  Result<ObjectPlace> place = parse_object_place(url);
  if (!place) return app::usage(place.error());
  auto store = open_store(suite, *place, stop_at_signals());
  if (!store) return app::infra(store.error());
  return OpenPlace{std::move(*place), std::move(*store)};
}

std::string size_of(const objects::Object& object) {
  return count_of(static_cast<std::int64_t>(object.size), "byte");
}

std::string objects_table(const std::vector<objects::Object>& all, const CommandOptions& options,
                          const render::Style& style) {
  TableRows rows{{"key", "size", "modified", "etag"}};
  for (const objects::Object& object : all)
    rows.push_back({object.key, std::to_string(object.size), object.modified, object.etag});
  return table_output(rows, options, style);
}

// Print what went there or came, in words or with --json as a list has it.
void tell(const std::vector<objects::Object>& all, const std::string& words, const CommandOptions& options,
          Terminal& terminal) {
  terminal.print(options.json ? objects_table(all, options, terminal.style()) : words + "\n");
}

Result<std::string> standard_input(const net::Stop& stop) {
  constexpr int look_every_ms = 100;
  std::string text, block(std::size_t{1} << 16, '\0');
  while (text.size() <= most_of_a_pipe) {
    if (stop()) return fail("interrupted");
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, look_every_ms) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count == 0) return text;
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      return fail("standard input: " + std::generic_category().message(errno));
    if (count > 0) text.append(block, 0, static_cast<std::size_t>(count));
  }
  return fail("standard input holds more than 256 MiB; write it into a file");
}

app::Answer<int> list_objects_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  GATE_TRY(const OpenPlace open, open_place(suite, options.words[0]));
  const auto all = open.store->list(open.place.key);
  if (!all) return store_failure(all.error());
  terminal.print(objects_table(*all, options, terminal.style()));
  return exit_code::ok;
}

app::Answer<int> get_object_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  GATE_TRY(const OpenPlace open, open_place(suite, options.words[0]));
  fs::Path to = options.words.size() > 1 ? options.words[1] : ".";
  if (to == "-") return app::usage("get: name the file; one that is called - is ./-");
  if (open.place.is_prefix()) {
    const auto all = get_below(*open.store, open.place, to);
    if (!all) return store_failure(all.error());
    const std::string count = count_of(static_cast<std::int64_t>(all->size()), "object");
    tell(*all, count + " of " + open.place.url() + " in " + to.string(), options, terminal);
    return exit_code::ok;
  }
  if (fs::is_folder(to)) to = (to / fs::Path(open.place.key).filename()).lexically_normal();
  const auto object = open.store->get(open.place.key, to);
  if (!object) return store_failure(object.error());
  tell({*object}, open.place.url() + ": " + size_of(*object) + " in " + to.string(), options, terminal);
  return exit_code::ok;
}

app::Answer<int> put_object_command(const CommandOptions& options, Terminal& terminal) {
  GATE_TRY(const app::Suite suite, suite_if_any(options));
  const fs::Path file = options.words[0];
  GATE_TRY(const OpenPlace open, open_place(suite, options.words[1]));
  if (file == "-" && open.place.is_prefix()) return app::usage("put -: name the object, not a prefix");
  if (file != "-" && (!fs::exists(file) || fs::is_folder(file)))
    return app::usage("put: " + file.string() + " is no file");
  const ObjectPlace place = open.place.below(file.filename().string());
  auto object = [&]() -> objects::Stored<objects::Object> {
    if (file != "-") return open.store->put(file, place.key);
    const Result<std::string> text = standard_input(stop_at_signals());
    if (!text) return tl::unexpected(objects::StoreError{objects::Failing::failed, text.error().message});
    return open.store->put_text(*text, place.key);
  }();
  if (!object) return store_failure(object.error());
  tell({*object}, place.url() + ": " + size_of(*object), options, terminal);
  return exit_code::ok;
}

}  // namespace
}  // namespace gate::cli::store_object

int main(int argc, char** argv) {
  using namespace gate::cli;
  CommandOptions options;
  std::string what;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json")
      options.json = true;
    else if (word == "--config" && i + 1 < argc)
      options.config = argv[++i];
    else
      (what.empty() ? what : options.words.emplace_back()) = word;
  }
  Terminal terminal(options);
  const auto done = what == "list"  ? store_object::list_objects_command(options, terminal)
                    : what == "get" ? store_object::get_object_command(options, terminal)
                                    : store_object::put_object_command(options, terminal);
  return terminal.close(done ? *done : terminal.fail(done.error()));
}
