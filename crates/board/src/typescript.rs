//! The types of what the page and the program send each other, for the scripts of the page: written from the Rust types into
//! `page/generated.d.ts`.

use crate::requests::Count;
use crate::requests::page::{FolderRequest, GameNumbers, Request, SentGame};
use crate::requests::picture::PictureUploadRequest;
use crate::requests::train::TrainRequest;
use crate::sessions;
use chuhe_app::{analysis, files, game_view, library, solve_session, train, two_players};
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

#[test]
fn page_types_are_those_of_the_program() {
    let mut all = Declarations { config: Config::new().with_large_int("number"), types: BTreeMap::new() };
    all.visit::<Request>();
    all.visit::<PictureUploadRequest>();
    all.visit::<FolderRequest>();
    all.visit::<Count>();
    all.visit::<GameNumbers>();
    all.visit::<SentGame>();
    all.visit::<sessions::OpenReply>();
    all.visit::<game_view::GameView>();
    all.visit::<game_view::HintView>();
    all.visit::<analysis::AnalysisDto>();
    all.visit::<solve_session::SolveProgress>();
    all.visit::<two_players::SharedAnalysis>();
    all.visit::<analysis::PositionFacts>();
    all.visit::<library::GameList>();
    all.visit::<library::folders::FolderReply>();
    all.visit::<library::kept_reviews::ReviewRoom>();
    all.visit::<library::PlayedHere>();
    all.visit::<files::UploadedGames>();
    all.visit::<TrainRequest>();
    all.visit::<train::exercises::ExerciseContext>();
    all.visit::<train::exercises::Today>();
    all.visit::<train::exercises::Asked>();
    all.visit::<train::exercises::Solution>();
    all.visit::<train::exercises::Answered>();
    all.visit::<train::exercises::Cards>();
    all.visit::<train::exercises::Learnt>();
    all.visit::<train::views::PatternView>();
    all.visit::<train::tactics::TacticsView>();
    all.visit::<train::tactics::TacticView>();
    all.visit::<train::tactics::TacticStep>();
    all.visit::<train::tactics::TacticAnswered>();
    all.visit::<train::tactics::TacticRunView>();
    all.visit::<train::openings::OpeningsView>();
    all.visit::<train::openings::OpeningsAdded>();
    all.visit::<train::openings::OpeningsLeft>();
    all.visit::<train::queue::Players>();
    all.visit::<train::queue::Queued>();
    all.visit::<train::exercises::Hint>();
    all.visit::<train::exercises::Imported>();
    all.visit::<train::queue::QueueState>();
    all.visit::<train::trial::TrialView>();
    all.visit::<train::endings::Shelves>();
    all.visit::<train::endings::EndingView>();
    all.visit::<train::rulings::AskedRuling>();
    all.visit::<train::rulings::RulingVerdict>();
    let text: String = all.types.into_values().map(|declaration| without_comments(&declaration) + "\n").collect();
    let text = [HEAD, &text].concat();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/generated.d.ts");
    if env::var_os("UPDATE_TYPES").is_some() {
        fs::write(path, &text).expect("the file is written");
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), text, "UPDATE_TYPES=1 writes the types anew");
}
