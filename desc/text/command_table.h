// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// The documentation page of the command language, made from the same tables as encoder, decoder and listings.
#pragma once

#include <string>

namespace caamlab::desc {

// Markdown: all commands with their bits, fields and values; registers of LOAD and STORE and their bits; NFIFO entries;
// what each era brought.
std::string command_table();

}  // namespace caamlab::desc
