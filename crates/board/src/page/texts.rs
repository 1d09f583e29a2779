//! The texts of the page in both languages: those in the HTML and those used by the scripts.

use crate::bilingual::Bilingual;
use chuhe_study::player::Strength;
use chuhe_support::language::{Language, Phrase, template, tr};
use maud::{Markup, html};
use std::collections::BTreeMap;
use xiangqi::RuleSet;

/// The languages of a page.
const PAGE_LANGUAGES: [Language; 2] = [Language::CHINESE, Language::ENGLISH];

/// A text in both languages, of which the page shows one.
#[inline]
pub fn bilingual(text: impl Fn() -> String) -> Markup {
    // One function for hundreds of closures: a hundred kilobytes less.
    fn spans(text: &dyn Fn() -> String) -> Markup {
        html! { @for language in PAGE_LANGUAGES { span.(language) lang=(language) { (language.with(text)) } } }
    }
    spans(&text)
}

/// The same as plain text, where no markup is allowed.
#[inline]
pub fn label(text: impl Fn() -> String) -> String {
    fn joined(text: &dyn Fn() -> String) -> String {
        PAGE_LANGUAGES.map(|language| language.with(text)).join(" / ")
    }
    joined(&text)
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
    let lost = match is_static {
        true => template!("The engine has stopped. Load this page again."),
        false => template!("The program has ended. Start it again, and open the address that it prints."),
    };
    let texts = TEXTS.iter().copied().chain([("connectionLost", lost)]);
    texts.map(|(name, text)| (name, Bilingual::of(|| text.to_string()))).collect()
}

