//! Chinese words for squares, pieces, positions and rules.

use super::Localize;
use crate::language::Language;
use xiangqi::rules::{MoveExplanation, MoveNature, Offence, ParseRuleSetError, PieceNaming};
use xiangqi::{
    Color, Ending, IllegalMove, IllegalMoveReason, ParseMoveError, ParseSquareError, Piece, PieceKind, Reason, RuleSet,
    SetupError, Square, Verdict, fen::Counter, fen::FenError,
};

impl Localize for Color {
    fn chinese(&self) -> String {
        match self {
            Color::Red => "红方".to_string(),
            Color::Black => "黑方".to_string(),
        }
    }
}

impl Localize for PieceKind {
    fn chinese(&self) -> String {
        let name = match self {
            PieceKind::King => "将",
            PieceKind::Advisor => "士",
            PieceKind::Bishop => "象",
            PieceKind::Horse => "马",
            PieceKind::Rook => "车",
            PieceKind::Cannon => "炮",
            PieceKind::Pawn => "兵",
        };
        name.to_string()
    }
}

impl Localize for Piece {
    fn chinese(&self) -> String {
        let side = match self.color() {
            Color::Red => '红',
            Color::Black => '黑',
        };
        format!("{side}{}", self.character())
    }
}

impl Localize for ParseSquareError {
    fn chinese(&self) -> String {
        format!("“{}”不是棋盘上的点：应为 a 到 i 的一个字母加 0 到 9 的一个数字", self.0)
    }
}

impl Localize for ParseMoveError {
    fn chinese(&self) -> String {
        format!("“{}”不是着法：应为四个字符，如 h2e2", self.0)
    }
}

impl Localize for IllegalMove {
    fn chinese(&self) -> String {
        format!("{} 不合法：{}", self.mv, self.reason.chinese())
    }
}

impl Localize for IllegalMoveReason {
    fn chinese(&self) -> String {
        match self {
            IllegalMoveReason::NoPiece(square) => format!("{square} 没有棋子"),
            IllegalMoveReason::NotOwn(square) => format!("{square} 是对方的子"),
            IllegalMoveReason::OwnTarget(square) => format!("{square} 有自己的子"),
            IllegalMoveReason::HorseLeg(square) => format!("{square} 有子，蹩马腿"),
            IllegalMoveReason::BishopEye(square) => format!("{square} 有子，塞象眼"),
            IllegalMoveReason::Blocked(square) => format!("中间 {square} 有子挡住"),
            IllegalMoveReason::Screen => "炮吃子，中间要正好隔一个子".to_string(),
            IllegalMoveReason::River => "相（象）不能过河".to_string(),
            IllegalMoveReason::Palace(kind) => format!("{}不能出九宫", kind.chinese()),
            IllegalMoveReason::PawnBack => "兵（卒）不能后退".to_string(),
            IllegalMoveReason::PawnSideways => "兵（卒）过河之后才能横走".to_string(),
            IllegalMoveReason::Shape(kind) => format!("{}不能这样走", kind.chinese()),
            IllegalMoveReason::FacingKings => "将帅不能照面".to_string(),
            IllegalMoveReason::StillInCheck => "正被将军，这步不能解将".to_string(),
            IllegalMoveReason::Pinned(square) => format!("这个子动不得：{square} 的子会将军"),
            IllegalMoveReason::IntoCheck(square) => format!("会被 {square} 的子将军"),
            _ => self.to_string(),
        }
    }
}

impl Localize for FenError {
    fn chinese(&self) -> String {
        match self {
            FenError::Empty => "FEN 棋盘：空的".to_string(),
            FenError::RankCount(count) => format!("FEN 棋盘：应有 10 行，实有 {count} 行"),
            FenError::RankLength { rank, files } => format!("FEN 棋盘：第 {rank} 行应有 9 格，实有 {files} 格"),
            FenError::UnknownPiece { letter, rank } => format!("FEN 棋盘：第 {rank} 行的 {letter:?} 不是棋子"),
            FenError::UnknownSide(text) => format!("FEN 轮走方：{text:?} 不是 w、r、b"),
            FenError::BadCounter { counter, text } => {
                let counter = match counter {
                    Counter::HalfMoves => "步数",
                    Counter::FullMoves => "回合数",
                };
                format!("FEN {counter}：{text:?} 不是 0 到 65535 的数")
            }
            FenError::Leftover(text) => format!("FEN：回合数后面还有 {text:?}"),
            FenError::Setup(error) => format!("FEN 棋盘：{}", error.chinese()),
            _ => self.to_string(),
        }
    }
}

impl Localize for SetupError {
    fn chinese(&self) -> String {
        match self {
            SetupError::MissingKing(color) => format!("{}没有将帅", color.chinese()),
            SetupError::SecondKing { color, square } => format!("{}在 {square} 又有一个将帅", color.chinese()),
            SetupError::ImpossibleSquare { piece, square } => format!("{}不可能在 {square}", piece.chinese()),
            SetupError::TooManyPieces { color, count } => {
                format!("{}有 {count} 个子，超过 {} 个", color.chinese(), xiangqi::engine::MAX_SIDE_PIECES)
            }
            SetupError::KingCapturable { mover, square } => {
                format!("轮到{}走，却可以吃掉 {square} 的将帅", mover.chinese())
            }
            _ => self.to_string(),
        }
    }
}

impl Localize for RuleSet {
    fn chinese(&self) -> String {
        match self {
            // Not offered by name: hosts ask for it in words of their own.
            RuleSet::CheckBan => "只禁长将".to_string(),
            offered => offered.name().to_string(),
        }
    }
}

impl Localize for ParseRuleSetError {
    fn chinese(&self) -> String {
        format!("“{}”不是规则：应为 asian、league、computer、cxa、tiantian 或 none", self.0)
    }
}

