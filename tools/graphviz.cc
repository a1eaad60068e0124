// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// See graphviz.h. The graph goes through a file: a pipe in both directions could fill up on both sides.
#include "tools/graphviz.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "tools/cli.h"

namespace caamlab::tools {
namespace {

// A file with `text` that goes away with this object.
class TempFile {
 public:
  explicit TempFile(const std::string& text) : path_(std::filesystem::temp_directory_path() / "caam-XXXXXX") {
    const int fd = mkstemp(path_.data());
    if (fd < 0) throw UsageError(fmt::format("--svg: no file can be made as {}", path_));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fdopen(fd, "w"), &std::fclose);
    std::fwrite(text.data(), 1, text.size(), file.get());
  }
  ~TempFile() { unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// For a shell, which reads nothing into it.
std::string for_shell(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

constexpr int kNotFound = 127;  // what a shell says of a program that is not there

}  // namespace

std::string graphviz_svg(const std::string& graph) {
  const TempFile file(graph);
  std::FILE* pipe = popen(("dot -Tsvg " + for_shell(file.path()) + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) throw UsageError("--svg: no program can be started");
  std::string out;
  char buffer[4096];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)
    throw UsageError("--svg: there is no program `dot`; install Graphviz (Debian: graphviz), or take --dot");
  throw UsageError("--svg: Graphviz's dot could not draw the graph; --dot shows it");
}

}  // namespace caamlab::tools
