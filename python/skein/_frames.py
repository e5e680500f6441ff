# SPDX-License-Identifier: GPL-3.0-or-later
"""From the JSON that commands print to frames of pandas, without losing a bit, and back."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import numpy as np
import pandas as pd

_LARGEST_INT = 2**63 - 1


class Report(Dict[str, Any]):
    """What a command tells that is no table: a dict, whose lists of rows are frames.

    `notes` are the sentences that the command had for its user, `exit_code` is that of `skein-cli`.
    """

    notes: List[str] = []
    exit_code: int = 0

    def _repr_html_(self) -> str:
        figures = {key: value for key, value in self.items() if not isinstance(value, pd.DataFrame)}
        html = pd.Series(figures, dtype=object).to_frame("").to_html(header=False)
        for key, value in self.items():
            if isinstance(value, pd.DataFrame):
                html += f"<p>{key}</p>{value.to_html(max_rows=20)}"
        return html


def _whole_numbers(values: List[Any], known: List[Any]) -> Any:
    type_name = "Int64"
    if max(known) > _LARGEST_INT or min(known) < -_LARGEST_INT - 1:
        if min(known) < 0 or max(known) > 2**64 - 1:
            return np.array(values, dtype=object)
        type_name = "UInt64"
    if len(known) < len(values):
        return pd.array(values, dtype=type_name)
    return np.array(values, dtype=type_name.lower())


def _is_float(value: Any) -> bool:
    """Whether a number of 64 bits with a point holds it without losing a digit."""
    return isinstance(value, float) or abs(value) <= 2**53 or int(float(value)) == value


def column(values: List[Any]) -> Any:
    """The values as an array whose type holds all of them exactly."""
    known = [value for value in values if value is not None]
    kinds = {type(value) for value in known}
    if kinds == {int}:
        return _whole_numbers(values, known)
    if not known or kinds <= {int, float} and all(_is_float(value) for value in known):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if kinds == {bool} and len(known) == len(values):
        return np.array(values, dtype=bool)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def frame(rows: List[Dict[str, Any]]) -> pd.DataFrame:
    """A row an object; columns in the order in which they are printed."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pd.DataFrame({name: column([row.get(name) for row in rows]) for name in names})


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def result(text: bytes) -> Any:
    """A frame for an array of objects, a Report for an object."""
    value = json.loads(text)
    if isinstance(value, dict):
        return Report((key, frame(part) if _is_table(part) else part) for key, part in value.items())
    if value and not _is_table(value):
        return value
    return frame(value)


def _plain_value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if value is pd.NA or (isinstance(value, float) and value != value):
        return None
    return value


def plain(value: Any) -> Any:
    """The inverse of result(): lists and dicts as JSON has them."""
    if isinstance(value, pd.DataFrame):
        names = list(value.columns)
        columns = [[_plain_value(cell) for cell in value[name].array] for name in names]
        return [dict(zip(names, row)) for row in zip(*columns)]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value
