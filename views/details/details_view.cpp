// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/details_view.h"

#include "views/common/empty_state.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"

#include <QEvent>
#include <QTextBrowser>

namespace skein {
namespace {

constexpr qsizetype kLongestValue = 4000;

/// Breaks may come after the marks that long names are made of, which have no blanks.
QString breakable(const std::string& utf8)
{
    QString text = QString::fromStdString(utf8);
    if (text.size() > kLongestValue) text = text.left(kLongestValue) + "…";
    text = text.toHtmlEscaped();
    for (const char* mark : {"::", "/", ","}) text.replace(mark, QString(mark) + "&#8203;");
    return text.replace("\n", "<br>");
}

}  // namespace

DetailsView::DetailsView(const ViewContext& context, QWidget* parent) : View(context, parent), text_(new QTextBrowser(this))
{
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->setAccessibleName(tr("Details of the selection"));
    text_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    text_->document()->setDocumentMargin(8);
    pages_ = EmptyState::fill(*this, text_, text_);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected | ViewParts::kBrushed)) showSelection();
    });
    setSession(nullptr);
}

void DetailsView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    if (!session_) return pages_->showMessage(tr("Open an archive, then select a call, a message or a region."));
    pages_->showContent();
    showSelection();
}

void DetailsView::showSelection()
{
    if (!session_) return;
    shown_ = detailsOf(*session_, selection().state());
    text_->setHtml(html(shown_));
}

QString DetailsView::html(const std::vector<DetailSection>& sections) const
{
    const QString faint = toQColor(themeFor(palette()).secondaryText).name();
    QString page;
    for (const DetailSection& section : sections) {
        page += "<p style='margin-top:8px; margin-bottom:4px'><b>" + breakable(section.title) + "</b></p>";
        if (section.lines.empty()) continue;
        page += "<table cellspacing='0' cellpadding='2' width='100%'>";
        for (const auto& [name, value] : section.lines)
            page += QString("<tr><td width='96' style='color:%1'>%2</td><td>%3</td></tr>")
                        .arg(faint, breakable(name), breakable(value));
        page += "</table>";
    }
    return page;
}

void DetailsView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) showSelection();
}

}  // namespace skein
