//! A JSON object whose fields `type` and `do` name variants, read as an enum of serde.
//!
//! `#[serde(tag)]` keeps the fields in a form of its own and reads each variant from maps and from lists: for ninety
//! requests a tenth of the board's code in WebAssembly. Here variants come from maps alone.

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, IntoDeserializer, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use serde_json::{Map, Value};

/// The fields that name the variants of an enum and of the enum inside it.
const TAGS: &[&str] = &["type", "do"];

/// Reads an enum: the tag of the outer one is `type`, of one that a variant has `do`.
pub fn from_slice<'de, T: Deserialize<'de>>(body: &[u8]) -> Result<T, serde_json::Error> {
    T::deserialize(Fields { fields: serde_json::from_slice(body)?, tags: TAGS })
}

/// The fields of an object that are left to read, and the tags.
struct Fields {
    fields: Map<String, Value>,
    tags: &'static [&'static str],
}

impl<'de> Deserializer<'de> for Fields {
    type Error = serde_json::Error;

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(match self.tags.split_first() {
            Some((tag, rest)) => match self.fields.remove(*tag) {
                Some(Value::String(name)) => Variant { name, content: Fields { tags: rest, ..self } },
                _ => return Err(Error::missing_field(tag)),
            },
            None => return Err(Error::custom("an enum too deep")),
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_map(MapDeserializer::new(self.fields.into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant with its fields.
struct Variant {
    name: String,
    content: Fields,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = serde_json::Error;
    type Variant = Fields;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Fields), Self::Error> {
        Ok((seed.deserialize(self.name.into_deserializer())?, self.content))
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
