"""The exceptions. What is wrong with an argument otherwise is a ValueError or a TypeError, of a file an OSError."""


class ChuheError(Exception):
    """What all exceptions of this package are."""


class FenError(ChuheError, ValueError):
    """A text is not a position, or pieces make none."""


class MoveError(ChuheError, ValueError):
    """A move is not legal, or a text is none; the sentence says why."""


class RecordError(ChuheError, ValueError):
    """A game cannot be read, or not be written in a format; the sentence names the place."""


class EngineError(ChuheError, RuntimeError):
    """The engine is closed, belongs to another process, or could not be opened."""


class InternalError(ChuheError, RuntimeError):
    """An error in this package itself; please report it."""


for _error in (ChuheError, FenError, MoveError, RecordError, EngineError, InternalError):
    _error.__module__ = "chuhe"
