// SPDX-License-Identifier: GPL-3.0-or-later
// usage: skein-write-header-batches SOURCES FOLDER
// Writes sources that include the headers of the programs in batches in which each is as good as alone:
// FOLDER/plain_N.cpp of those that know no Qt, FOLDER/widget_N.cpp of the others. Each header is included a
// second time at the end, which does nothing where it guards itself.
#include "tests/checks/header_batches.h"
#include "tests/checks/layers.h"

#include <cstdio>
#include <fstream>

namespace skein::checks {
namespace {

namespace fs = std::filesystem;

bool isOfPrograms(std::string_view path) { return layerOf(path) < layerOf("python/"); }
bool isPlain(std::string_view path) { return isOfPrograms(path) && mustBeFreeOfQt(path); }
bool isWidget(std::string_view path) { return isOfPrograms(path) && !mustBeFreeOfQt(path); }

std::string sourceOf(const std::vector<std::string>& batch)
{
    std::string once;
    for (const std::string& header : batch) once += "#include \"" + header + "\"\n";
    return once + once;
}

bool writeBatches(const fs::path& folder, const std::string& kind,
                  const std::vector<std::vector<std::string>>& batches)
{
    bool good = true;
    for (std::size_t number = 0; number < batches.size(); ++number) {
        std::ofstream out(folder / (kind + "_" + std::to_string(number + 1) + ".cpp"), std::ios::binary);
        out << sourceOf(batches[number]);
        out.close();
        good = good && out;
    }
    return good;
}

}  // namespace
}  // namespace skein::checks

int main(int argc, char** argv)
{
    using namespace skein::checks;
    if (argc != 3) {
        std::fputs("usage: skein-write-header-batches SOURCES FOLDER\n", stderr);
        return 2;
    }
    const std::vector<SourceFile> files = sourceFiles(argv[1]);
    const bool good = writeBatches(argv[2], "plain", headerBatches(files, isPlain))
        && writeBatches(argv[2], "widget", headerBatches(files, isWidget));
    if (!good) std::fprintf(stderr, "skein-write-header-batches: cannot write into %s\n", argv[2]);
    return good ? 0 : 1;
}
