// The start of the page: binds all modules to its elements, then opens it at the program.

import { bindAnalysis } from "./analyse/analyse.js";
import { bindEndCard } from "./play/end_card.js";
import { bindEndings } from "./train/endings.js";
import { bindExercise } from "./train/exercise.js";
import { bindSettingsMenus } from "./core/settings_menus.js";
import { bindGameList } from "./games/game_list.js";
import { bindGames } from "./games/games.js";
import { bindHistory } from "./core/undo_redo.js";
import { bindInspector } from "./inspect.js";
import { bindLan } from "./two_players/lan.js";
import { bindLines } from "./analyse/lines_view.js";
import { bindLink } from "./analyse/link.js";
import { bindMistake } from "./review/mistake_view.js";
import { bindAllActions, bindModes } from "./core/modes.js";
import { bindMoveInput } from "./core/board_input.js";
import { bindNewGame } from "./play/new_game.js";
import { bindOwnLevel } from "./play/own_level.js";
import { bindPlay } from "./play/play.js";
import { bindReviewing } from "./review/review.js";
import { bindReview } from "./review/review_view.js";
import { bindRulings } from "./train/rulings.js";
import { bindSession, openSession } from "./core/session.js";
import { bindSetup } from "./analyse/setup.js";
import { bindShapes } from "./core/shapes.js";
import { bindSolve } from "./analyse/solve.js";
import { bindSound } from "./core/sound.js";
import { bindCards } from "./train/train_cards.js";
import { bindTrainFiles } from "./train/train_files.js";
import { bindTrainGames } from "./train/train_games.js";
import { bindPattern } from "./train/train_pattern.js";
import { bindToday } from "./train/train_today.js";
import { bindTrain } from "./train/training.js";
import { bindTree } from "./core/tree.js";
import { bindTreeView } from "./core/tree_view.js";
import { bindTwo } from "./two_players/two_players.js";

const binders = [
  bindSession, bindSound, bindMoveInput, bindModes, bindPlay, bindNewGame, bindOwnLevel, bindEndCard, bindTree, bindTreeView, bindHistory, bindAnalysis, bindLines,
  bindSolve, bindShapes, bindReviewing, bindGames, bindGameList, bindReview, bindMistake, bindLink, bindSetup, bindLan, bindSettingsMenus,
  bindTwo, bindToday, bindExercise, bindTrainGames, bindCards, bindTrainFiles, bindPattern, bindEndings, bindRulings, bindTrain, bindInspector, bindAllActions,
];
for (const bind of binders) bind();
openSession();
