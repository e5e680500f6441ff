// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings/preferences.h"

#include <QSettings>

namespace skein::gui {
namespace {

constexpr auto kAppearance = "appearance";
constexpr auto kBytes = "bytes";
constexpr auto kNames = "longNames";
constexpr auto kShiftWheel = "shiftWheel";
constexpr auto kMemory = "memoryLimit";
constexpr auto kIndex = "index/enabled";
constexpr auto kIndexFolder = "index/folder";
constexpr auto kIndexLimit = "index/limit";

QString folderOf(const disk::IndexSettings& index) { return QString::fromStdString(index.folder.string()); }

void keep(QSettings& settings, const char* key, const QVariant& value, const QVariant& usual)
{
    if (value == usual) settings.remove(key);
    else settings.setValue(key, value);
}

std::uint64_t bytesAt(const QSettings& settings, const char* key, std::uint64_t usual)
{
    bool good = false;
    const qulonglong bytes = settings.value(key).toULongLong(&good);
    return good ? bytes : usual;
}

}  // namespace

Preferences loadPreferences()
{
    const QSettings settings;
    Preferences result;
    result.appearance = appearanceFromName(settings.value(kAppearance).toString());
    if (settings.value(kBytes).toString() == "decimal") result.bytes = ByteUnits::Decimal;
    if (settings.value(kNames).toString() == "folded") result.names = LongNames::Folded;
    if (settings.value(kShiftWheel).toString() == "time") result.shiftWheel = ShiftWheel::Time;
    const std::uint64_t memory = bytesAt(settings, kMemory, 0);
    result.memoryLimit = memory < kLeastMemoryLimit ? 0 : memory;
    result.index.enabled = settings.value(kIndex, result.index.enabled).toBool();
    const QString folder = settings.value(kIndexFolder).toString();
    if (!folder.isEmpty() && !qEnvironmentVariableIsSet("SKEIN_INDEX_DIR"))
        result.index.folder = folder.toStdString();
    if (!qEnvironmentVariableIsSet("SKEIN_INDEX_LIMIT"))
        result.index.sizeLimit = bytesAt(settings, kIndexLimit, result.index.sizeLimit);
    return result;
}

void savePreferences(const Preferences& preferences)
{
    const Preferences usual;
    QSettings settings;
    keep(settings, kAppearance, name(preferences.appearance), name(usual.appearance));
    keep(settings, kBytes, preferences.bytes == ByteUnits::Decimal ? "decimal" : "binary", "binary");
    keep(settings, kNames, preferences.names == LongNames::Folded ? "folded" : "whole", "whole");
    keep(settings, kShiftWheel, preferences.shiftWheel == ShiftWheel::Time ? "time" : "rows", "rows");
    keep(settings, kMemory, qulonglong{preferences.memoryLimit}, qulonglong{usual.memoryLimit});
    keep(settings, kIndex, preferences.index.enabled, usual.index.enabled);
    keep(settings, kIndexFolder, folderOf(preferences.index), folderOf(usual.index));
    keep(settings, kIndexLimit, qulonglong{preferences.index.sizeLimit}, qulonglong{usual.index.sizeLimit});
}

}  // namespace skein::gui
