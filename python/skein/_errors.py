# SPDX-License-Identifier: GPL-3.0-or-later
"""Exceptions of the package."""

from __future__ import annotations


class Error(Exception):
    """What could not be done, in one sentence.

    `code` is one of "not found", "access denied", "not recognized", "malformed", "unsupported",
    "invalid argument", "out of memory", "io", "not recorded", "usage", "failed", "window".
    """

    def __init__(self, message: str, code: str = "failed") -> None:
        super().__init__(message)
        self.code = code


class SkeinWarning(UserWarning):
    """Something that a user of a result should know, such as lost data."""
