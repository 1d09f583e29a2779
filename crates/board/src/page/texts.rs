//! The texts of the page in both languages: those in the HTML and those used by the scripts.

use crate::bilingual::Bilingual;
use chuhe_study::html_page;
use chuhe_study::player::Strength;
use chuhe_support::language::tr;
use maud::Markup;
use std::collections::BTreeMap;
use xiangqi::RuleSet;

/// A text in both languages, of which the page shows one.
pub fn bilingual(make: impl Fn() -> String) -> Markup {
    html_page::bilingual(make)
}

/// The class of player of a strength, with its Elo number: several levels share a class.
pub fn strength_class(strength: Strength) -> Bilingual {
    Bilingual::of(|| {
        let class = strength.class();
        strength.elo().map_or_else(|| class.to_string(), |elo| tr!("{class} · Elo {elo}", class, elo))
    })
}

/// The name of a rule set in both languages, as plain text.
pub fn rule_set_name(set: RuleSet) -> &'static str {
    match set {
        RuleSet::Asian => "亚洲规则 / Asian rules",
        RuleSet::League => "联赛规则 / league rules",
        RuleSet::Computer => "中国计算机博弈规则 / computer rules",
        RuleSet::Cxa => "中国象棋协会规则 / CXA rules",
        RuleSet::Tiantian => "天天象棋规则 / Tiantian rules",
        RuleSet::None => "不判循环 / none",
        set => set.name(),
    }
}

