// The start of the page: binds all modules to its elements, then opens it at the program.

import { bindAnalysis } from "./analyse.js";
import { bindEndings } from "./endings.js";
import { bindEndCard } from "./end_card.js";
import { bindExercise } from "./exercise.js";
import { bindFrame } from "./frame.js";
import { bindGames } from "./games.js";
import { bindHistory } from "./history.js";
import { bindInspector } from "./inspect.js";
import { bindGameList } from "./game_list.js";
import { bindLan } from "./lan.js";
import { bindLines } from "./lines_view.js";
import { bindLink } from "./link.js";
import { bindMistake } from "./mistake_view.js";
import { bindAllActions, bindModes } from "./modes.js";
import { bindMoveInput } from "./move_input.js";
import { bindNewGame } from "./new_game.js";
import { bindPlay } from "./play.js";
import { bindPlayView } from "./play_view.js";
import { bindReview } from "./review_view.js";
import { bindReviewing } from "./review.js";
import { bindRulings } from "./rulings.js";
import { bindSession, openSession } from "./session.js";
import { bindSetup } from "./setup.js";
import { bindShapes } from "./shapes.js";
import { bindSolve } from "./solve.js";
import { bindSound } from "./sound.js";
import { bindTrain } from "./training.js";
import { bindCards } from "./train_cards.js";
import { bindTrainFiles } from "./train_files.js";
import { bindTrainGames } from "./train_games.js";
import { bindPattern } from "./train_pattern.js";
import { bindToday } from "./train_today.js";
import { bindTree } from "./tree.js";
import { bindTreeView } from "./tree_view.js";
import { bindTwo } from "./two_players.js";

const binders = [
  bindSession, bindSound, bindMoveInput, bindModes, bindPlay, bindPlayView, bindNewGame, bindEndCard, bindTree, bindTreeView, bindHistory, bindAnalysis, bindLines,
  bindSolve, bindShapes, bindReviewing, bindGames, bindGameList, bindReview, bindMistake, bindLink, bindSetup, bindLan, bindFrame,
  bindTwo, bindToday, bindExercise, bindTrainGames, bindCards, bindTrainFiles, bindPattern, bindEndings, bindRulings, bindTrain, bindInspector, bindAllActions,
];
for (const bind of binders) bind();
openSession();
