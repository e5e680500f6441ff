// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"

#include "app/gui/export/table_csv.h"
#include "app/gui/window/dock_host.h"
#include "core/select/filters.h"
#include "tests/gui/support/window_fixture.h"

#include <QDockWidget>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTreeView>
#include <QXmlStreamReader>

namespace skein::picture_test {

using namespace skein::gui;

namespace {

QByteArray contentOf(const QString& file)
{
    QFile opened(file);
    REQUIRE(opened.open(QIODevice::ReadOnly));
    return opened.readAll();
}

/// The texts of an SVG, one after the other.
QString textsOf(const QByteArray& svg)
{
    QString texts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QString("text"))
            texts += reader.readElementText(QXmlStreamReader::IncludeChildElements) + "\n";
    CHECK_FALSE(reader.hasError());
    return texts;
}

}  // namespace

TEST_CASE("every view is saved in one frame, exactly as large as was asked for, with text as text")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->selection().setFilters(
        {regionFilter(FilterEffect::Hide, "MPI_Wait",
                      regionsMatching(*fixture.window->loader().session(), "MPI_Wait"))},
        nullptr);
    fixture.window->selection().setVisible(TimeSpan{560'000'000, 600'000'000}, nullptr);
    fixture.settle();
    const test::TemporaryFolder folder;
    for (const DockHost::Panel& panel : fixture.window->docks().panels()) {
        INFO(panel.description->id);
        panel.dock->show();
        panel.dock->raise();
        fixture.settle();
        const QString title = panel.description->title;
        const PictureFrame frame =
            frameOfView(*panel.view, title, fixture.window->selection(), fixture.window->loader().session());
        const QString file = QString::fromStdString((folder.path() / panel.description->id).string());
        REQUIRE(saveViewPicture(*panel.view, file + ".png", {800, 500}, frame));
        CHECK(QImage(file + ".png").size() == QSize(800, 500));
        REQUIRE(saveViewPicture(*panel.view, file + ".svg", {800, 500}, frame));
        const QByteArray svg = contentOf(file + ".svg");
        CHECK(svg.contains("viewBox=\"0 0 800 500\""));
        const QString texts = textsOf(svg);
        CHECK(texts.contains(title + " · "));
        CHECK(texts.contains("MPI_Wait hidden"));
        CHECK(texts.contains(QRegularExpression("40(\\.0+)? ms from 560|[Ww]hole run")));
        REQUIRE(saveViewPicture(*panel.view, file + ".pdf", {800, 500}, frame));
        const QByteArray pdf = contentOf(file + ".pdf");
        CHECK(pdf.startsWith("%PDF-"));
        CHECK(pdf.contains("/Font"));
        CHECK(QString::fromLatin1(pdf).contains(
            QRegularExpression("/MediaBox \\[0[.0]* 0[.0]* 600[.0]* 375[.0]*\\]")));
    }
    CHECK(savePicture(*fixture.window, QString::fromStdString((folder.path() / "window.png").string())));
    CHECK_FALSE(savePicture(*fixture.window, "window.gif"));
    CHECK_FALSE(savePicture(*fixture.window, "/nowhere/window.png"));
}

TEST_CASE("pictures of calls say what their colours stand for, in lines that wrap")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const test::TemporaryFolder folder;
    for (const char* id : {"timeline", "location_detail"}) {
        INFO(id);
        View& view = *fixture.window->docks().find(id)->view;
        const PictureFrame frame =
            frameOfView(view, "T", fixture.window->selection(), fixture.window->loader().session());
        // The timeline also tells what it leaves of the two groups with several regions.
        CHECK(frame.legend.size() == (std::string(id) == "timeline" ? 14 : 12));
        for (const int width : {500, 1600}) {
            const QString file = QString::fromStdString((folder.path() / "a.svg").string());
            REQUIRE(saveViewPicture(view, file, {width, 700}, frame));
            const QString texts = textsOf(contentOf(file));
            for (const LegendEntry& entry : frame.legend)
                CHECK(texts.contains(QString::fromStdString(entry.text)));
        }
    }
}

