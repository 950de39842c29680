# For a static binary: Debian ships no .a of fmt, spdlog and toml++, but the headers that theirs would be made of. They are
# compiled here, so that every room is compiled as for the shared ones: ccache has it from the preset release.

# gate_archive(NAME OF TEXT): gate_NAME is linked with an archive of TEXT, compiled and used as the package's target OF.
function(gate_archive name of text)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}_archive.cpp CONTENT "${text}" @ONLY)
  add_library(gate_${name}_archive STATIC ${CMAKE_BINARY_DIR}/${name}_archive.cpp)
  foreach(kind COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES)
    get_target_property(value ${of} INTERFACE_${kind})
    if(value)
      set_target_properties(gate_${name}_archive PROPERTIES ${kind} "${value}" INTERFACE_${kind} "${value}")
    endif()
  endforeach()
  target_link_libraries(gate_${name} INTERFACE gate_${name}_archive)
endfunction()
gate_archive(fmt fmt::fmt [[
#include <fmt/format-inl.h>
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API locale_ref::locale_ref(const std::locale&);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char*, const char*);
template FMT_API void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
]])
gate_archive(spdlog spdlog::spdlog [[
#include <mutex>
#include <spdlog/async.h>
#include <spdlog/async_logger-inl.h>
#include <spdlog/common-inl.h>
#include <spdlog/details/backtracer-inl.h>
#include <spdlog/details/log_msg-inl.h>
#include <spdlog/details/log_msg_buffer-inl.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/details/os-inl.h>
#include <spdlog/details/periodic_worker-inl.h>
#include <spdlog/details/registry-inl.h>
#include <spdlog/details/thread_pool-inl.h>
#include <spdlog/logger-inl.h>
#include <spdlog/pattern_formatter-inl.h>
#include <spdlog/sinks/ansicolor_sink-inl.h>
#include <spdlog/sinks/base_sink-inl.h>
#include <spdlog/sinks/sink-inl.h>
#include <spdlog/spdlog-inl.h>
template class spdlog::details::mpmc_blocking_queue<spdlog::details::async_msg>;
template class spdlog::sinks::base_sink<std::mutex>;
template class spdlog::sinks::base_sink<spdlog::details::null_mutex>;
template class spdlog::sinks::ansicolor_sink<spdlog::details::console_mutex>;
template class spdlog::sinks::ansicolor_stdout_sink<spdlog::details::console_mutex>;
]])
target_link_libraries(gate_spdlog_archive PUBLIC gate_fmt_archive)
gate_archive(toml tomlplusplus::tomlplusplus "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
