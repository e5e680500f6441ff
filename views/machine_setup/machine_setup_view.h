// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene/data/machine_check.h"
#include "views/common/view.h"

#include <QTimer>

#include <cstdint>
#include <filesystem>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace skein {

class MachineSketchCanvas;

/// Which machine, placement, ranks a node and routing are assumed: a form that shows the machine while it is
/// typed, and what is wrong with it. What is right is the window's machine at once; files are opened or
/// dropped.
class MachineSetupView : public View {
    Q_OBJECT

public:
    explicit MachineSetupView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    /// Takes a machine's description, a map, or routes, by their content.
    void takeFile(const std::filesystem::path& file);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* addField(QFormLayout& form, const char* name, const QString& label, const QString& hint,
                        const QStringList& items);
    void addButtons(QFormLayout& form);
    MachineChoice choice() const;
    void fill(const MachineChoice& choice);
    void check();
    void show(const MachineCheck& check);
    void showSketch(const MachineCheck& check);
    void offerRoutings(const Topology& topology);
    void say(const QString& problem, const QString& facts);
    void openFile();

    SessionPtr session_;
    std::uint32_t experiment_ = 0;
    QComboBox* topology_ = nullptr;
    QComboBox* placement_ = nullptr;
    QSpinBox* ranksPerNode_ = nullptr;
    QComboBox* routing_ = nullptr;
    QLineEdit* routes_ = nullptr;
    QComboBox* collectives_ = nullptr;
    QPushButton* open_ = nullptr;
    QPushButton* clear_ = nullptr;
    QLabel* problem_ = nullptr;
    QLabel* facts_ = nullptr;
    MachineSketchCanvas* sketch_ = nullptr;
    QTimer typed_;
    bool stale_ = false;  ///< something changed that nobody has seen yet
};

}  // namespace skein
