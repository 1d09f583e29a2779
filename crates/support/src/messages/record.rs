//! What is said of game records.

use super::Localize;
use crate::language::Language;
use xiangqi::IllegalMoveReason;
use xiangqi_record::intended_move::{Explanation, MoveTextError};
use xiangqi_record::notation::{NotationError, ParseNotationError};
use xiangqi_record::short_notation::ShortMoveError;
use xiangqi_record::{
    FilePart, Location, OutputFormatError, ParseEncodingError, PieceCountError, PositionSpecError, RecordError,
    RecordErrorKind, RecordFileError,
};

impl Localize for Location {
    fn chinese(&self) -> String {
        match self {
            Location::Line(line) => format!("第 {line} 行"),
            Location::Byte(byte) => format!("第 {byte} 字节"),
        }
    }
}

impl Localize for FilePart {
    fn chinese(&self) -> String {
        String::from(match self {
            FilePart::Move => "着法",
            FilePart::Moves => "着法表",
            FilePart::GameHead => "一盘棋的文件头",
            FilePart::LibraryHead => "棋谱库的文件头",
        })
    }
}

impl Localize for RecordErrorKind {
    fn chinese(&self) -> String {
        match self {
            RecordErrorKind::Fen(error) => error.chinese(),
            RecordErrorKind::Notation { number, source } => format!("第 {number} 回合：{}", source.chinese()),
            RecordErrorKind::Move { number, source } => format!("第 {number} 回合：{}", source.chinese()),
            RecordErrorKind::NotAMove(text) => format!("应为 着法，实为 “{text}”"),
            RecordErrorKind::TooLong(most) => format!("应为 不超过 {most} 步的棋局，实为 更长的"),
            RecordErrorKind::OpenComment => String::from("应为 '}'，实为 直到棋局结束都没有"),
            RecordErrorKind::OpenVariation => String::from("应为 ')'，实为 直到棋局结束都没有"),
            RecordErrorKind::OpenMoves => String::from("应为 }END，实为 直到文件末尾都没有"),
            RecordErrorKind::PieceList => String::from("应为 FEN，实为 只有棋子列表"),
            RecordErrorKind::Xml(found) => format!("应为 XML，实为 {found}"),
            RecordErrorKind::MoveSquares => String::from("应为 着法的起止点，实为 其他内容"),
            RecordErrorKind::MoveDigits(text) => {
                format!("应为 每步四位数字，列 0 到 8，行 0 到 9，实为 “{text}”")
            }
            RecordErrorKind::VariationPlace { line, ply, parent } => {
                format!("应为 从已有变例分出的新变例，实为 第 {parent} 条变例第 {ply} 步处的第 {line} 条变例")
            }
            RecordErrorKind::VariationParent { line, parent } => {
                format!("应为 已有的变例，实为 从第 {parent} 条变例分出的第 {line} 条变例")
            }
            RecordErrorKind::BoardDigits(count) => {
                format!("应为 64 位数字，32 个子每子两位，实为 {count} 个字符")
            }
            RecordErrorKind::XqfMagic => String::from("应为 XQ，实为 其他内容"),
            RecordErrorKind::XqfHeader(count) => format!("应为 1024 字节的文件头，实为 {count} 字节"),
            RecordErrorKind::XqfVersion(version) => format!("应为 10 到 18 的版本，实为 {version}"),
            RecordErrorKind::CommentLength(length) => {
                format!("应为 不超出文件末尾的注释，实为 标明长 {length} 字节")
            }
            RecordErrorKind::OldLibrary => {
                String::from("应为 以 CCBridgeLibrary 开头的棋谱库，实为 旧版棋谱库，其格式未公开")
            }
            RecordErrorKind::LibraryIndex { games, bytes } => {
                format!("应为 不超出文件末尾的索引，实为 文件长 {bytes} 字节，却标明有 {games} 盘")
            }
            RecordErrorKind::GameKind(kind) => format!("应为 第 2 类棋谱（目前只支持这一类），实为 第 {kind} 类"),
            RecordErrorKind::PieceCode(code) => format!("应为 棋子或空，实为 {code}"),
            RecordErrorKind::UnexpectedEnd(part) => format!("文件在{}中间结束", part.chinese()),
            _ => self.to_string(),
        }
    }
}

impl Localize for RecordError {
    fn chinese(&self) -> String {
        format!("第 {} 盘，{}：{}", self.game, self.location.chinese(), self.kind.chinese())
    }
}

impl Localize for RecordFileError {
    fn chinese(&self) -> String {
        match self {
            RecordFileError::NoGame => {
                String::from("应有棋谱（PGN、XQF、UBB、FEN、WXF、CBR、CBL、CBF 或着法文字），但没有找到")
            }
            RecordFileError::TooFew { number, count } => format!("没有第 {number} 盘：共有 {count} 盘"),
            RecordFileError::Game(error) => error.chinese(),
            _ => self.to_string(),
        }
    }
}

