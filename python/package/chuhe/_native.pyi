"""The types of the Rust half of the package."""

from os import PathLike
from typing import Any, Final, Hashable, Iterable, Iterator, Literal, Mapping, Protocol, Sequence, TypeAlias, final, overload

from ._moves import LegalMoves, MoveList
from ._records import Analysis, Answer, Departure, Explored, LiveReport, OpeningGap, Outcome, TacticAnswer
from ._types import BoardColours, Coordinates, Encoding, Format, Notation, PieceSet, Result, RuleSet, Side

class _Readable(Protocol):
    def read(self) -> str | bytes: ...

# A file of games, or games.
_Games: TypeAlias = "str | bytes | PathLike[str] | _Readable | Game | Iterable[Game]"

__version__: Final[str]
BUILD: Final[str]
START_FEN: Final[str]
RULE_SETS: Final[list[str]]

@final
class Move:
    """A move from a square to another, such as `h2e2`. It need not be legal in any position."""

    def __new__(cls, text: str) -> Move: ...
    @property
    def from_square(self) -> str:
        """The square that the piece leaves."""
    @property
    def to_square(self) -> str:
        """The square that the piece goes to."""
    def mirrored(self) -> Move:
        """The left-right mirror image."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, other: Move) -> bool: ...

@final
class Position:
    """A position: the pieces, the side to move, and the moves that led to it.

    `Position()` is the start. Otherwise it takes a FEN or `startpos`, either with `moves …` behind it, or moves alone, in
    any notation. Two positions are equal, and have the same hash, if their pieces, the side to move and the variant are:
    counters and earlier moves do not count. A position changes with `push` and `pop`; keep a `copy()` in sets and dicts.
    """

    def __new__(cls, position: str = "startpos", *, promotion: bool = False) -> Position: ...
    @classmethod
    def from_pieces(cls, pieces: Mapping[str, str], turn: Side = "red", *, promotion: bool = False) -> Position:
        """A position from its pieces: letters as in a FEN (red's are capitals) by their squares, as `pieces()` gives them."""
    @classmethod
    def from_picture(
        cls,
        picture: str | PathLike[str] | bytes,
        turn: Side = "red",
        *,
        turned: bool | None = None,
        corners: Sequence[tuple[float, float]] | None = None,
    ) -> Position:
        """The position that a picture shows: a path, or the bytes of a PNG, JPEG or WebP. `doubts` tells what is not sure.

        A picture does not tell the side to move. `turned` says that black is below, where the pieces do not; `corners` are
        the outer points of the board in pixels, clockwise from the top left, for photographs.
        """
    @property
    def doubts(self) -> list[tuple[str, str | None, str | None, float, float]]:
        """The points of the picture that may be something else: the square, what it is read as, what it may be instead, and
        the chances of both. Empty unless the position comes from `from_picture`."""
    @property
    def turn(self) -> Side:
        """The side to move: red or black."""
    @property
    def promotion(self) -> bool:
        """Whether advisors and bishops may turn into pawns at home, as in a variant."""
    @property
    def ply(self) -> int:
        """The number of plies since the start of the game, from the FEN's counter and the moves."""
    @property
    def fullmove_number(self) -> int:
        """The number of the move that is next, from 1: both sides' moves are one."""
    @property
    def plies_since_capture(self) -> int:
        """The number of plies since the last capture."""
    @property
    def occurrences(self) -> int:
        """How often this position has stood since the last capture, this time included."""
    @property
    def key(self) -> int:
        """The Zobrist key of pieces and side: 64 bits that are the same in every process and version."""
    @property
    def last_move(self) -> Move | None:
        """The last move; None at the start."""
    @property
    def move_stack(self) -> MoveList:
        """The moves that led here, the first one first."""
    @property
    def legal_moves(self) -> LegalMoves:
        """All legal moves, in no particular order: a list in which a text in any notation is found, too."""
    def fen(self) -> str:
        """The position as a FEN."""
    def start(self) -> Position:
        """The position before the first of its moves."""
    def is_legal(self, mv: Move | str) -> bool:
        """Whether a move, or a text in any notation, is a legal move."""
    def why_illegal(self, mv: Move | str) -> str | None:
        """Why a move is not legal, as a sentence; None if it is."""
    def push(self, mv: Move | str) -> Move:
        """Plays a legal move, or a text in any notation, also in short (`炮五`), and returns it."""
    def pop(self) -> Move:
        """Takes the last move back and returns it. An IndexError says that there is none."""
    def peek(self) -> Move:
        """The last move. An IndexError says that there is none."""
    def parse_move(self, text: str, notation: Notation | None = None) -> Move:
        """Reads a legal move in ICCS, UCI, WXF, Chinese or Vietnamese, also in short, without playing it. A word that is
        legal in WXF and in Vietnamese and means two moves is refused, unless one of them is given."""
    def format_move(self, mv: Move | str, notation: Notation = "Chinese") -> str:
        """Writes a legal move."""
    def format_line(self, moves: Iterable[Move | str], notation: Notation = "Chinese") -> list[str]:
        """Writes moves that follow each other from here."""
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no legal move."""
    def is_stalemate(self) -> bool:
        """Whether the side to move is not in check and has no legal move, which loses."""
    def is_insufficient_material(self) -> bool:
        """Whether neither side has pieces left that can win."""
    def is_capture(self, mv: Move | str) -> bool:
        """Whether a legal move captures."""
    def gives_check(self, mv: Move | str) -> bool:
        """Whether a legal move gives check."""
    def piece_at(self, square: str) -> str | None:
        """The piece on a square such as `e0`, as a letter of a FEN."""
    def pieces(self) -> dict[str, str]:
        """All pieces: letters by squares."""
    def king(self, side: Side) -> str:
        """The square of a king."""
    def attackers(self, side: Side, square: str) -> list[str]:
        """The squares of the pieces of a side that attack a square."""
    def attacks(self, square: str) -> list[str]:
        """The squares that the piece on a square attacks or protects; empty if there is none. Pins are ignored."""
    def is_pinned(self, side: Side, square: str) -> bool:
        """Whether a piece of a side stands on a square, and its king would be attacked without it."""
    def outcome(self, rules: RuleSet = "asian", natural_limit: int | None = None) -> Outcome | None:
        """How the game ended, and why, by a rule set; None while it goes on."""
    def is_game_over(self, rules: RuleSet = "asian", natural_limit: int | None = None) -> bool:
        """Whether the game is over by a rule set."""
    def losing_moves(self, rules: RuleSet = "asian") -> MoveList:
        """Legal moves that lose at once by the rules of repetition."""
    def perft(self, depth: int, threads: int = 1) -> int:
        """The number of move paths of this length."""
    def mirrored(self) -> Position:
        """The left-right mirror image, without the moves that led here."""
    def color_flipped(self) -> Position:
        """The same position with the sides exchanged, without the moves that led here."""
    def copy(self, *, history: bool = True) -> Position:
        """A copy, with or without the moves that led here."""
    def svg(
        self,
        *,
        arrows: Iterable[Move | str] | None = None,
        marked: list[str] | None = None,
        flipped: bool = False,
        pieces: PieceSet = "wood",
        board: BoardColours = "wood",
        coordinates: Coordinates = "chinese",
    ) -> str:
        """A picture as SVG: with arrows for moves, rings on squares, seen from black's side."""
    def png(
        self,
        width: int = 480,
        *,
        arrows: Iterable[Move | str] | None = None,
        marked: list[str] | None = None,
        flipped: bool = False,
        pieces: PieceSet = "wood",
        board: BoardColours = "wood",
        coordinates: Coordinates = "chinese",
    ) -> bytes:
        """The same picture as a PNG of this width."""
    def _repr_svg_(self) -> str: ...

@final
class Game:
    """A game: tags, a start, a tree of moves with comments and marks, a result.

    `Game()` begins at the start position; a `Position` brings the moves that led to it. `print` shows it as PGN. Two games
    are equal if their tags, start, result and tree with its comments and marks are.
    """

    def __new__(
        cls,
        position: Position | str | None = None,
        moves: Iterable[Move | str] | None = None,
        *,
        tags: Mapping[str, str] | None = None,
        result: Result = "*",
    ) -> Game: ...
    @property
    def tags(self) -> dict[str, str]:
        """The tags in their order, by PGN names. Assign a dict to change them: the one that is read is a copy."""
    @tags.setter
    def tags(self, tags: Mapping[str, str]) -> None: ...
    def tag(self, name: str) -> str | None:
        """The value of a tag; of `Red` also that of `White`."""
    def set_tag(self, name: str, value: str) -> None:
        """Sets a tag, or appends it."""
    @property
    def result(self) -> Result:
        """The result in the record: 1-0, 0-1, 1/2-1/2, or * if there is none."""
    @result.setter
    def result(self, text: str) -> None: ...
    @property
    def errors(self) -> list[str]:
        """What was wrong in the file, with its place; empty if all was readable."""
    @property
    def is_complete(self) -> bool:
        """Whether the main line was read to its end."""
    @property
    def start(self) -> Position:
        """The position before the first move."""
    @property
    def moves(self) -> MoveList:
        """The moves of the main line."""
    @property
    def root(self) -> Node:
        """The root of the tree, before the first move."""
    @property
    def end(self) -> Node:
        """The last node of the main line."""
    def position(self, ply: int | None = None) -> Position:
        """The position of the main line after so many plies, or the last one, with the moves that led there."""
    def main_line(self) -> list[_MoveNode]:
        """The nodes of the main line, without the root."""
    def nodes(self) -> list[Node]:
        """All nodes, the root first; parents come before their children."""
    def write(self, format: Format = "pgn", *, notation: Notation = "ICCS", encoding: Encoding = "utf-8") -> bytes:
        """The game in a format, as the bytes of a file."""
    def pgn(self, notation: Notation = "ICCS") -> str:
        """The game as PGN."""
    def copy(self) -> Game:
        """A copy, which has nodes of its own."""
    def _repr_svg_(self) -> str: ...

class Node:
    """A move in the tree of a game, or its root."""

    @property
    def game(self) -> Game:
        """The game that it belongs to."""
    @property
    def move(self) -> Move | None:
        """The move; None at the root."""
    @property
    def ply(self) -> int:
        """The number of moves from the start of the game."""
    @property
    def comment(self) -> str:
        """The comment after the move; empty if there is none."""
    @comment.setter
    def comment(self, text: str) -> None: ...
    @property
    def marks(self) -> list[str]:
        """The marks of the move: !, ?, !!, ??, !?, ?!, or a number of PGN such as $10."""
    @marks.setter
    def marks(self, marks: list[str]) -> None: ...
    @property
    def parent(self) -> Node | None:
        """The node before; None at the root."""
    @property
    def children(self) -> list[_MoveNode]:
        """What follows: the move of the line, and then its alternatives."""
    @property
    def next(self) -> _MoveNode | None:
        """The next move of the line."""
    @property
    def is_main_line(self) -> bool:
        """Whether it is the root or a move of the main line."""
    def position(self) -> Position:
        """The position after the move, with the moves that led there."""
    def text(self, notation: Notation = "Chinese") -> str:
        """The move in a notation; empty at the root."""
    def add(self, mv: Move | str, *, comment: str = "") -> _MoveNode:
        """Adds a legal move after this one, as the last alternative, and returns its node; one that is there stays."""

# A node that is not the root.
@final
class _MoveNode(Node):
    @property
    def move(self) -> Move: ...

@final
class GameReader:
    """The games of a file, one after the other."""

    @property
    def format(self) -> str:
        """The format that was found: PGN, XQF, UBB, FEN, WXF, CBR, CBL, CBF or text."""
    def __iter__(self) -> GameReader: ...
    def __next__(self) -> Game: ...

@final
class Explorer:
    """An index of games: a folder that keeps the first 30 plies of every game that was added."""

    def __new__(cls, index: str | PathLike[str]) -> Explorer: ...
    def add(self, files: str | PathLike[str] | Iterable[str | PathLike[str]]) -> int:
        """Adds what is new in files of games, given by a path or several; returns how many games were new.

        What cannot be read of a game is left out. A file that has grown is read from its first new game on.
        """
    def ask(
        self,
        position: Position | str | None = None,
        *,
        player: str | None = None,
        colour: Side | None = None,
        since: str | None = None,
        until: str | None = None,
        result: Literal["1-0", "0-1", "1/2-1/2", "*"] | None = None,
        source: str | None = None,
        games: int = 0,
    ) -> Explored:
        """What the games say about a position, the start position if none is given: as `chuhe explore --json`."""
    def __len__(self) -> int: ...

@final
class Tactic:
    """A position with one best move at each step of its solution."""

    @property
    def fen(self) -> str:
        """The position as a FEN."""
    @property
    def position(self) -> Position:
        """The position, with the solver to move."""
    @property
    def moves(self) -> MoveList:
        """The solution with the answers of the other side: the solver has the first move and the last."""
    @property
    def themes(self) -> list[str]:
        """The names of what it shows, such as `fork`, the most telling ones first."""
    @property
    def difficulty(self) -> int:
        """How hard it is, from about 600 to 2400."""
    def check(self, moves: Move | str | Iterable[Move | str], *, nodes: int = 60_000) -> TacticAnswer:
        """What an answer is worth: the first move of the solver, or his moves up to the one that is asked about.

        `state` is `right` (the other side answers with `reply`), `solved`, `as-good` (another move that is worth as much) or
        `wrong` (`refutation` shows why). A move that is not of the solution is searched with so many nodes.
        """
    def to_dict(self) -> dict[str, Any]:
        """Its fields, as a line of a file has them."""
    def _repr_svg_(self) -> str: ...

@final
class Tactics:
    """Tactics: those of the program, or of a file that `save` or `chuhe tactics` has written, given by a path or its bytes."""

    def __new__(cls, source: str | PathLike[str] | bytes | list[Tactic] | None = None) -> Tactics: ...
    @property
    def themes(self) -> dict[str, int]:
        """How often each theme comes, the most frequent first."""
    def filter(
        self,
        theme: str | Iterable[str] | None = None,
        *,
        least: int = 0,
        most: int = 9999,
        count: int | None = None,
        hardest: bool = False,
        seed: int = 1,
    ) -> Tactics:
        """Those with a theme (or one of several), of a difficulty, so many: drawn at random, or the hardest ones first."""
    @classmethod
    def mine(cls, games: _Games, *, nodes: int = 10_000) -> TacticMiner:
        """Finds tactics in games, given by a path or as `Game` objects: an iterator, which looks through the next game when it is
        asked and leaves out what is a twin of an earlier one. What is found is checked with ten times as many nodes."""
    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> int:
        """Writes them to a file, a line of JSON each, and returns how many there are."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Tactic: ...
    @overload
    def __getitem__(self, index: slice) -> Tactics: ...
    def __iter__(self) -> Iterator[Tactic]: ...

@final
class TacticMiner:
    """Looking through games for tactics: an iterator."""

    @property
    def games(self) -> int:
        """The number of games that were looked through."""
    def __iter__(self) -> TacticMiner: ...
    def __next__(self) -> Tactic: ...

@final
class Repertoire:
    """The moves that a player wants to play with one colour, and the answers that they are for.

    It is read from games with variations, given by a path or as `Game` objects, or begins empty; the colour is that of the
    games where they tell it. Other orders of moves and mirror images are joined.
    """

    def __new__(cls, games: _Games | None = None, *, colour: Side | None = None) -> Repertoire: ...
    @classmethod
    def of_player(
        cls, games: _Games, player: str | Iterable[str], colour: Side, *, least: int = 2, plies: int = 24
    ) -> Repertoire:
        """A repertoire of the games of a player (one name or several of the same person): moves and answers that were played in
        `least` games or more, up to so many plies."""
    @property
    def colour(self) -> Side:
        """The side whose moves they are: red or black."""
    @property
    def positions(self) -> int:
        """The number of positions with a move of the player."""
    def moves(self, position: Position | str) -> MoveList:
        """The moves of the repertoire in a position, the main one first; empty if it does not know it."""
    def add(self, line: str | Iterable[Move | str]) -> int:
        """Adds a line of moves from the start position, and returns how many of them are new."""
    def lines(self) -> list[MoveList]:
        """Its lines from the start position to their ends, or to a position that another line goes on from."""
    def gaps(
        self,
        games: _Games | None = None,
        *,
        player: str | Iterable[str] | None = None,
        book: str | PathLike[str] | None = None,
        share: float = 0.1,
        least: int = 2,
        plies: int = 24,
    ) -> list[OpeningGap]:
        """Answers that have no move yet, the most frequent first: those that came in `least` games, and in this share of the
        games in their position; or that a book gives this weight. Without games and book, the book of the program. Fields are
        those of `chuhe repertoire gaps --json`."""
    def follow(self, game: Game) -> Departure | None:
        """Where a game leaves it: `departure` is `never`, `end` (it has no moves there), `mine` (the player plays another move)
        or `other` (the other side does); None if the game does not begin in the start position."""
    def game(self) -> Game:
        """It as a game with variations, which `write_games` writes."""
    def to_dict(self) -> dict[str, Any]:
        """Each position once, with its moves: as `chuhe repertoire show --json`."""
    def __len__(self) -> int: ...

def read_games(source: str | bytes | PathLike[str] | _Readable, *, strict: bool = False) -> GameReader:
    """Reads the games of a path, a text, bytes or an open file, of any format and encoding.

    A game is kept as far as it can be read, and its `errors` tell the rest; with `strict` the first error is raised.
    """

def write_games(
    path: str | PathLike[str],
    games: Game | Iterable[Game],
    format: Format | None = None,
    *,
    notation: Notation = "ICCS",
    encoding: Encoding = "utf-8",
    overwrite: bool = False,
) -> int:
    """Writes games to a file, whole or not at all, and returns how many. The ending of its name tells the format."""

def judge(game: Game | Position | str, rules: RuleSet = "asian", *, natural_limit: int | None = None) -> dict[str, Any]:
    """What a rule set says of a game: where it was decided and why, with the fields of `chuhe judge --json`."""

@final
class Engine:
    """An engine in this process, with its threads and a hash table of so many megabytes.

    Several may run at once. An engine may be used from several threads, and takes their searches one after the other. While
    it searches, other threads of Python run, and Ctrl-C ends the search. After a fork each process makes its own.
    """

    def __new__(
        cls,
        threads: int = 1,
        hash: int = 16,
        *,
        rules: RuleSet = "asian",
        natural_limit: int | None = None,
        tables: list[str | PathLike[str]] | None = None,
        book: str | PathLike[str] | None = None,
    ) -> Engine: ...
    def analyse(
        self,
        position: Position | str,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        lines: int | None = None,
        mate: int | None = None,
        only: Iterable[Move | str] | None = None,
        avoid: Iterable[Move | str] | None = None,
        rules: RuleSet | None = None,
        natural_limit: int | None = None,
        evaluate: bool | None = None,
        remember: bool | None = None,
    ) -> Analysis:
        """Analyses a position within limits, which hold together; without one, for a second.

        `lines`: so many best lines. `mate`: look for a mate in so many moves. `only`, `avoid`: the first moves to
        choose from, or to leave out. `evaluate`: do not look ahead. `remember`: keep the hash table of earlier searches;
        otherwise the answer depends on the arguments alone, if one thread searches within nodes or depth.
        """
    def play(
        self,
        position: Position | str,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        mate: int | None = None,
        only: Iterable[Move | str] | None = None,
        avoid: Iterable[Move | str] | None = None,
        rules: RuleSet | None = None,
        natural_limit: int | None = None,
        remember: bool | None = None,
    ) -> Move | None:
        """The best move that `analyse` finds; None if the game is over."""
    def analysis(
        self,
        position: Position | str,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        lines: int | None = None,
        mate: int | None = None,
        only: Iterable[Move | str] | None = None,
        avoid: Iterable[Move | str] | None = None,
        rules: RuleSet | None = None,
        natural_limit: int | None = None,
        remember: bool | None = None,
        every: float | None = None,
    ) -> LiveAnalysis:
        """The same as an iterator over the lines while they are found, until it is stopped if there is no limit.

        `every`: a report at most so often, in seconds. Who reads slowly gets the newest.
        """
    def analyse_many(
        self,
        positions: Iterable[Position | str | tuple[Hashable, Position | str]],
        *,
        threads: int | None = None,
        errors: Literal["raise", "return"] = "raise",
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        lines: int | None = None,
        mate: int | None = None,
        rules: RuleSet | None = None,
        natural_limit: int | None = None,
        evaluate: bool | None = None,
    ) -> AnalysisStream:
        """Analyses positions, or pairs of an id and a position, on so many threads (all, by default), and gives the answers
        in the same order, each with its `id` or its number from 0.

        Positions are taken as they are needed: a few more than there are threads are in memory. Each is searched by one
        thread with an empty hash table of its own, so that the answers do not depend on the number of threads.
        `errors="return"` answers what is no position by an object with `id` and `error` instead of an exception.
        """
    def review(
        self,
        game: Game,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        rules: RuleSet | None = None,
        natural_limit: int | None = None,
    ) -> Review:
        """Reviews a game: searches each position within the limits, for a second if there is none, and judges the moves."""
    @property
    def threads(self) -> int:
        """How many threads search a position."""
    @property
    def hash(self) -> int:
        """The size of the hash table in megabytes."""
    @property
    def tables(self) -> int:
        """How many endgame tables there are."""
    @property
    def closed(self) -> bool:
        """Whether it is closed."""
    def close(self) -> None:
        """Ends its searches and frees its memory. `with` does so at its end."""
    def __enter__(self) -> Engine: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class LiveAnalysis:
    """A search that runs: an iterator over its reports, the last of which is final."""

    def __iter__(self) -> Iterator[LiveReport]: ...
    def __next__(self) -> LiveReport: ...
    def stop(self) -> None:
        """Ends the search; its final report is still to be read."""
    def __enter__(self) -> LiveAnalysis: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class AnalysisStream:
    """The answers of `analyse_many`, in the order of the positions."""

    def __iter__(self) -> Iterator[Answer]: ...
    def __next__(self) -> Answer: ...
    def close(self) -> None:
        """Gives up what is not answered yet."""

@final
class Review:
    """A review of a game: what each move was worth, and where it turned."""

    def to_dict(self) -> dict[str, Any]:
        """All of it, with the fields of `chuhe review --json`: see docs/review.md."""
    @property
    def moves(self) -> list[dict[str, Any]]:
        """The moves, one after the other: rows of a data frame. `why` has the proven reasons of a mistake, with a sentence in
        Chinese and one in English; it is empty where nothing was proven."""
    @property
    def positions(self) -> list[dict[str, Any]]:
        """The positions, from the start to the end."""
    def game(self, language: Literal["en", "zh"] = "en") -> Game:
        """The game with scores, marks, and better lines as variations."""
    def text(self, language: Literal["en", "zh"] = "en") -> str:
        """A table and a curve, as `chuhe review` prints them."""
    def html(self, language: Literal["en", "zh"] = "en") -> str:
        """A page to play through."""

def main(words: list[str]) -> int: ...
def _panic(text: str) -> None: ...