impl Localize for Offence {
    fn chinese(&self) -> String {
        let name = match (self.checks, self.kills, self.chases) {
            (true, true, true) => "将、杀、捉轮流",
            (true, true, false) => "一将一杀",
            (true, false, true) => "一将一捉",
            (false, true, true) => "一杀一捉",
            (true, false, false) => "长将",
            (false, true, false) => "长杀",
            (false, false, true | false) => "长捉",
        };
        name.to_string()
    }
}

impl Localize for Reason {
    fn chinese(&self) -> String {
        reason_in_chinese(*self, &chinese_piece_on_square)
    }
}

impl Localize for Verdict {
    fn chinese(&self) -> String {
        verdict_in_chinese(self, &chinese_piece_on_square)
    }
}

impl Localize for MoveExplanation {
    fn chinese(&self) -> String {
        explanation_in_chinese(self, &chinese_piece_on_square)
    }
}

/// How a piece is called by its square, in the current language.
pub fn piece_on_square(piece: Piece, square: Square) -> String {
    if is_chinese() { chinese_piece_on_square(piece, square) } else { format!("the {} on {square}", piece.kind()) }
}

fn chinese_piece_on_square(piece: Piece, square: Square) -> String {
    format!("{square} 的{}", piece.character())
}

fn is_chinese() -> bool {
    Language::current() == Language::CHINESE
}

/// Result and reason, with a chased piece called as the caller likes.
pub fn verdict_text(verdict: &Verdict, naming: &PieceNaming) -> String {
    if is_chinese() { verdict_in_chinese(verdict, naming) } else { verdict.text_naming(naming) }
}

fn verdict_in_chinese(verdict: &Verdict, naming: &PieceNaming) -> String {
    let reason = reason_in_chinese(verdict.reason, naming);
    match verdict.ending {
        None => "棋局未完".to_string(),
        Some(Ending::Draw) => format!("和棋：{reason}"),
        Some(Ending::Loss(color)) => format!("{}负：{reason}", color.chinese()),
    }
}

fn reason_in_chinese(reason: Reason, naming: &PieceNaming) -> String {
    let text = match reason {
        Reason::Ongoing => "棋局未完",
        Reason::Mate => "将死",
        Reason::Stalemate => "困毙",
        Reason::PerpetualCheck => "长将",
        Reason::PerpetualChase { victim, square } => return format!("长捉 {}", naming(victim, square)),
        Reason::Perpetual(offence) => return offence.chinese(),
        Reason::ChasesAlone => "双方长捉，此方单独捉子，对方联合捉子",
        Reason::ForbiddenMove => "走了禁着",
        Reason::OnlyForbiddenMoves => "只剩禁着可走",
        Reason::GameLength => "达到总步数",
        Reason::Repetition => "双方不变",
        Reason::NaturalLimit => "自然限着",
        Reason::Material => "双方均无进攻子力",
        _ => return reason.text_naming(naming),
    };
    text.to_string()
}

/// A sentence that tells the result and the reason, with a chased piece called as the caller likes.
pub fn verdict_sentence(verdict: &Verdict, naming: &PieceNaming) -> String {
    if !is_chinese() {
        return verdict.sentence_naming(naming);
    }
    let why = reason_in_chinese(verdict.reason, naming);
    match verdict.ending {
        None => why,
        Some(Ending::Loss(loser)) if verdict.reason.is_draw() => match !loser {
            Color::Red => format!("和棋，算红胜：{why}"),
            Color::Black => format!("和棋，算黑胜：{why}"),
        },
        Some(Ending::Draw) => format!("{why}，和棋"),
        Some(Ending::Loss(Color::Red)) => format!("{why}，黑胜"),
        Some(Ending::Loss(Color::Black)) => format!("{why}，红胜"),
    }
}

/// What a move of a repetition did, with chased pieces called as the caller likes; `-` if nothing of note.
pub fn explanation_text(explanation: &MoveExplanation, naming: &PieceNaming) -> String {
    if is_chinese() { explanation_in_chinese(explanation, naming) } else { explanation.text_naming(naming) }
}

fn explanation_in_chinese(explanation: &MoveExplanation, naming: &PieceNaming) -> String {
    if let Some(nature) = &explanation.nature {
        return nature_in_chinese(nature, naming);
    }
    let check = explanation.check.then(|| "将军".to_string());
    let chases = explanation.newly_chased.iter().map(|&(kind, square)| format!("捉 {}", naming(kind, square)));
    let done: Vec<String> = check.into_iter().chain(chases).collect();
    if done.is_empty() { "-".to_string() } else { done.join(", ") }
}

fn nature_in_chinese(nature: &MoveNature, naming: &PieceNaming) -> String {
    let text = match nature {
        MoveNature::Check => "将",
        MoveNature::Kill => "杀：威胁下一着起将死对方",
        MoveNature::Chase => "捉",
        MoveNature::ChaseByChecks => "捉：连续照将得子",
        MoveNature::ChaseByCaptures => "捉：连续吃子得子",
        MoveNature::ChaseByExchange { piece, square, exchange, alone } => {
            let captures: Vec<String> =
                exchange.iter().map(|(by, of)| format!("（{}吃{}）", by.character(), of.character())).collect();
            let jointly = if *alone { "" } else { "联合" };
            return format!("捉：{jointly}得 {}{}", naming(*piece, *square), captures.concat());
        }
        MoveNature::OffersExchange => "闲：兑子",
        MoveNature::OffersPiece => "闲：献子",
        MoveNature::Blocks => "闲：拦",
        MoveNature::Follows => "闲：跟",
        MoveNature::Idle => "闲",
        _ => return nature.text_naming(naming),
    };
    text.to_string()
}
