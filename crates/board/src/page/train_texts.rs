//! The texts of the scripts of the training.

use chuhe_support::language::tr;

/// Adds the texts, each by its name.
pub fn add(word: &mut dyn FnMut(&'static str, &dyn Fn() -> String)) {
    word("today", &|| tr!("today"));
    word("tomorrow", &|| tr!("tomorrow"));
    word("dueParts", &|| tr!("{count} due: {list}.", count = "{count}", list = "{list}"));
    word("due-mistake", &|| tr!("{count} mistakes", count = "{count}"));
    word("due-ending", &|| tr!("{count} endings", count = "{count}"));
    word("due-ruling", &|| tr!("{count} rulings", count = "{count}"));
    word("one-mistake", &|| tr!("one mistake"));
    word("one-ending", &|| tr!("one ending"));
    word("one-ruling", &|| tr!("one ruling"));
    word("nothingDue", &|| tr!("Nothing is due."));
    word("nextDue", &|| tr!("The next card: {day}.", day = "{day}"));
    word("noCards", &|| tr!("Add your games: your mistakes in them become exercises."));
    word("ownDeck", &|| tr!("my own"));
    word("allDecks", &|| tr!("all decks"));
    word("queueIs", &|| {
        tr!(
            "{done} of {games} games, {mistakes} mistakes, {kept} kept.",
            done = "{done}",
            games = "{games}",
            mistakes = "{mistakes}",
            kept = "{kept}"
        )
    });
    word("queuePaused", &|| tr!("Stopped."));
    word("queueWaits", &|| tr!("It goes on when your game is over."));
    word("minutesLeft", &|| tr!("About {minutes} min left.", minutes = "{minutes}"));
    word("pause", &|| tr!("Pause"));
    word("goOn", &|| tr!("Go on"));
    word("youAre", &|| tr!("You are {names}.", names = "{names}"));
    word("filesRead", &|| tr!("{done} of {count} files are read …", done = "{done}", count = "{count}"));
    word("queueKnown", &|| tr!("Known already: {known}.", known = "{known}"));
    word("queueOthers", &|| tr!("Without you: {others}.", others = "{others}"));
    word("notReviewed", &|| tr!("Left out: {count}", count = "{count}"));
    word("youPlayed", &|| {
        tr!("Move {number}: you played {name} (−{lost} %).", number = "{number}", name = "{name}", lost = "{lost}")
    });
    word("otherPlayed", &|| {
        tr!("Move {number}: {name} was played (−{lost} %).", number = "{number}", name = "{name}", lost = "{lost}")
    });
    word("findBetter", &|| tr!("What is better?"));
    word("bestFound", &|| tr!("That is the best move!"));
    word("nearlyBest", &|| tr!("That is good, too: it loses {lost} %.", lost = "{lost}"));
    word("itLoses", &|| tr!("That loses {lost} %.", lost = "{lost}"));
    word("thisIsBest", &|| tr!("This is the best move."));
    word("theLine", &|| tr!("It goes on:"));
    word("gameRefutedBy", &|| tr!("In the game followed:"));
    word("hintPiece", &|| tr!("The piece on {from} moves.", from = "{from}"));
    word("hintSquare", &|| tr!("From {from} to {to}.", from = "{from}", to = "{to}"));
    word("again", &|| tr!("Try again"));
    word("next", &|| tr!("Next"));
    word("cardPlayed", &|| tr!("{name} (−{lost} %)", name = "{name}", lost = "{lost}"));
    word("rulingCard", &|| tr!("A ruling"));
    word("cardDue", &|| tr!("due {day}, answers: {count}", day = "{day}", count = "{count}"));
    word("cardNew", &|| tr!("new"));
    word("cardsInAll", &|| tr!("{total} cards", total = "{total}"));
    word("cardsFound", &|| tr!("{found} of {total} cards", found = "{found}", total = "{total}"));
    word("chooseNames", &|| tr!("Choose your names first."));
    word("noMoreHints", &|| tr!("There are no more hints."));
    word("cardsChosen", &|| tr!("chosen: {count}", count = "{count}"));
    word("searchCards", &|| tr!("Player, date, note"));
    word("cardsDropped", &|| tr!("Dropped: {count}.", count = "{count}"));
    word("imported", &|| {
        tr!(
            "New: {cards} cards, {answers} answers. Known already: {known}.",
            cards = "{cards}",
            answers = "{answers}",
            known = "{known}"
        )
    });
    word("importedBad", &|| {
        tr!(
            "New: {cards} cards, {answers} answers. Known already: {known}. Not readable: {bad} lines.",
            cards = "{cards}",
            answers = "{answers}",
            known = "{known}",
            bad = "{bad}"
        )
    });
    word("edit", &|| tr!("Edit"));
    word("drop", &|| tr!("Drop"));
    word("sheetTitle", &|| tr!("Find the best move"));
    word("patternIs", &|| tr!("{mistakes} mistakes in {games} games.", mistakes = "{mistakes}", games = "{games}"));
    word("noPattern", &|| tr!("When games are reviewed, this shows where you lose your chances."));
    word("rightShare", &|| tr!("{share} % of your answers are right.", share = "{share}"));
    word("answerDays", &|| tr!("Answers by day, right and wrong"));
    word("barLost", &|| tr!("{lost} % of the chances each time", lost = "{lost}"));
    word("wonShare", &|| tr!("won: {share} %", share = "{share}"));
    word("passed", &|| tr!("passed"));
    word("shelf-won", &|| tr!("Usually won"));
    word("shelf-drawn", &|| tr!("Usually drawn"));
    word("shelf-mixed", &|| tr!("It depends on the position"));
    word("goalWin", &|| tr!("Win this."));
    word("goalHold", &|| tr!("Hold this: a draw is enough."));
    word("endingPassed", &|| tr!("Well done."));
    word("rulingRight", &|| tr!("That is the ruling."));
    word("rulingWrong", &|| tr!("The ruling is another one."));
    word("phases", &|| tr!("Phase"));
    word("reasons", &|| tr!("Cause"));
    word("pieces", &|| tr!("Piece"));
    word("openings", &|| tr!("Opening"));
    word("months", &|| tr!("Month"));
}
