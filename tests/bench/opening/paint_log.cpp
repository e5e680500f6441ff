// SPDX-License-Identifier: GPL-3.0-or-later
// To be loaded before the window (LD_PRELOAD): writes into the file $SKEIN_PAINT_LOG a line for each painting
// of a widget: the time in seconds (CLOCK_MONOTONIC), the pixels of the region, and the widget with those
// that it is in. Pictures that a widget draws of itself into memory count as well.
#include <QApplication>
#include <QEvent>
#include <QMetaObject>
#include <QPaintEvent>
#include <QWidget>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

class PaintLog : public QObject {
public:
    PaintLog(std::FILE* out, QObject* parent) : QObject(parent), out_(out) {}

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const auto* widget = qobject_cast<const QWidget*>(watched);
        if (event->type() != QEvent::Paint || !widget) return false;
        qint64 pixels = 0;
        for (const QRect& rect : static_cast<QPaintEvent*>(event)->region())
            pixels += qint64{rect.width()} * rect.height();
        QString path;
        for (const QWidget* at = widget; at; at = at->isWindow() ? nullptr : at->parentWidget())
            path = QString("%1#%2/").arg(at->metaObject()->className(), at->objectName()) + path;
        const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
        std::fprintf(out_, "%.3f\t%lld\t%s\n", now.count(), static_cast<long long>(pixels), qPrintable(path));
        std::fflush(out_);
        return false;
    }

private:
    std::FILE* out_;
};

void installPaintLog()
{
    const char* path = std::getenv("SKEIN_PAINT_LOG");
    std::FILE* out = path ? std::fopen(path, "w") : nullptr;
    if (out) qApp->installEventFilter(new PaintLog(out, qApp));
}

}  // namespace

Q_COREAPP_STARTUP_FUNCTION(installPaintLog)
