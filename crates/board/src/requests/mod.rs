//! What a page asks for: the name of a request, what it needs, and how it is read and answered, said once where it is
//! declared: `page` has those of games and positions, `train` those of training, `picture` the one that reads pictures.
//!
//! A request is one JSON object. The field `type` names its kind; of a group (`train`, `folders`) the field `do` does. The
//! name alone decides who may send it, before the rest of the body is read.
//!
//! `#[serde(tag)]` keeps the fields in a form of its own and reads each variant from maps and from lists: for ninety
//! requests a tenth of the board's code in WebAssembly. Here variants come from maps alone.

pub mod page;
#[cfg(not(target_family = "wasm"))]
pub mod picture;
pub mod train;

use chuhe_app::access::Rights;
use chuhe_app::client::Client;
use chuhe_app::files::FileDownload;
use chuhe_support::language::Message;
use page::{FolderRequest, Request};
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
use train::TrainRequest;

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
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// Declares the requests of a place: the name of each, what it needs, and its fields. A request that does not say what it
/// needs does not compile.
macro_rules! requests {
    (
        $(#[$about:meta])*
        $access:vis enum $requests:ident $(of $group:literal)? {
            $($(#[$what:meta])* $name:literal: $rights:expr => $kind:ident $({ $($fields:tt)* })? $(($content:ty))?,)*
        }
    ) => {
        $(#[$about])*
        #[derive(serde::Deserialize)]
        $access enum $requests {
            $($(#[$what])* #[serde(rename = $name)] $kind $({ $($fields)* })? $(($content))?,)*
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
