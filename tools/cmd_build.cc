// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-or-later
// caam build: a descriptor from a constructor.
#include <fmt/format.h>

#include "desc/text/disassemble.h"
#include "tools/build_params.h"
#include "tools/listing_json.h"
#include "tools/subcommands.h"

namespace caamlab::tools {
namespace {

struct BuildCommand {
  std::string constructor;
  std::string share, format = "hex", params_file;
  TargetOptions target;
  OptionValues values;
  std::map<std::string, bool> flags;
  bool list = false, json = false;
};

void list_constructors(Session& session) {
  for (const ConstructorRow& row : constructor_table()) {
    std::string options;
    for (std::string_view option : options_of(row.params)) options += fmt::format(" {}", option);
    session.out << fmt::format("{}\n    {}\n   {}\n", row.name, row.about, options.empty() ? " no options" : options);
  }
}

const ConstructorRow& find_row(const std::string& name) {
  if (const ConstructorRow* row = find_constructor(name)) return *row;
  std::string similar;
  for (const ConstructorRow& row : constructor_table())
    if (row.name.find(name) != std::string_view::npos) similar += fmt::format(" {}", row.name);
  throw UsageError(fmt::format("there is no constructor \"{}\"{}", name,
                               similar.empty() ? "; caam build --list shows all" : "; there is" + similar));
}

nlohmann::json parameters(Session& session, const ConstructorRow& row, BuildCommand& c) {
  for (const auto& [name, given] : c.flags)
    if (given) c.values[name] = {};
  std::erase_if(c.values, [&](const auto& item) { return item.second.empty() && !c.flags.contains(item.first); });
  if (c.params_file.empty()) return params_from_options(row, c.values, c.target.target());
  if (!c.values.empty()) throw UsageError(fmt::format("--params and {} exclude each other", c.values.begin()->first));
  auto json = nlohmann::json::parse(read_input(session, c.params_file), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw UsageError(c.params_file + ": not JSON");
  // A whole entry of a golden file will do.
  return json.is_object() && json.contains("params") ? json["params"] : json;
}

std::optional<desc::ShareMode> share_mode(const ConstructorRow& row, const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (row.name.starts_with("cnstr_shdsc_"))
    for (const desc::ValueName& v : desc::kSharedShareNames)
      if (v.name == name) return static_cast<desc::ShareMode>(v.value);
  throw UsageError(fmt::format("--share: {} builds a job descriptor, whose share mode is the kernel's", row.name));
}

nlohmann::json table_json(const SgTable& table) {
  nlohmann::json out = nlohmann::json::array();
  for (const desc::SgEntry& e : table)
    out.push_back({fmt::format("{:#x}", e.addr), fmt::format("{:#010x}", desc::sg_length_word(e)),
                   fmt::format("{:#010x}", desc::sg_offset_word(e))});
  return out;
}

void print_words(Session& session, const desc::Descriptor& d) {
  for (uint32_t word : d.words()) session.out << fmt::format("{:08x}\n", word);
}
void print_c(Session& session, const ConstructorRow& row, const desc::Descriptor& d) {
  session.out << fmt::format("/* {} */\nstatic const u32 desc[{}] = {{\n", row.name, d.size());
  for (unsigned i = 0; i < d.size(); ++i)
    session.out << fmt::format("{}0x{:08x},{}", i % 4 == 0 ? "\t" : " ", d[i],
                               i % 4 == 3 || i + 1 == d.size() ? "\n" : "");
  session.out << "};\n";
}

void build(Session& session, BuildCommand& c) {
  if (c.list) return list_constructors(session);
  if (c.constructor.empty()) throw UsageError("the name of a constructor is needed; caam build --list shows all");
  const ConstructorRow& row = find_row(c.constructor);
  const auto share = share_mode(row, c.share);
  const nlohmann::json params = parameters(session, row, c);
  const Built built = value_or_throw(build_descriptor(row, params, share), row.name);
  Params reader(params, "params");
  const desc::Listing listing = desc::disassemble(built.desc.words(), {.target = reader.target()});

  if (c.json || c.format == "json") {
    nlohmann::json out = to_json(listing);
    out["constructor"] = row.name;
    out["params"] = params;
    out["words"] = nlohmann::json::array();
    for (uint32_t word : built.desc.words()) out["words"].push_back(fmt::format("{:#010x}", word));
    if (built.sec4_sg) out["sec4_sg"] = table_json(*built.sec4_sg);
    return print_json(session, out);
  }
  if (c.format == "c")
    print_c(session, row, built.desc);
  else if (c.format == "listing")
    session.out << to_text(listing);
  else
    print_words(session, built.desc);
  if (!built.sec4_sg || built.sec4_sg->empty() || c.format == "c") return;
  session.out << "# scatter/gather table: address, length word, offset word\n";
  for (const auto& entry : table_json(*built.sec4_sg))
    session.out << fmt::format("# {} {} {}\n", entry[0].get<std::string>(), entry[1].get<std::string>(),
                               entry[2].get<std::string>());
}

}  // namespace

void add_build(CLI::App& app, Session& session) {
  CLI::App* sub = app.add_subcommand("build", "Build a descriptor with one of the kernel's constructors");
  auto c = std::make_shared<BuildCommand>();
  sub->add_option("constructor", c->constructor, "its name in the kernel, such as cnstr_shdsc_gcm_encap");
  sub->add_flag("--list", c->list, "show all constructors and their options");
  sub->add_option("--share", c->share, "never, wait, serial, always; the kernel's if not given")
      ->check(CLI::IsMember({"never", "wait", "serial", "always"}));
  sub->add_option("--format", c->format, "hex (a word a line), c (an array), listing, json")
      ->check(CLI::IsMember({"hex", "c", "listing", "json"}))
      ->capture_default_str();
  sub->add_flag("--json", c->json, "the same as --format json");
  sub->add_option(
      "--params", c->params_file,
      "JSON with the parameters, or an entry, of a file such as tests/golden/gcm.json; - for standard input");
  add_target_options(*sub, c->target);
  for (const BuildOption& option : build_options()) {
    const std::string name(option.name), about(option.about);
    if (option.is_flag)
      sub->add_flag(name, c->flags[name], about)->group("Parameters");
    else
      sub->add_option(name, c->values[name], about)->group("Parameters")->expected(1)->take_all();
  }
  sub->footer(
      "Bytes are hexadecimal digits or @FILE, addresses and numbers decimal or hexadecimal with 0x. Which parameters "
      "a\n"
      "constructor takes: caam build --list. Lengths are in bytes.\n"
      "exit codes: 0 built, 2 wrong usage or a descriptor that cannot be\n"
      "examples: caam build cnstr_shdsc_gcm_encap --key 000102030405060708090a0b0c0d0e0f --share never --format "
      "listing\n"
      "          caam build cnstr_shdsc_aead_encap --cipher 'cbc(aes)' --auth 'hmac(sha256)' --key @k --auth-key @h");
  sub->callback([c, &session] { build(session, *c); });
}

}  // namespace caamlab::tools
