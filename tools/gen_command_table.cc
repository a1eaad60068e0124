// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// Prints docs/descriptor-language.md, or writes it to the file that is named.
#include <fstream>
#include <iostream>

#include "desc/text/command_table.h"

int main(int argc, char** argv) {
  const std::string page = caamlab::desc::command_table();
  if (argc < 2) {
    std::cout << page;
    return 0;
  }
  std::ofstream out(argv[1]);
  if (!(out << page) || !out.flush()) {
    std::cerr << "gen_command_table: " << argv[1] << " cannot be written\n";
    return 2;
  }
  return 0;
}
