// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cube_archive.h"

#include <fmt/format.h>
#include <zlib.h>

namespace skein::test {
namespace {

constexpr std::size_t kTarBlockBytes = 512;

std::string deflated(std::string_view bytes, int windowBits)
{
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace

std::string tarMember(const std::string& name, std::string_view content)
{
    std::string header(kTarBlockBytes, '\0');
    const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
    put(0, name);
    put(100, "0000600");
    put(124, fmt::format("{:011o}", content.size()));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    unsigned sum = 0;
    for (const char byte : header) sum += static_cast<unsigned char>(byte);
    put(148, fmt::format("{:06o}", sum) + std::string(1, '\0'));
    std::string member = header + std::string(content);
    member.resize((member.size() + kTarBlockBytes - 1) / kTarBlockBytes * kTarBlockBytes);
    return member;
}

std::string tarArchive(const std::vector<std::pair<std::string, std::string>>& members)
{
    std::string archive;
    for (const auto& [name, content] : members) archive += tarMember(name, content);
    return archive + std::string(2 * kTarBlockBytes, '\0');
}

std::string sparseIndex(const std::vector<std::uint32_t>& numbers, Endian endian)
{
    return "CUBEX.INDEX" + numberBytes(std::uint32_t{1}, endian) + std::string("\0\0\1", 3)
        + numberBytes(static_cast<std::uint32_t>(numbers.size()), endian) + numbersBytes(numbers, endian);
}

std::string denseIndex(Endian endian)
{
    return "CUBEX.INDEX" + numberBytes(std::uint32_t{1}, endian) + std::string("\0\0\0", 3);
}

std::string packedData(const std::string& values, std::size_t rowBytes, Endian endian)
{
    const std::size_t rows = values.size() / rowBytes;
    std::string directory, streams;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::string_view plain = std::string_view(values).substr(row * rowBytes, rowBytes);
        const bool nothing = plain.find_first_not_of('\0') == std::string_view::npos;
        const std::string packed = nothing ? std::string() : deflated(plain, 15);
        for (const std::size_t number : {row * rowBytes, streams.size(), packed.size()})
            directory += numberBytes(static_cast<std::int64_t>(number), endian);
        streams += packed;
    }
    return "ZCUBEX.DATA" + numberBytes(static_cast<std::int64_t>(rows), endian) + directory + streams;
}

std::string gzipped(std::string_view bytes) { return deflated(bytes, 15 + 16); }

std::string metricXml(int id, const std::string& name, const std::string& type, const std::string& stored,
                      const std::string& unit)
{
    return fmt::format("<metric id=\"{}\" type=\"{}\"><disp_name>{}</disp_name><uniq_name>{}</uniq_name>"
                       "<dtype>{}</dtype><uom>{}</uom><url></url><descr>of {}</descr></metric>",
                       id, stored, name, name, type, unit, name);
}

std::string anchorXml(const std::string& metrics, int ranks, int threads)
{
    std::string system;
    for (int rank = 0; rank < ranks; ++rank) {
        system += fmt::format("<locationgroup Id=\"{0}\"><name>MPI Rank {0}</name><rank>{0}</rank>"
                              "<type>process</type>",
                              rank);
        for (int thread = 0; thread < threads; ++thread)
            system += fmt::format("<location Id=\"{}\"><name>thread {}</name><rank>{}</rank>"
                                  "<type>thread</type></location>",
                                  rank * threads + thread, thread, thread);
        system += "</locationgroup>";
    }
    const auto region = [](int id, const char* name, const char* mangled) {
        return fmt::format("<region id=\"{}\" mod=\"/src/a.cpp\" begin=\"{}\" end=\"-1\"><name>{}</name>"
                           "<mangled_name>{}</mangled_name><paradigm>user</paradigm><role>function</role>"
                           "<url></url><descr></descr></region>",
                           id, 10 * id + 1, name, mangled);
    };
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
           "<attr key=\"Creator\" value=\"by hand &gt; 1\"/>\n<metrics>"
        + metrics + "</metrics>\n<program>" + region(0, "main", "main") + region(1, "_Z1ai", "_Z1ai")
        + region(2, "b()", "_Z1bv")
        + "<cnode id=\"0\" calleeId=\"0\"><cnode id=\"1\" calleeId=\"1\"><cnode id=\"2\" calleeId=\"2\"/>"
          "</cnode><cnode id=\"3\" calleeId=\"2\"></cnode></cnode></program>\n<system>"
          "<systemtreenode Id=\"0\"><name>machine</name><class>machine</class><systemtreenode Id=\"1\">"
          "<name>node0</name><class>node</class>"
        + system
        + "</systemtreenode></systemtreenode><topologies><cart name=\"grid\" ndims=\"2\">"
          "<dim name=\"x\" size=\"2\" periodic=\"true\"/><dim size=\"1\" periodic=\"false\"/>"
          "<coord locId=\"0\">0 0</coord><coord locId=\"1\">1 "
          "0</coord></cart></topologies></system></cube>\n";
}

}  // namespace skein::test