TEST_CASE("tables are saved as tables, as high as their rows")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    View& view = *fixture.window->docks().find("function_summary")->view;
    const PictureFrame frame = frameOfView(view, "Function summary", fixture.window->selection(),
                                           fixture.window->loader().session());
    const QTreeView& table = *tableOf(view);
    const QImage image = viewImage(view, {1200, std::nullopt}, frame);
    CHECK(image.width() == 1200);
    const int rows = table.model()->rowCount();
    CHECK(image.height() > rows * 12);
    CHECK(image.height() < (rows + 8) * 40);
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "table.svg").string());
    REQUIRE(saveViewPicture(view, file, {1200, std::nullopt}, frame));
    const QString texts = textsOf(contentOf(file));
    for (const char* header : {"Region", "Exclusive", "Inclusive", "Calls"}) CHECK(texts.contains(header));
    for (int row = 0; row < rows; ++row)
        CHECK(texts.contains(table.model()->index(row, 2).data().toString()));
    // One that needs less than the width is cut there, unless a size was asked for.
    const QImage wide = viewImage(view, {4000, std::nullopt}, frame);
    CHECK(wide.width() > 1200);
    CHECK(wide.width() < 3000);
    CHECK(viewImage(view, {4000, 900}, frame).width() == 4000);
    // A table that has no room for all of its rows says so.
    REQUIRE(saveViewPicture(view, file, {1200, 300}, frame));
    CHECK(textsOf(contentOf(file)).contains("more rows"));
}

TEST_CASE("pictures are as high as their content where no height is asked for")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->resize(1024, 700);
    const test::TemporaryFolder folder;
    const QString file = QString::fromStdString((folder.path() / "a.svg").string());
    const auto save = [&](const char* id) {
        View& view = *fixture.window->docks().find(id)->view;
        fixture.window->docks().focusView(id);
        fixture.settle();
        const PictureFrame frame =
            frameOfView(view, "T", fixture.window->selection(), fixture.window->loader().session());
        const QSize before = view.size();
        REQUIRE(saveViewPicture(view, file, {900, std::nullopt}, frame));
        CHECK(view.size() == before);
        const QByteArray svg = contentOf(file);
        const auto height =
            QRegularExpression("viewBox=\"0 0 900 (\\d+)\"").match(QString::fromUtf8(svg)).captured(1);
        return std::pair{height.toInt(), textsOf(svg)};
    };
    // More depths of calls than the panel has room for.
    const auto [detail, depths] = save("location_detail");
    CHECK(detail > fixture.window->docks().find("location_detail")->view->height());
    for (const char* depth : {"\n1\n", "\n4\n", "\n5\n"}) CHECK(depths.contains(depth));
    // Rows that are as high as their names, and no more.
    fixture.trigger("timeline.rowsReadable");
    const auto [timeline, ranks] = save("timeline");
    for (int rank = 0; rank < 8; ++rank) CHECK(ranks.contains(QString("Rank %1").arg(rank)));
    CHECK(timeline > 8 * 12);
    // All of the text, of which the panel shows a part.
    const auto [details, words] = save("details");
    CHECK(details > fixture.window->docks().find("details")->view->height());
    for (const char* word : {"Format", "Duration", "Call paths", "Messages"}) CHECK(words.contains(word));
}

TEST_CASE("a picture within a form is saved in the size that it has there")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    fixture.window->selection().setMachine({.topology = "torus:4x4"}, nullptr);
    fixture.window->docks().focusView("machine_setup");
    fixture.settle();
    View& view = *fixture.window->docks().find("machine_setup")->view;
    const PictureFrame frame =
        frameOfView(view, "Machine", fixture.window->selection(), fixture.window->loader().session());
    const QImage image = viewImage(view, {900, 900}, frame);
    REQUIRE(image.size() == QSize(900, 900));
    // The sketch of the machine fills what is left, and ends with a line of words.
    int written = 0;
    for (int y = 870; y < 894; ++y)
        for (int x = 16; x < 400; ++x) written += image.pixel(x, y) != image.pixel(12, y) ? 1 : 0;
    CHECK(written > 50);
}

TEST_CASE("archives of one name are told apart in every view, the same one opened twice too")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2"), test::example("eztrace-lulesh-8/trace-otf2"),
                  test::example("lulesh-8/trace-otf2")});
    std::vector<std::string> names;
    for (const ExperimentPtr& experiment : fixture.window->loader().session()->experiments)
        names.push_back(experiment->name);
    CHECK(names
          == std::vector<std::string>{"lulesh-8/trace-otf2", "eztrace-lulesh-8/trace-otf2",
                                      "lulesh-8/trace-otf2 (2)"});
}

}  // namespace skein::picture_test
