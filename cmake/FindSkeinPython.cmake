# SPDX-License-Identifier: GPL-3.0-or-later
# An interpreter for the package `skein`: one that has NumPy and whose headers are installed. Of several on the PATH the
# first that has both, also in the folders of the system. Sets SkeinPython_FOUND and what FindPython3 sets; pybind11::headers.
include(FindPackageHandleStandardArgs)

function(skein_is_python_for_us result program)
  execute_process(COMMAND ${program} -c "import numpy, os, sysconfig; assert os.path.exists(sysconfig.get_path('include') + '/Python.h')"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_program(SKEIN_PYTHON NAMES python3 VALIDATOR skein_is_python_for_us DOC "Python for the package skein")
if(NOT SKEIN_PYTHON)
  find_program(SKEIN_PYTHON NAMES python3 PATHS /usr/bin /usr/local/bin NO_DEFAULT_PATH VALIDATOR skein_is_python_for_us)
endif()
mark_as_advanced(SKEIN_PYTHON)
if(SKEIN_PYTHON)
  set(Python3_EXECUTABLE ${SKEIN_PYTHON})
  find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
  # pybind11 may be the distribution's or a package of the interpreter.
  set(PYBIND11_NOPYTHON ON)
  execute_process(COMMAND ${SKEIN_PYTHON} -m pybind11 --cmakedir OUTPUT_VARIABLE SKEIN_PYBIND11_FOLDER
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  find_package(pybind11 2.9 QUIET CONFIG HINTS ${SKEIN_PYBIND11_FOLDER})
endif()
find_package_handle_standard_args(SkeinPython REQUIRED_VARS SKEIN_PYTHON Python3_Development.Module_FOUND pybind11_FOUND
  REASON_FAILURE_MESSAGE "the package skein for Python is not built")
