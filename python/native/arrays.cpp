// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/arrays.h"

namespace skein::python {

RowType& RowType::add(const char* name, const char* format, std::size_t offset)
{
    names_.append(name);
    formats_.append(format);
    offsets_.append(offset);
    return *this;
}

py::dtype RowType::finish() const
{
    return py::dtype(names_, formats_, offsets_, static_cast<py::ssize_t>(bytes_));
}

py::array sharedArray(std::shared_ptr<const void> owner, const ArrayValues& values)
{
    using Owner = std::shared_ptr<const void>;
    auto held = std::make_unique<Owner>(std::move(owner));
    py::object base = py::none();
    if (values.first) {
        base = py::capsule(held.get(), [](void* object) { delete static_cast<Owner*>(object); });
        held.release();
    }
    py::array array(values.type, values.shape, values.first, base);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

}  // namespace skein::python