impl Localize for NotationError {
    fn chinese(&self) -> String {
        let why = self.why.as_ref().map(|why| format!("：{}", why.chinese())).unwrap_or_default();
        format!("“{}”在当前局面下不合法{why}", self.text)
    }
}

impl Localize for ShortMoveError {
    fn chinese(&self) -> String {
        match self {
            ShortMoveError::NoMatch(error) => error.chinese(),
            ShortMoveError::Ambiguous { text, moves } => format!("“{text}”可能是{}", moves.join(" 或 ")),
            _ => self.to_string(),
        }
    }
}

impl Localize for MoveTextError {
    fn chinese(&self) -> String {
        match self {
            MoveTextError::Illegal { text, why } => format!("“{text}”走不了：{}", why.chinese()),
            MoveTextError::NotUnderstood(text) => format!("听不懂“{text}”"),
            MoveTextError::NoMatch(error) => error.chinese(),
            _ => self.to_string(),
        }
    }
}

impl Localize for Explanation {
    fn chinese(&self) -> String {
        let (why, piece) = match self {
            Explanation::NoPiece(name) => return format!("没有{name}"),
            Explanation::Illegal { why, piece: None } => return why.chinese(),
            Explanation::Illegal { why, piece: Some(piece) } => (*why, piece),
            _ => return self.to_string(),
        };
        match why {
            IllegalMoveReason::OwnTarget(_) => format!("落点上有自己的{piece}"),
            IllegalMoveReason::HorseLeg(_) => format!("{piece}蹩马腿"),
            IllegalMoveReason::BishopEye(_) => format!("{piece}塞象眼"),
            IllegalMoveReason::Blocked(_) => format!("中间有{piece}挡住"),
            IllegalMoveReason::Pinned(_) => format!("这个子动不得：{piece}会将军"),
            IllegalMoveReason::IntoCheck(_) => format!("会被{piece}将军"),
            why => why.chinese(),
        }
    }
}

impl Localize for PositionSpecError {
    fn chinese(&self) -> String {
        match self {
            PositionSpecError::Fen(error) => error.chinese(),
            PositionSpecError::NotAMove { number, error } => format!("第 {number} 步：{}", error.chinese()),
            PositionSpecError::Notation { number, source } => format!("第 {number} 步：{}", source.chinese()),
            PositionSpecError::Illegal { number, ranks, source } => {
                let why = ranks.reword(source.reason, source.reason.chinese());
                format!("第 {number} 步：{} 不合法：{why}", ranks.format_move(source.mv))
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for PieceCountError {
    fn chinese(&self) -> String {
        format!("这种格式放不下 {} 的{}：一副棋没有这么多", self.square, self.piece.chinese())
    }
}

impl Localize for OutputFormatError {
    fn chinese(&self) -> String {
        format!("棋谱可以写成 pgn、xqf、ubb 或 fen，不能写成“{}”", self.0)
    }
}

impl Localize for ParseNotationError {
    fn chinese(&self) -> String {
        format!("“{}”不是着法记法：应为 ICCS、UCI、WXF 或 Chinese", self.0)
    }
}

impl Localize for ParseEncodingError {
    fn chinese(&self) -> String {
        format!("“{}”不是编码：应为 utf-8 或 gbk", self.0)
    }
}

/// The Chinese of the tags of games.
const TAGS: [(&str, &str); 17] = [
    ("Event", "赛事"),
    ("Site", "地点"),
    ("Date", "日期"),
    ("Round", "轮次"),
    ("Red", "红方"),
    ("White", "红方"),
    ("Black", "黑方"),
    ("RedElo", "红方等级分"),
    ("BlackElo", "黑方等级分"),
    ("RedTeam", "红方团队"),
    ("BlackTeam", "黑方团队"),
    ("TimeControl", "用时"),
    ("Termination", "结束原因"),
    ("Opening", "开局"),
    ("Annotator", "评注者"),
    ("Author", "作者"),
    ("Title", "标题"),
];

/// The name of a tag for the user: in Chinese what it says, with the tag itself.
pub fn tag_name(tag: &str) -> String {
    let known = TAGS.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag));
    match known.filter(|_| Language::current() == Language::CHINESE) {
        Some((_, chinese)) => format!("{chinese}（{tag}）"),
        None => tag.to_string(),
    }
}

/// The names of several tags.
pub fn tag_names(tags: &[impl AsRef<str>]) -> String {
    tags.iter().map(|tag| tag_name(tag.as_ref())).collect::<Vec<_>>().join(", ")
}
