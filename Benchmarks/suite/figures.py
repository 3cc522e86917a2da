"""Figures beside their peers: one JSON line each on stdout, a table on stderr."""

import json
import statistics
import sys


class Aim:
    """What a figure, or its ratio to the peer, should be."""

    def __init__(self, of, sign, bound):
        self.of, self.sign, self.bound = of, sign, bound

    def met(self, value, ratio):
        measured = ratio if self.of == "ratio" else value
        if measured is None:
            return None
        return measured >= self.bound if self.sign == "≥" else measured <= self.bound

    def __str__(self):
        return f"{self.sign} {self.bound}" + (" × peer" if self.of == "ratio" else "")


def ratio_at_least(bound):
    return Aim("ratio", "≥", bound)


def ratio_at_most(bound):
    return Aim("ratio", "≤", bound)


def at_most(bound):
    return Aim("value", "≤", bound)


class Figures:
    def __init__(self):
        self.lines = []

    def add(self, benchmark, figure, value, unit, peer=None, peer_value=None, ratio=None, aim=None):
        """`ratio` is given when it is the median of rounds and not the quotient of the two values."""
        if ratio is None and value is not None and peer_value:
            ratio = value / peer_value
        line = {
            "benchmark": benchmark, "figure": figure, "value": rounded(value), "unit": unit, "peer": peer,
            "peerValue": rounded(peer_value), "ratio": rounded(ratio), "aim": str(aim) if aim else None,
            "met": aim.met(value, ratio) if aim else None,
        }
        self.lines.append(line)
        print(json.dumps(line, ensure_ascii=False), flush=True)

    def add_pairs(self, benchmark, figure, pairs, unit, peer, aim):
        """Rounds in which both were measured one after the other; the median ratio stands for all."""
        pairs = sorted(pairs, key=lambda pair: pair[0] / pair[1])
        value, peer_value = pairs[len(pairs) // 2]
        self.add(benchmark, figure, value, unit, peer, peer_value, aim=aim)

    def print_table(self):
        rows = [("benchmark", "figure", "value", "peer", "ratio", "aim", "")]
        for line in self.lines:
            met = {True: "met", False: "MISSED", None: ""}[line["met"]]
            peer = "" if line["peer"] is None else f'{text(line["peerValue"])} {line["peer"]}'
            rows.append((line["benchmark"], line["figure"], f'{text(line["value"])} {line["unit"]}', peer,
                         text(line["ratio"]), line["aim"] or "", met))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(), file=sys.stderr)


def rounded(value):
    """Four digits say enough of a measurement."""
    if value is None or isinstance(value, int):
        return value
    return float(f"{value:.4g}") if abs(value) < 1000 else round(value)


def text(value):
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def median(values):
    return statistics.median(values)
