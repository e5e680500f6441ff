// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/settings_dialog.h"
#include "app/gui/search/finder_popup.h"
#include "app/gui/search/search_box.h"
#include "app/gui/settings/appearance.h"
#include "app/gui/settings/preferences.h"
#include "app/gui/window/dock_host.h"
#include "core/base/memory_limit.h"
#include "core/base/units.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/table/region_text.h"
#include "views/common/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QToolButton>

namespace skein::settings_test {

using namespace skein::gui;

namespace {

struct OpenDialog : test::WindowFixture {
    SettingsDialog* dialog = nullptr;

    OpenDialog()
    {
        trigger("edit.settings");
        dialog = child<SettingsDialog>("settingsDialog");
        REQUIRE(dialog);
    }
    template <typename T>
    T& part(const char* name) const
    {
        auto* found = dialog->findChild<T*>(name);
        REQUIRE(found);
        return *found;
    }
    void type(const char* name, const QString& text) const
    {
        auto& field = part<QLineEdit>(name);
        field.setText(text);
        Q_EMIT field.editingFinished();
    }
};

}  // namespace

TEST_CASE("settings count at once and are there again at the next start")
{
    OpenDialog fixture;
    fixture.part<QComboBox>("bytes").setCurrentIndex(1);
    CHECK(formatBytes(1'000'000) == "1 MB");
    fixture.part<QCheckBox>("foldNames").setChecked(true);
    CHECK(shortRegionName("Domain<int>::step(int)") == "Domain<…>::step(…)");
    CHECK(shortRegionName("[SAMPLE] f [{/x/m.c} {59}]") == "[SAMPLE] f m.c:59");
    CHECK(shortRegionName("f [{/x/m.c} {59,1}-{60,1}]") == "f");
    fixture.part<QComboBox>("theme").setCurrentIndex(2);
    CHECK(themeFor(fixture.window->palette()).dark);
    CHECK(fixture.window->actionRegistry().find("theme.dark")->isChecked());
    fixture.part<QComboBox>("shiftWheel").setCurrentIndex(1);
    CHECK(fixture.window->docks().find("timeline")->view->shiftWheel() == ShiftWheel::Time);
    fixture.part<QCheckBox>("useIndex").setChecked(false);
    fixture.type("indexLimit", "3 GiB");
    fixture.type("indexFolder", "/tmp/skein-indexes");
    CHECK(QSettings().value("index/folder") == "/tmp/skein-indexes");
    fixture.dialog->close();
    setByteUnits(ByteUnits::Binary);
    fixture.reopen();
    const Preferences& kept = fixture.window->preferences().preferences();
    CHECK(formatBytes(1'000'000) == "1 MB");
    CHECK(kept.names == LongNames::Folded);
    CHECK(kept.appearance == Appearance::Dark);
    CHECK(kept.shiftWheel == ShiftWheel::Time);
    CHECK_FALSE(kept.index.enabled);
    CHECK(kept.index.sizeLimit == std::uint64_t{3} << 30);
    fixture.window->preferences().set({});
    CHECK(formatBytes(1'000'000) == "976.6 KiB");
}

TEST_CASE("what is no size or no folder is told and changes nothing")
{
    OpenDialog fixture;
    const Preferences before = fixture.window->preferences().preferences();
    for (const char* wrong : {"many", "-3GiB", "1 KiB"}) {
        fixture.type("memoryLimit", wrong);
        CHECK(fixture.part<QLineEdit>("memoryLimit").text().isEmpty());
        CHECK(fixture.part<QLabel>("problem").text().contains(wrong));
    }
    fixture.type("indexLimit", "");
    fixture.type("indexFolder", "here");
    CHECK(fixture.part<QLabel>("problem").text().contains("/"));
    CHECK(fixture.window->preferences().preferences().memoryLimit == before.memoryLimit);
    CHECK(fixture.window->preferences().preferences().index.sizeLimit == before.index.sizeLimit);
    CHECK(fixture.window->preferences().preferences().index.folder == before.index.folder);
}

TEST_CASE("the search box opens the search below itself once something is open")
{
    test::WindowFixture fixture;
    auto* box = fixture.child<SearchBox>("searchBox");
    REQUIRE(box);
    CHECK_FALSE(box->isEnabled());
    fixture.open({test::example("lulesh-8/profile-flat")});
    REQUIRE(box->isEnabled());
    QTest::mousePress(box, Qt::LeftButton);
    auto* popup = fixture.child<FinderPopup>("searchPopup");
    REQUIRE(popup->isVisible());
    CHECK(popup->findChild<QLineEdit*>()->hasFocus());
    const QPoint below = box->mapTo(fixture.window.get(), QPoint(box->width(), box->height()));
    CHECK(popup->geometry().top() >= below.y());
    CHECK(popup->geometry().right() <= below.x() + 1);
    QTest::keyClick(popup->findChild<QLineEdit*>(), Qt::Key_Escape);
    QTest::mouseRelease(box, Qt::LeftButton);
    CHECK_FALSE(popup->isVisible());
}

TEST_CASE("check boxes can be seen in both themes, and whether they are checked")
{
    test::WindowFixture fixture;
    for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
        fixture.window->preferences().setAppearance(appearance);
        QCheckBox box("x");
        box.resize(box.sizeHint());
        const auto farthest = [&] {
            const QImage image = box.grab().toImage();
            const int around = image.pixelColor(image.width() - 1, 0).lightness();
            int most = 0;
            for (int x = 0; x < 14; ++x)
                most = std::max(most, std::abs(image.pixelColor(x, image.height() / 2).lightness() - around));
            return most;
        };
        CHECK(farthest() > 60);
        const QImage unchecked = box.grab().toImage();
        box.setChecked(true);
        CHECK(box.grab().toImage() != unchecked);
    }
}

TEST_CASE("a theme that is chosen moves nothing in the window")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    const auto places = [&] {
        std::vector<std::pair<QWidget*, QRect>> all;
        for (QWidget* widget : fixture.window->findChildren<QWidget*>())
            if (widget->isVisible() && !widget->isWindow()) all.emplace_back(widget, widget->geometry());
        return all;
    };
    const auto before = places();
    REQUIRE(before.size() > 100);
    for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
        fixture.window->preferences().setAppearance(appearance);
        fixture.settle();
        CHECK(places() == before);
    }
}

TEST_CASE("fields, texts and message lines stand out from what is around them")
{
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        const QString sheet = styleSheetFor(theme);
        const QRegularExpressionMatch field =
            QRegularExpression("QLineEdit \\{[^}]*border: 1px solid rgba.([0-9]+),([0-9]+),([0-9]+)")
                .match(sheet);
        REQUIRE(field.hasMatch());
        const auto part = [&](int which) { return static_cast<std::uint8_t>(field.captured(which).toInt()); };
        const Color line{part(1), part(2), part(3)};
        for (const Color& around : {theme.background, theme.panel}) {
            CHECK(contrast(line, around) >= 3);
            for (const Color& text : {theme.text, theme.secondaryText, theme.warning, theme.error})
                CHECK(contrast(text, around) >= 4.5);
        }
        CHECK(contrast(theme.tooltipText, theme.tooltip) >= 4.5);
        CHECK(contrast(theme.accentText, theme.accent) >= 4.5);
        // The faintest lines, where there are many.
        const Color message = mix(theme.background, withAlpha(theme.message, 255), 120 / 255.0);
        CHECK(contrast(message, theme.background) >= 3);
    }
}

}  // namespace skein::settings_test
