//! The types of what the page and the program send each other, for the scripts of the page: written from the Rust types into
//! `page/generated.d.ts`.

use crate::requests::picture::PictureUploadRequest;
use crate::requests::train::TrainRequest;
use crate::requests::{FolderRequest, Request, SentGame};
use crate::sessions;
use chuhe_app::{analysis, files, game_session, library, train, two_players};
use std::collections::BTreeMap;
use std::{env, fs};
use ts_rs::{Config, TS, TypeVisitor};

const HEAD: &str =
    "// Written from the Rust types by `UPDATE_TYPES=1 cargo test -p chuhe-board page_types`; do not edit.\n\n";

/// Declarations by the names of their types.
struct Declarations {
    config: Config,
    types: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(&self.config);
        if T::output_path().is_some() && !self.types.contains_key(&name) {
            self.types.insert(name, T::decl(&self.config));
            T::visit_dependencies(self);
        }
    }
}

/// The declaration on one line: its comments are those of the Rust type.
fn without_comments(declaration: &str) -> String {
    let mut parts = declaration.split("\n/**");
    let first = parts.next().unwrap_or_default().to_string();
    parts.filter_map(|part| Some(part.split_once("*/\n")?.1)).fold(first, |text, part| text + part)
}

macro_rules! visit {
    ($all:ident: $($sent:ty),* $(,)?) => { $($all.visit::<$sent>();)* };
}

#[test]
fn page_types_are_those_of_the_program() {
    let mut all = Declarations { config: Config::new().with_large_int("number"), types: BTreeMap::new() };
    visit!(all:
        Request, PictureUploadRequest, FolderRequest, SentGame, sessions::Opened,
        game_session::GameView, game_session::Hint, analysis::AnalysisDto, analysis::SolveProgress,
        two_players::SharedAnalysis, analysis::PositionFacts, library::GameList, library::folders::FolderReply,
        library::kept_reviews::ReviewRoom, library::PlayedHere, files::UploadedGames, TrainRequest,
        train::exercises::ExerciseContext, train::exercises::TrainToday, train::exercises::Asked,
        train::exercises::ShownSolution, train::exercises::Answered, train::exercises::Cards, train::exercises::Learnt,
        train::views::TrainPattern, train::OwnLevel, train::tactics::TacticsView, train::tactics::TacticView,
        train::tactics::TacticStep, train::tactics::TacticAnswered, train::tactics::TacticRunView,
        train::openings::OpeningsView, train::openings::OpeningsAdded, train::openings::OpeningsLeft,
        library::Player, train::exercises::TrainHint,
        train::queue::QueueState, train::trial::TrainTrial, train::endings::Shelf, train::endings::EndingView,
        train::rulings::RulingQuestion, train::rulings::RulingVerdict,
    );
    let text: String = all.types.into_values().map(|declaration| without_comments(&declaration) + "\n").collect();
    let text = [HEAD, &text].concat();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/generated.d.ts");
    if env::var_os("UPDATE_TYPES").is_some() {
        fs::write(path, &text).expect("the file is written");
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), text, "UPDATE_TYPES=1 writes the types anew");
}
