// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"

#include <cstddef>
#include <memory>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <span>
#include <string>
#include <vector>

/// Columns of the data model as arrays of NumPy that share their memory.
namespace skein::python {

namespace py = pybind11;

/// Describes the rows of a table as NumPy wants it: the members by their places in the row.
class RowType {
public:
    explicit RowType(std::size_t bytes) : bytes_(bytes) {}
    /// `format` is NumPy's: "<i8".
    RowType& add(const char* name, const char* format, std::size_t offset);
    py::dtype finish() const;

private:
    std::size_t bytes_;
    py::list names_, formats_, offsets_;
};

/// What an array looks at: `shape` values of `type`, one behind the other from `first` on.
struct ArrayValues {
    const void* first = nullptr;
    py::dtype type;
    std::vector<py::ssize_t> shape;
};

/// An array that looks at values which `owner` keeps alive. Nobody can write to it: what is looked at may be
/// a file that is mapped for reading.
py::array sharedArray(std::shared_ptr<const void> owner, const ArrayValues& values);

template <typename T>
py::array columnArray(const Column<T>& column, const py::dtype& type)
{
    return sharedArray(std::make_shared<const Column<T>>(column),
                       {column.data(), type, {static_cast<py::ssize_t>(column.size())}});
}

/// A column of numbers.
template <typename T>
py::array columnArray(const Column<T>& column)
{
    return columnArray(column, py::dtype::of<T>());
}

/// Numbers of which there is no column, as an array of their own.
template <typename T>
py::array ownArray(std::vector<T> values)
{
    return columnArray(Column<T>(std::move(values)));
}

}  // namespace skein::python
