// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/session/experiment.h"
#include "views/common/scene/drawing/picture_frame.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace skein {

class SelectionModel;
class TaskRunner;

/// What every view of a window shares. Outlives the views.
struct ViewContext {
    SelectionModel& selection;
    TaskRunner& tasks;
    /// What several views work out from the same data, see views/common/scene/data/shared_results.h.
    std::shared_ptr<ResultStore> results = std::make_shared<ResultStore>();
};

/// A key or gesture that is not an action, for the list of shortcuts: {"W / S", "Zoom in and out at the
/// pointer"}.
struct KeyHint {
    QString keys;
    QString meaning;
};

/// What the wheel does with Shift in pictures over time.
enum class ShiftWheel { RowHeight, Time };

/// A panel that shows a session. Views know each other only through the selection model. Everything long runs
/// on the task runner with the view as the receiver. Actions that the user may search for are added with
/// addAction().
class View : public QWidget {
    Q_OBJECT

public:
    explicit View(const ViewContext& context, QWidget* parent = nullptr) : QWidget(parent), context_(context)
    {
    }

    /// Shows another session, which has at least one experiment; null: nothing is open. Comes after the
    /// selection model was reset.
    virtual void setSession(SessionPtr session) = 0;

    virtual std::vector<KeyHint> keyHints() const { return {}; }

    /// A preference of the user; for pictures over time.
    void setShiftWheel(ShiftWheel does) { shiftWheel_ = does; }
    ShiftWheel shiftWheel() const { return shiftWheel_; }

    /// What the view shows as shapes, on a picture of this size in device pixels; nullopt where there is no
    /// such picture, but a table or other widgets. May take as long as an exact picture does.
    virtual std::optional<DrawList> drawnPicture(int /*width*/, int /*height*/) const { return std::nullopt; }
    /// How high that picture is at a width when all of the content is in it, in device pixels; nullopt: it
    /// fills any height.
    virtual std::optional<int> pictureHeight(int /*width*/) const { return std::nullopt; }
    /// What the colours of that picture stand for, where it does not say so itself.
    virtual std::vector<LegendEntry> pictureLegend() const { return {}; }

protected:
    /// Panels are shown for a moment while a layout is made: what takes long begins after that.
    static constexpr int kShownForMs = 50;

    SelectionModel& selection() const { return context_.selection; }
    TaskRunner& tasks() const { return context_.tasks; }
    const std::shared_ptr<ResultStore>& results() const { return context_.results; }

private:
    ViewContext context_;
    ShiftWheel shiftWheel_ = ShiftWheel::RowHeight;
};

}  // namespace skein
