//! What a page asks for: the name of a request, what it needs, and how it is read and answered, said once where it is
//! declared: those of games and positions here, those of training in `train`, the one that reads pictures in `picture`.
//!
//! A request is one JSON object. The field `type` names its kind; of a group (`train`, `folders`) the field `do` does. The
//! name alone decides who may send it, before the rest of the body is read.
//!
//! `#[serde(tag)]` keeps the fields in a form of its own and reads each variant from maps and from lists: for ninety
//! requests a tenth of the board's code in WebAssembly. Here variants come from maps alone.

#[cfg(not(target_family = "wasm"))]
pub mod picture;
pub mod train;

use chuhe_app::access::{DEVICE, OWNER, PLAYER, Rights, TRUSTED, WATCHER};
use chuhe_app::analysis::{PositionFacts, PositionQuery};
use chuhe_app::client::{Client, DEVICE_CHANGES, NewGame};
use chuhe_app::files::{FileDownload, PictureRequest, UploadedGames};
use chuhe_app::game_tree::GameTree;
use chuhe_app::library::record::{FolderId, GameId, Source, StoredGame};
use chuhe_app::library::{GameFilter, PlayedFilter};
use chuhe_app::two_players::TwoOptions;
use chuhe_study::game::game_record;
use chuhe_support::language::Message;
#[cfg(not(target_family = "wasm"))]
use picture::PictureUploadRequest;
use serde::de::value::MapDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error, IntoDeserializer, SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, Deserializer, Serialize, forward_to_deserialize_any};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use train::TrainRequest;
use xiangqi::{Color, Rules};
use xiangqi_record::Game;

/// The kinds of all requests, as each place declares its own.
const KINDS: &[&[Kind]] = &[
    Request::KINDS,
    #[cfg(not(target_family = "wasm"))]
    PictureUploadRequest::KINDS,
    FolderRequest::KINDS,
    TrainRequest::KINDS,
];

/// All kinds of requests.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().copied().flatten()
}

/// Requests that a page may not send, and why: it greys what would send them.
#[derive(Serialize, crate::TS)]
pub struct Refusal {
    why: String,
    kinds: Vec<String>,
}

/// All that is refused to a page.
pub fn refusals(client: &Client) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for kind in kinds() {
        let Err(why) = client.check_sender(kind.rights.sender) else { continue };
        let why = why.to_string();
        match refusals.iter_mut().find(|refusal| refusal.why == why) {
            Some(refusal) => refusal.kinds.push(kind.to_string()),
            None => refusals.push(Refusal { why, kinds: vec![kind.to_string()] }),
        }
    }
    refusals
}

/// A kind of request.
pub struct Kind {
    /// The field `type` of a group of requests whose field `do` is the name; nothing if `type` is.
    pub group: &'static str,
    pub name: &'static str,
    pub rights: Rights,
    /// Reads a request and answers it.
    pub(crate) answer: fn(&'static str, &[u8], &Client) -> Result<Answered, serde_json::Error>,
}

/// What a request has come to.
pub type Answered = Result<Reply, Message>;

/// The answer to a request.
pub enum Reply {
    Json(String),
    /// A file, which is written while it is sent.
    File(FileDownload),
    /// A stream of events of a page, after this number.
    Stream(Arc<Client>, u64),
}

fn json(value: &impl Serialize) -> Answered {
    serde_json::to_string(value).map(Reply::Json).map_err(Message::from_error)
}

/// The answer that tells nothing but that it was done.
fn done<T>(_: T) -> Answered {
    Ok(Reply::Json("{}".to_string()))
}

/// An answer with one field.
fn field(name: &str, value: &impl Serialize) -> Answered {
    let json = serde_json::to_string(value).map_err(Message::from_error)?;
    Ok(Reply::Json(format!("{{\"{name}\":{json}}}")))
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Kind { group, name, .. } = self;
        if group.is_empty() { f.write_str(name) } else { write!(f, "{group} {name}") }
    }
}

/// Requests that are declared and answered in one place.
pub trait Requests: DeserializeOwned {
    fn answer(self, client: &Client) -> Answered;
}