/// The texts of the scripts, which fill in the names in braces; `is_static` says that the page has no server.
pub fn script_texts(is_static: bool) -> BTreeMap<&'static str, Bilingual> {
    let mut words = BTreeMap::new();
    let mut word = |name, make: &dyn Fn() -> String| {
        words.insert(name, Bilingual::of(make));
    };
    word("red", &|| tr!("Red"));
    word("black", &|| tr!("Black"));
    word("you", &|| tr!("You"));
    word("yourTurn", &|| tr!("Your move."));
    word("redTurn", &|| tr!("Red to move."));
    word("blackTurn", &|| tr!("Black to move."));
    word("check", &|| tr!("Check!"));
    word("thinking", &|| tr!("Chuhe is thinking …"));
    word("earlierPosition", &|| tr!("A position before the last one; the last button goes back to it."));
    word("endWon", &|| tr!("You won: {reason}, move {number}", reason = "{reason}", number = "{number}"));
    word("endLost", &|| tr!("You lost: {reason}, move {number}", reason = "{reason}", number = "{number}"));
    word("endRed", &|| tr!("Red wins: {reason}, move {number}", reason = "{reason}", number = "{number}"));
    word("endBlack", &|| tr!("Black wins: {reason}, move {number}", reason = "{reason}", number = "{number}"));
    word("endDrawn", &|| tr!("A draw: {reason}, move {number}", reason = "{reason}", number = "{number}"));
    word("noClock", &|| tr!("no clock"));
    word("runningIsKept", &|| {
        tr!("The game that is played now ({moves} moves) is kept in the list of games.", moves = "{moves}")
    });
    word("runningKept", &|| tr!("The game before is kept under \"Games\"."));
    word("otherAnalysed", &|| tr!("Another game was played since."));
    word("takeGame", &|| tr!("Analyse it"));
    word("decisive", &|| tr!("Decisive:"));
    word("mistakeWas", &|| {
        tr!("{name} {mark} loses {lost} % of the chances.", name = "{name}", mark = "{mark}", lost = "{lost}")
    });
    word("betterWas", &|| tr!("Better:"));
    word("refutedBy", &|| tr!("Refuted by:"));
    word("unfinished", &|| tr!("Unfinished game: {moves} moves.", moves = "{moves}"));
    word("resume", &|| tr!("Go on with it"));
    word("dismiss", &|| tr!("Not now"));
    word("connectionLost", &|| match is_static {
        true => tr!("The engine has stopped. Load this page again."),
        false => tr!("The program has ended. Start it again, and open the address that it prints."),
    });
    word("missingToken", &|| tr!("This address is not whole: open the one that the program has printed."));
    word("usedCode", &|| tr!("This code pairs no device any more: scan the one that the computer shows now."));
    word("tooManyCodes", &|| {
        tr!("Too many wrong codes came from this device: wait a minute, then scan the code again.")
    });
    word("tooManyDevices", &|| {
        tr!("Too many devices are paired: send one away on the computer, then scan the code again.")
    });
    word("devicePaired", &|| tr!("A device was paired. This is the code for the next one."));
    word("slowedDevice", &|| {
        tr!("{device} has sent wrong codes: its next ones are refused for a minute.", device = "{device}")
    });
    word("dismissDevice", &|| tr!("Send away"));
    word("noMoveYet", &|| tr!("No move has been made yet."));
    word("gameIsOver", &|| tr!("The game is over."));
    word("noHelp", &|| tr!("Two people play without help until their game is over."));
    word("onlyWatching", &|| tr!("You watch this game."));
    word("askedAlready", &|| tr!("The other player has been asked."));
    word("nothingToUndo", &|| tr!("There is nothing to undo."));
    word("nothingToRedo", &|| tr!("There is nothing to redo."));
    word("noneOfThese", &|| tr!("The game has none of these."));
    word("notSaved", &|| tr!("This game is not kept by itself."));
    word("empty", &|| tr!("empty"));
    word("king", &|| tr!("king"));
    word("advisor", &|| tr!("advisor"));
    word("bishop", &|| tr!("bishop"));
    word("horse", &|| tr!("horse"));
    word("rook", &|| tr!("rook"));
    word("cannon", &|| tr!("cannon"));
    word("pawn", &|| tr!("pawn"));
    word("engineOff", &|| tr!("The engine is off."));
    word("searchEffort", &|| tr!("d{depth} · {speed}/s", depth = "{depth}", speed = "{speed}"));
    word("solving", &|| tr!("Looking for a proven win …"));
    word("ruledOut", &|| tr!("There is no mate in {moves}.", moves = "{moves}"));
    word("notProven", &|| tr!("Not proven in {seconds} seconds.", seconds = "{seconds}"));
    word("tooLarge", &|| tr!("The file is too large."));
    word("copied", &|| tr!("Copied."));
    word("noMoves", &|| tr!("Moves that are made on the board appear here."));
    word("accuracy", &|| tr!("accuracy"));
    word("noMistakes", &|| tr!("No mistakes were found."));
    word("validPosition", &|| tr!("The position is sound."));
    word("confirmMove", &|| tr!("Is this your move?"));
    word("premoveSet", &|| tr!("Move in advance."));
    word("mayMoveTo", &|| tr!("it may go to {squares}", squares = "{squares}"));
    word("board", &|| tr!("Board."));
    word("tableScore", &|| tr!("T: won or lost by the endgame tables"));
    word("ruleScore", &|| tr!("R: won or lost by the rules of repetition"));
    word("replaceEdited", &|| tr!("The game that is analysed has changes, and another one takes its place."));
    word("keep", &|| tr!("Put it into the list"));
    word("discard", &|| tr!("Discard it"));
    word("cancel", &|| tr!("Cancel"));
    word("searchGames", &|| tr!("Player, opening, date, file"));
    word("gamesInAll", &|| tr!("{total} games", total = "{total}"));
    word("gamesFound", &|| tr!("{found} of {total} games", found = "{found}", total = "{total}"));
    word("gamesChosen", &|| tr!("{count} chosen", count = "{count}"));
    word("gamesOpened", &|| tr!("{count} games were opened: they are in the list.", count = "{count}"));
    word("gamesDeleted", &|| tr!("Deleted: {count}.", count = "{count}"));
    word("gamesRestored", &|| tr!("Brought back: {count}.", count = "{count}"));
    word("undoDelete", &|| tr!("Undo"));
    word("oneMove", &|| tr!("one move"));
    word("moveCount", &|| tr!("{moves} moves", moves = "{moves}"));
    word("levelNumber", &|| tr!("level {level}", level = "{number}"));
    word("difficulty-1", &|| tr!("easy"));
    word("difficulty-2", &|| tr!("medium"));
    word("difficulty-3", &|| tr!("hard"));
    word("choose", &|| tr!("Choose"));
    word("rename", &|| tr!("Rename"));
    word("remove", &|| tr!("Delete"));
    word("source-played", &|| tr!("played here"));
    word("source-opened", &|| tr!("opened"));
    word("source-kept", &|| tr!("analysed"));
    word("youNamed", &|| tr!("{name} (you)", name = "{name}"));
    word("waitingForOther", &|| tr!("Waiting for the other player, who comes by an invitation."));
    word("away", &|| tr!("The other player's connection is lost; the game waits."));
    word("awayStops", &|| {
        tr!("The connection of {name} is lost: on that turn the clock stands still.", name = "{name}")
    });
    word("awayGoesOn", &|| tr!("The connection of {name} is lost: the clock goes on.", name = "{name}"));
    word("asks-draw", &|| tr!("{name} offers a draw.", name = "{name}"));
    word("asks-take-back", &|| tr!("{name} asks to take the move back.", name = "{name}"));
    word("asked-draw", &|| tr!("{name} has offered a draw.", name = "{name}"));
    word("asked-take-back", &|| tr!("{name} has asked to take the move back.", name = "{name}"));
    word("together", &|| tr!("Analyse together"));
    word("togetherOffer", &|| tr!("The other player shows an analysis of the game."));
    word("watchers", &|| tr!("watching: {count}", count = "{count}"));
    word("keptInList", &|| tr!("It is in the list, under \"Games\"."));
    super::train_texts::add(&mut word);
    words
}
