"""The words that arguments take."""

from typing import Literal

Side = Literal["red", "black"]
RuleSet = Literal["asian", "league", "computer", "cxa", "tiantian", "none"]
Notation = Literal["ICCS", "UCI", "WXF", "Chinese", "Vietnamese"]
Format = Literal["pgn", "xqf", "ubb", "fen"]
Encoding = Literal["utf-8", "gbk"]
Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
PieceSet = Literal["wood", "simplified", "flat", "letters"]
BoardColours = Literal["wood", "paper", "green"]
Coordinates = Literal["chinese", "letters", "none"]