/// Declares the requests of a place: the name of each, what it needs, its fields, and its answer, for this client, with these
/// values at hand. A request that does not say what it needs does not compile.
macro_rules! requests {
    (
        $(#[$about:meta])*
        $access:vis enum $requests:ident $(of $group:literal)? for ($client:ident $(, $name_at_hand:ident = $at_hand:expr)*) {
            $(
                $(#[$what:meta])*
                $name:literal: $rights:expr => $kind:ident
                    $({ $($(#[$field_about:meta])* $field:ident: $field_kind:ty),* $(,)? })?
                    $(($content:ident: $content_kind:ty))?
                    = $answer:expr,
            )*
        }
    ) => {
        #[derive(serde::Deserialize, crate::TS)]
        $(#[$about])*
        $access enum $requests {
            $(
                $(#[$what])* #[serde(rename = $name)]
                $kind $({ $($(#[$field_about])* $field: $field_kind),* })? $(($content_kind))?,
            )*
        }

        impl $requests {
            const GROUP: &'static str = concat!($($group)?);
            /// The kinds of these requests.
            $access const KINDS: &'static [$crate::requests::Kind] = &[$($crate::requests::Kind {
                group: Self::GROUP,
                name: $name,
                rights: $rights,
                answer: $crate::requests::answer::<$requests>,
            },)*];
        }

        impl $crate::requests::Requests for $requests {
            #[allow(clippy::unit_arg, reason = "most of what is done has nothing to tell")]
            fn answer(self, $client: &Client) -> Answered {
                $(let $name_at_hand = $at_hand;)*
                match self {
                    $($requests::$kind $({ $($field),* })? $(($content))? => $answer,)*
                }
            }
        }
    };
}
pub(crate) use requests;

/// The part of a request that says what is asked for.
#[derive(Deserialize)]
pub struct RequestName<'a> {
    #[serde(rename = "type", borrow)]
    name: Cow<'a, str>,
    #[serde(rename = "do", borrow, default)]
    wish: Cow<'a, str>,
}

impl RequestName<'_> {
    pub fn kind(&self) -> Option<&'static Kind> {
        kinds().find(|kind| match kind.group {
            "" => kind.name == self.name,
            group => group == self.name && kind.name == self.wish,
        })
    }
}

pub(crate) fn answer<R: Requests>(
    name: &'static str,
    body: &[u8],
    client: &Client,
) -> Result<Answered, serde_json::Error> {
    let fields = Fields(serde_json::from_slice(body)?);
    Ok(R::deserialize(Named { name, fields })?.answer(client))
}

/// A request as an enum: the variant of this name, with these fields.
struct Named {
    name: &'static str,
    fields: Fields,
}

struct Fields(Map<String, Value>);

impl<'de> Deserializer<'de> for Named {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Named {
    type Error = serde_json::Error;
    type Variant = Fields;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Fields), Self::Error> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self.fields))
    }
}

impl<'de> Deserializer<'de> for Fields {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_map(MapDeserializer::new(self.0.into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> VariantAccess<'de> for Fields {
    type Error = serde_json::Error;

    fn unit_variant(self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Self::Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Self::Error> {
        Err(Error::custom("a variant that is a list"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_any(visitor)
    }
}

/// The library and the deck have room for no more.
const MAX_IDS: usize = 50_000;

/// Numbers of games or cards: each once, and not more than there can be of them, in the order in which they came first.
#[derive(crate::TS)]
pub struct Ids<T>(pub Vec<T>);

impl<T> Default for Ids<T> {
    fn default() -> Ids<T> {
        Ids(Vec::new())
    }
}

impl<'de, T: Deserialize<'de> + Copy + Eq + Hash> Deserialize<'de> for Ids<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Ids<T>, D::Error> {
        from.deserialize_seq(IdVisitor(PhantomData))
    }
}

struct IdVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Eq + Hash> Visitor<'de> for IdVisitor<T> {
    type Value = Ids<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Ids<T>, A::Error> {
        let (mut ids, mut known) = (Vec::new(), HashSet::new());
        while let Some(id) = from.next_element()? {
            if known.insert(id) {
                ids.push(id);
            }
            if ids.len() > MAX_IDS {
                return Err(A::Error::custom("too many numbers"));
            }
        }
        Ok(Ids(ids))
    }
}

/// The range of review times per position, in milliseconds.
const REVIEW_TIME_RANGE_MS: std::ops::RangeInclusive<u64> = 20..=60_000;

requests! {
    /// The requests of a page that belong to no group.
    #[ts(rename = "PageRequest", tag = "type")]
    pub enum Request for (client, game = &client.game) {
        /// Plays a move, in any notation.
        "play": PLAYER.changes().plays_on() => Play { r#move: String } =
            done(client.playing(|| game.play(client.id, &r#move))?),
        "undo": PLAYER.changes().plays_on() => Undo = done(client.playing(|| game.undo(client.id))?),
        "hint": DEVICE.changes().helps() => Hint = done(game.hint()?),
        "offer-draw": PLAYER.changes().plays_on() => OfferDraw = done(game.offer_draw(client.id)?),
        /// Answers what the other player has asked for with the offer of this number.
        "answer-offer": PLAYER.changes() => AnswerOffer { number: u64, accept: bool } =
            done(game.answer_offer(client.id, number, accept)?),
        "resign": PLAYER.changes() => Resign = done(client.playing(|| game.resign(client.id))?),
        /// The page is there: sent every few seconds while two people play. To be heard of is all.
        "present": WATCHER => Present = done(()),
        /// The engine moves now.
        "move-now": DEVICE.changes().helps() => MoveNow = done(client.playing(|| game.move_now())),
        /// A clock has run out.
        "check-clock": WATCHER.changes() => CheckClock = done(game.check_clock()),
        "new-game": DEVICE.changes().plays_on() => NewGame(game: NewGame) =
            done(client.playing(|| client.begin(game))?),
        /// Begins a game of two people to which a device is invited: no page of the program gives help then.
        "new-shared-game": OWNER.changes() => NewSharedGame {
            #[serde(flatten)]
            game: NewGame,
            /// The side of the device.
            #[ts(type = "Side")]
            remote: Color,
        } = {
            let mut game = game;
            game.two = Some(TwoOptions { remote: Some(remote), ..game.two.unwrap_or_default() });
            done(client.playing(|| client.begin(game))?)
        },
        /// Continues the unfinished game.
        "resume-game": DEVICE.plays_on() => ResumeGame = done(client.playing(|| client.resume())?),
        /// The page was closed or reloaded.
        "leave": WATCHER => Leave = done(client.disconnect()),
        /// Remembers a setting for all pages. A device that may not keeps it in its page.
        "set-setting": TRUSTED.changes() => SetSetting { name: String, value: String } = {
            if name == DEVICE_CHANGES || !client.context.preferences.set(&name, &value)? {
                log::debug!("not remembered: {name:?}");
            }
            done(())
        },
        /// Lets paired devices change and remove what is kept, or does not any more.
        "allow-changes": OWNER.changes() => AllowChanges { allowed: bool } =
            done(client.context.preferences.set(DEVICE_CHANGES, if allowed { "on" } else { "off" })?),
        /// Keeps the game that is analysed; that of a device as long as its page.
        "save-analysis": WATCHER.changes() => SaveAnalysis { tree: GameTree } = {
            tree.game()?;
            done(client.keep_tree(tree)?)
        },
        /// Asks for a part of the list of games.
        "list-games": DEVICE => ListGames {
            #[serde(flatten)]
            filter: GameFilter,
            from: usize,
            count: usize,
        } = json(&client.library().list(&filter, from, count)),
        /// Asks for the numbers of all games that the filter lets through.
        "game-ids": DEVICE => GameIds(filter: GameFilter) = field("ids", &client.library().ids(&filter)),
        /// Opens a game of the list.
        "open-game": DEVICE => OpenGame { id: GameId } = sent_game(&client.library().get(id)?.0, Some(id)),
        /// Asks for the game that is played.
        "played-game": WATCHER => PlayedGame =
            sent_game(&game_record::to_record(&game.game()), client.context.store.library_id(client.id)),
        /// Puts a game into the list.
        "keep-game": DEVICE.changes() => KeepGame { tree: GameTree } = put_game(client, None, &tree),
        /// Puts a game in the place of the one with this number.
        "replace-game": TRUSTED.changes() => ReplaceGame { tree: GameTree, id: GameId } =
            put_game(client, Some(id), &tree),
        "rename-game": TRUSTED.changes() => RenameGame { id: GameId, name: String } =
            done(client.library().rename(id, &name)?),
        "delete-games": TRUSTED.changes() => DeleteGames { ids: Ids<GameId> } =
            field("count", &client.library().remove(&ids.0)?),
        /// Brings back the games that were deleted last.
        "restore-games": TRUSTED.changes() => RestoreGames = field("count", &client.library().restore()?),
        /// Writes games of the list as one file.
        "export-games": DEVICE => ExportGames { ids: Ids<GameId>, format: String } =
            Ok(Reply::File(FileDownload::of_games(&client.context.store, &ids.0, &format)?)),
        /// Shows the other pages of a game of two people what is analysed.
        "share-analysis": PLAYER.helps() => ShareAnalysis { tree: GameTree, line: Vec<String> } =
            done(game.share_analysis(client.id, &tree, line)?),
        /// Asks for the facts about a position.
        "position-facts": WATCHER.helps() => PositionFacts(query: PositionQuery) =
            json(&PositionFacts::of(&query, &client.context.resources)?),
        /// Asks what the games of the list, or those that the filter lets through, say about a position.
        "played-here": DEVICE.helps() => PlayedHere {
            #[serde(flatten)]
            query: PositionQuery,
            #[serde(flatten)]
            filter: GameFilter,
            #[serde(flatten)]
            more: PlayedFilter,
        } = {
            let position = query.position()?;
            let mut played = client.library().played_here(&position, filter, &more);
            played.mine = client.train.is_in_openings(&position);
            json(&played)
        },
        /// Analyses a position, without limit or up to a node count.
        "analyse": WATCHER.helps() => Analyse {
            #[serde(flatten)]
            query: PositionQuery,
            /// The page matches updates by this number; it increases with every request.
            number: u64,
            lines: usize,
            /// Whether to search the opponent's threat.
            threat: bool,
            nodes: Option<u64>,
        } = done(client.analysis.begin(query.analysis(lines, threat, nodes)?, number)?),
        /// Ends the analysis.
        "stop-analysis": WATCHER => StopAnalysis { number: u64 } = done(client.analysis.search.stop(Some(number))),
        /// Looks for a proven win, as `chuhe mates check` does, within a time or a count of nodes.
        "solve": WATCHER.helps() => Solve {
            #[serde(flatten)]
            query: PositionQuery,
            /// The page matches updates by this number.
            number: u64,
            seconds: u64,
            nodes: Option<u64>,
        } = done(client.solver.begin(&query, number, seconds, nodes)?),
        "stop-solve": WATCHER => StopSolve = done(client.solver.search.stop(None)),
        /// Asks for the solution as a tree, against the longest defence or with all defences.
        "solution-tree": WATCHER.helps() => SolutionTree { all: bool } =
            json(&SentGame { tree: client.solver.tree(all)?, id: None }),
        /// Reads the games of a file in base64, which may have a name.
        "read-file": DEVICE.changes() => ReadFile {
            bytes: String,
            #[serde(default)]
            name: String,
        } = json(&UploadedGames::read(client.library(), &bytes, &name)?),
        /// Writes a game as bytes.
        "write-file": WATCHER => WriteFile { format: String, tree: GameTree } =
            Ok(Reply::File(FileDownload::of_game(&tree.game()?, &format)?)),
        /// Draws a position.
        "picture": WATCHER => Picture(request: PictureRequest) = Ok(Reply::File(request.draw()?)),
        "review": WATCHER.changes().helps() => Review {
            tree: GameTree,
            rules: String,
            /// Milliseconds per position.
            time: u64,
        } = {
            let time = time.clamp(*REVIEW_TIME_RANGE_MS.start(), *REVIEW_TIME_RANGE_MS.end());
            let (rules, time) = (rules.parse().map_err(Message::from_value)?, Duration::from_millis(time));
            done(client.review.begin(tree.game()?, Rules::new(rules), time, client.access.is_whole())?)
        },
        "stop-review": WATCHER => StopReview = done(client.review.search.stop(None)),
        /// Asks for the review that was kept of a game.
        "kept-review": DEVICE.helps() => KeptReview { tree: GameTree } = {
            let kept = client.library().reviews().of_game(&tree.game()?)?;
            client.review.take_kept(kept, |review| field("review", &review))
        },
        /// Asks how much room the reviews take that are kept.
        "review-room": DEVICE => ReviewRoom = json(&client.library().reviews().room()),
        /// Asks for the review as an HTML page.
        "review-page": WATCHER.helps() => ReviewPage = Ok(Reply::File(client.review.page()?)),
    }
}

requests! {
    /// A change of the folders.
    #[ts(tag = "do")]
    pub enum FolderRequest of "folders" for (client, library = client.library()) {
        "make": TRUSTED.changes() => Make { name: String } = json(&library.make_folder(&name)?),
        "rename": TRUSTED.changes() => Rename { folder: FolderId, name: String } =
            json(&library.rename_folder(folder, &name)?),
        /// Its games stay.
        "delete": TRUSTED.changes() => Delete { folder: FolderId } = json(&library.delete_folder(folder)?),
        /// Puts games into a folder, or out of theirs with 0.
        "put": TRUSTED.changes() => Put { ids: Ids<GameId>, folder: FolderId } =
            json(&library.put_into_folder(&ids.0, folder)?),
    }
}

/// A game, or a solution.
#[derive(Serialize, crate::TS)]
pub(crate) struct SentGame {
    tree: GameTree,
    /// Its number in the list.
    id: Option<GameId>,
}

/// Puts a game into the list, or in the place of the one with this number.
fn put_game(client: &Client, id: Option<GameId>, tree: &GameTree) -> Answered {
    let game = StoredGame::new(&tree.game()?, Source::Kept, "");
    field("ids", &[client.library().put(id, game)?])
}

fn sent_game(game: &Game, id: Option<GameId>) -> Answered {
    json(&SentGame { tree: GameTree::of(game)?, id })
}
