// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cstdlib>

namespace skein::shared_path_test {
namespace {

/// The variable as a test wants it while the object lives.
class Variable {
public:
    explicit Variable(const char* value)
    {
        if (const char* before = std::getenv(kName)) before_ = before;
        setenv(kName, value, 1);
    }
    ~Variable()
    {
        if (before_) setenv(kName, before_->c_str(), 1);
        else unsetenv(kName);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    static constexpr auto kName = "SKEIN_SHARED_DIR";
    std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("reference data is looked for where the environment says, and else where the build was told")
{
    const test::TemporaryFolder folder;
    const auto file = fileWith(folder, "only-here", "text");
    std::optional<std::filesystem::path> built;
    {
        const Variable unset("");
        built = test::sharedPath(".");
        CHECK_FALSE(test::sharedPath("only-here"));
    }
    const Variable elsewhere(folder.path().c_str());
    CHECK(test::sharedPath("only-here") == std::filesystem::path(file));
    CHECK_FALSE(test::sharedPath("spec"));
    CHECK(test::sharedPath(".") != built);
}

}  // namespace skein::shared_path_test