const TEXTS: &[(&str, Phrase)] = &[
    ("scoreLevel", template!("even")),
    ("scoreAhead", template!("{side} is ahead by {value}")),
    ("scoreMates", template!("{side} mates in {value}")),
    ("scoreMated", template!("{side} has mated")),
    ("scoreRules", template!("{side} wins by the rules of repetition")),
    ("scoreTables", template!("{side} wins by the endgame tables")),
    ("reviewRoom", template!("Reviews: {count}, {megabytes} MB; beyond the limit the oldest go.")),
    (
        "keysAre",
        template!(
            "← → back and forward, Home and End the first and the last position; ↑ ↓ variations, or the mistakes of a review; space the best move, L engine, X threat, A arrows; F turns the board, P plays the game through; Ctrl+Z undoes, Ctrl+Y does again, Esc closes; On the board: arrow keys and space move a piece; ? these keys"
        ),
    ),
    ("noReview", template!("There is no review yet.")),
    ("wentWell", template!("{right} of {answers} right.")),
    ("accuracyByMonth", template!("Accuracy by month")),
    ("close", template!("Close")),
    ("resignAsk", template!("Resign the game?")),
    ("resign", template!("Resign")),
    ("oldNetwork", template!("Reviewed by another network of Chuhe.")),
    ("oldTime", template!("Reviewed with {seconds} s for each position, less than is chosen now.")),
    ("old", template!("older network")),
    ("accuracies", template!("Accuracy and marks of red and black")),
    ("red", template!("Red")),
    ("black", template!("Black")),
    ("you", template!("You")),
    ("yourTurn", template!("Your move.")),
    ("redTurn", template!("Red to move.")),
    ("blackTurn", template!("Black to move.")),
    ("check", template!("Check!")),
    ("thinking", template!("Chuhe is thinking …")),
    ("earlierPosition", template!("A position before the last one; the last button goes back to it.")),
    ("endWon", template!("You won: {reason}, move {number}")),
    ("endLost", template!("You lost: {reason}, move {number}")),
    ("endRed", template!("Red wins: {reason}, move {number}")),
    ("endBlack", template!("Black wins: {reason}, move {number}")),
    ("endDrawn", template!("A draw: {reason}, move {number}")),
    ("noClock", template!("no clock")),
    ("runningIsKept", template!("The game that is played now ({moves} moves) is kept in the list of games.")),
    ("runningKept", template!("The game before is kept under \"Games\".")),
    ("otherAnalysed", template!("Another game was played since.")),
    ("takeGame", template!("Analyse it")),
    ("decisive", template!("Decisive:")),
    ("mistakeWas", template!("{name} {mark} loses {lost} % of the chances.")),
    ("betterWas", template!("Better:")),
    ("refutedBy", template!("Refuted by:")),
    ("pictureFailed", template!("This picture cannot be opened.")),
    ("readingPicture", template!("Reading the picture …")),
    ("noBoardFound", template!("There is no xiangqi board in this picture that could be found.")),
    ("setCorners", template!("Put the four corners on the outer points of the board, then read again.")),
    (
        "cornersProposed",
        template!(
            "The board is seen from an angle, and it may be here. Put the four corners on its outer points, then press Read."
        ),
    ),
    ("severalBoards", template!("There are several boards; this is the largest.")),
    ("doubtfulPoints", template!("{count} points are doubtful and marked: a click changes one.")),
    ("whoseMove", template!("Compare it with the picture, and choose who is to move: no picture tells.")),
    ("unfinished", template!("Unfinished game: {moves} moves.")),
    ("resume", template!("Go on with it")),
    ("dismiss", template!("Not now")),
    ("missingToken", template!("This address is not whole: open the one that the program has printed.")),
    ("usedCode", template!("This code pairs no device any more: scan the one that the computer shows now.")),
    ("tooManyCodes", template!("Too many wrong codes came from this device: wait a minute, then scan the code again.")),
    (
        "tooManyDevices",
        template!("Too many devices are paired: send one away on the computer, then scan the code again."),
    ),
    ("devicePaired", template!("A device was paired. This is the code for the next one.")),
    ("slowedDevice", template!("{device} has sent wrong codes: its next ones are refused for a minute.")),
    ("dismissDevice", template!("Send away")),
    ("noMoveYet", template!("No move has been made yet.")),
    ("gameIsOver", template!("The game is over.")),
    ("noHelp", template!("Two people play without help until their game is over.")),
    ("onlyWatching", template!("You watch this game.")),
    ("askedAlready", template!("The other player has been asked.")),
    ("nothingToUndo", template!("There is nothing to undo.")),
    ("nothingToRedo", template!("There is nothing to redo.")),
    ("noneOfThese", template!("The game has none of these.")),
    ("notSaved", template!("This game is not kept by itself.")),
    ("empty", template!("empty")),
    ("king", template!("king")),
    ("advisor", template!("advisor")),
    ("bishop", template!("bishop")),
    ("horse", template!("horse")),
    ("rook", template!("rook")),
    ("cannon", template!("cannon")),
    ("pawn", template!("pawn")),
    ("engineOff", template!("The engine is off.")),
    ("searchEffort", template!("d{depth} · {speed}/s")),
    ("solving", template!("Looking for a proven win …")),
    ("ruledOut", template!("There is no mate in {moves}.")),
    ("notProven", template!("Not proven in {seconds} seconds.")),
    ("tooLarge", template!("The file is too large.")),
    ("copied", template!("Copied.")),
    ("noMoves", template!("Moves that are made on the board appear here.")),
    ("accuracy", template!("accuracy")),
    ("noMistakes", template!("No mistakes were found.")),
    ("validPosition", template!("The position is sound.")),
    ("confirmMove", template!("Is this your move?")),
    ("premoveSet", template!("Move in advance.")),
    ("mayMoveTo", template!("it may go to {squares}")),
    ("board", template!("Board.")),
    ("tableScore", template!("T: won or lost by the endgame tables")),
    ("ruleScore", template!("R: won or lost by the rules of repetition")),
    ("replaceEdited", template!("The game that is analysed has changes, and another one takes its place.")),
    ("keep", template!("Put it into the list")),
    ("discard", template!("Discard it")),
    ("cancel", template!("Cancel")),
    ("playedHere", template!("My games: {games}")),
    ("playedCount", template!("Games of the list in this position: {games}")),
    ("neverPlayed", template!("No game of the list had this position.")),
    ("results", template!("red won {red}, drawn {draws}, black won {black}")),
    ("searchGames", template!("Player, opening, date, file")),
    ("meanLoss", template!("loses {lost} % on average, by {reviewed} reviews")),
    ("gamesInAll", template!("Games: {total}")),
    ("gamesFound", template!("Games: {found} of {total}")),
    ("gamesChosen", template!("{count} chosen")),
    ("gamesOpened", template!("{count} games were opened: they are in the list.")),
    ("gamesDeleted", template!("Deleted: {count}.")),
    ("gamesRestored", template!("Brought back: {count}.")),
    ("undoDelete", template!("Undo")),
    ("oneMove", template!("one move")),
    ("moveCount", template!("{moves} moves")),
    ("chuheNamed", template!("Chuhe, {name}")),
    ("levelNumber", template!("level {level}")),
    ("difficulty-1", template!("easy")),
    ("difficulty-2", template!("medium")),
    ("difficulty-3", template!("hard")),
    ("choose", template!("Choose")),
    ("rename", template!("Rename")),
    ("remove", template!("Delete")),
    ("source-played", template!("played here")),
    ("source-opened", template!("opened")),
    ("source-kept", template!("analysed")),
    ("youNamed", template!("{name} (you)")),
    ("waitingForOther", template!("Waiting for the other player, who comes by an invitation.")),
    ("away", template!("The other player's connection is lost; the game waits.")),
    ("awayStops", template!("The connection of {name} is lost: on that turn the clock stands still.")),
    ("awayGoesOn", template!("The connection of {name} is lost: the clock goes on.")),
    ("asks-draw", template!("{name} offers a draw.")),
    ("asks-take-back", template!("{name} asks to take the move back.")),
    ("asked-draw", template!("{name} has offered a draw.")),
    ("asked-take-back", template!("{name} has asked to take the move back.")),
    ("together", template!("Analyse together")),
    ("togetherOffer", template!("The other player shows an analysis of the game.")),
    ("watchers", template!("watching: {count}")),
    ("keptInList", template!("It is in the list, under \"Games\".")),
    // Of the training.
    ("today", template!("today")),
    ("tomorrow", template!("tomorrow")),
    ("dueParts", template!("{count} due: {list}.")),
    ("due-mistake", template!("{count} mistakes")),
    ("due-ending", template!("{count} endings")),
    ("due-ruling", template!("{count} rulings")),
    ("one-mistake", template!("one mistake")),
    ("one-ending", template!("one ending")),
    ("one-ruling", template!("one ruling")),
    ("due-tactic", template!("{count} tactics")),
    ("one-tactic", template!("one tactic")),
    ("due-opening", template!("{count} openings")),
    ("one-opening", template!("one opening")),
    ("yourOpening", template!("What do you play here?")),
    ("inLine", template!("That is your line.")),
    ("alsoInLine", template!("That is in your openings, too.")),
    ("notInLine", template!("{move} is not your line.")),
    ("nothingDue", template!("Nothing is due.")),
    ("nextDue", template!("The next card: {day}.")),
    ("noCards", template!("Add your games: your mistakes in them become exercises.")),
    ("ownDeck", template!("my own")),
    ("allDecks", template!("all decks")),
    ("queueIs", template!("{done} of {games} games, {mistakes} mistakes, {kept} kept.")),
    ("queuePaused", template!("Stopped.")),
    ("queueWaits", template!("It goes on when your game is over.")),
    ("minutesLeft", template!("About {minutes} min left.")),
    ("pause", template!("Pause")),
    ("goOn", template!("Go on")),
    ("youAre", template!("You are {names}.")),
    ("filesRead", template!("{done} of {count} files are read …")),
    ("queueKnown", template!("Known already: {known}.")),
    ("queueOthers", template!("Without you: {others}.")),
    ("notReviewed", template!("Left out: {count}")),
    ("youPlayed", template!("Move {number}: you played {name} (−{lost} %).")),
    ("otherPlayed", template!("Move {number}: {name} was played (−{lost} %).")),
    ("playerPlayed", template!("Move {number}: {player} played {name} (−{lost} %).")),
    ("findBetter", template!("What is better?")),
    ("bestFound", template!("That is the best move!")),
    ("nearlyBest", template!("That is good, too.")),
    ("itLoses", template!("{move} loses {lost} %.")),
    ("isWeaker", template!("{move} is weaker.")),
    ("thisIsBest", template!("{move} is the best move.")),
    ("theLine", template!("It goes on:")),
    ("gameRefutedBy", template!("In the game followed:")),
    ("hintLine", template!("Hint: {line} ({score} for red)")),
    ("hintPiece", template!("The piece on {from} moves.")),
    ("hintSquare", template!("From {from} to {to}.")),
    ("again", template!("Try again")),
    ("next", template!("Next")),
    ("cardOf", template!("{player}, move {number}")),
    ("cardPlayed", template!("{name} (−{lost} %)")),
    ("rulingCard", template!("A ruling")),
    ("cardDue", template!("due {day}, answers: {count}")),
    ("cardNew", template!("new")),
    ("cardsInAll", template!("{total} cards")),
    ("cardsFound", template!("{found} of {total} cards")),
    ("chooseNames", template!("Choose your names first.")),
    ("noMoreHints", template!("There are no more hints.")),
    ("cardsChosen", template!("chosen: {count}")),
    ("searchCards", template!("Player, date, note")),
    ("cardsDropped", template!("Dropped: {count}.")),
    ("imported", template!("New: {cards} cards, {answers} answers. Known already: {known}.")),
    (
        "importedBad",
        template!("New: {cards} cards, {answers} answers. Known already: {known}. Not readable: {bad} lines."),
    ),
    ("edit", template!("Edit")),
    ("drop", template!("Drop")),
    ("sheetTitle", template!("Find the best move")),
    ("patternIs", template!("{mistakes} mistakes in {games} games.")),
    ("noPattern", template!("When games are reviewed, this shows where you lose your chances.")),
    ("rightShare", template!("{share} % of your answers are right.")),
    ("answerDays", template!("Answers by day, right and wrong")),
    ("barLost", template!("{lost} % of the chances each time")),
    ("wonShare", template!("won: {share} %")),
    ("passed", template!("passed")),
    ("passedOnce", template!("{count} of {needed}")),
    ("passedOf", template!("{count} of {of} passed")),
    ("shelf-won", template!("Usually won")),
    ("shelf-drawn", template!("Usually drawn")),
    ("shelf-mixed", template!("It depends on the position")),
    ("goalWin", template!("Win this.")),
    ("goalHold", template!("Hold this: a draw is enough.")),
    ("endingPassed", template!("Well done.")),
    ("rulingRight", template!("That is the ruling.")),
    ("rulingWrong", template!("The ruling is another one.")),
    ("phases", template!("Phase")),
    ("reasons", template!("Cause")),
    ("pieces", template!("Piece")),
    ("openings", template!("Opening")),
    ("months", template!("Month")),
];
