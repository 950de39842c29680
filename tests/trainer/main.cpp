#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>

#include "trainer/options.h"
#include "trainer/trainer.h"

int main(int argc, char** argv) {
  const auto parsed = tinygpt::parse_options({argv + 1, static_cast<std::size_t>(argc - 1)},
                                             [](const char* name) { return std::getenv(name); });
  if (std::holds_alternative<tinygpt::HelpWanted>(parsed)) {
    std::cout << tinygpt::help_text();
    return 0;
  }
  if (const auto* error = std::get_if<tinygpt::UsageError>(&parsed)) {
    std::cerr << "tinygpt: " << error->message << "\n\n" << tinygpt::help_text();
    return 2;
  }
  try {
    return tinygpt::train(std::get<tinygpt::Options>(parsed), {}, STDOUT_FILENO);
  } catch (const std::exception& error) {
    std::cerr << "tinygpt: " << error.what() << '\n';
    return 1;
  }
}
