//! `derive(Reflect)` where formats lie, types contain themselves, and parts need a drop.

use std::cell::Cell;

use ecs::prelude::*;
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, Serialize};

type FormatError = de::value::Error;

/// A format that passes a newtype to every visitor, whatever a type asks for.
struct Newtypes;

impl<'de> Deserializer<'de> for Newtypes {
    type Error = FormatError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormatError> {
        visitor.visit_newtype_struct(de::value::UnitDeserializer::new())
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> de::EnumAccess<'de> for Newtypes {
    type Error = FormatError;
    type Variant = Self;

    fn variant_seed<S: de::DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), FormatError> {
        let first: de::value::U32Deserializer<FormatError> = 0_u32.into_deserializer();
        Ok((seed.deserialize(first)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Newtypes {
    type Error = FormatError;

    fn unit_variant(self) -> Result<(), FormatError> {
        Ok(())
    }

    fn newtype_variant_seed<S: de::DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, FormatError> {
        seed.deserialize(de::value::UnitDeserializer::new())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FormatError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormatError> {
        self.deserialize_any(visitor)
    }
}

#[test]
fn a_format_cannot_read_a_field_that_is_skipped() {
    #[derive(Reflect, Debug)]
    struct Named {
        #[reflect(skip)]
        text: String,
    }
    #[derive(Reflect, Debug)]
    struct Tuple(#[reflect(skip)] String);
    #[derive(Reflect, Debug, PartialEq)]
    enum Variant {
        Tuple(#[reflect(skip)] String),
    }
    #[derive(Reflect, Debug)]
    enum NamedVariant {
        Named {
            #[reflect(skip)]
            text: String,
        },
    }
    let error = |error: FormatError| error.to_string();
    let expected = "invalid type: newtype struct, expected";
    assert_eq!(Named::deserialize(Newtypes).map_err(error).unwrap_err(), format!("{expected} struct Named"));
    assert_eq!(
        Tuple::deserialize(Newtypes).map_err(error).unwrap_err(),
        format!("{expected} tuple struct Tuple")
    );
    assert_eq!(
        NamedVariant::deserialize(Newtypes).map_err(error).unwrap_err(),
        format!("{expected} struct variant NamedVariant::Named")
    );
    assert_eq!(Variant::deserialize(Newtypes), Ok(Variant::Tuple(String::new())));
}

#[test]
fn a_variant_without_its_only_field_is_written_as_by_serde() {
    macro_rules! texts {
        ($helper:ident; $($derive:ident),*) => {{
            #[derive($($derive,)* Debug, PartialEq)]
            enum Choice {
                One(#[$helper(skip)] u8),
                Two(#[$helper(skip)] u8, #[$helper(skip)] u8),
                Named { #[$helper(skip)] x: u8 },
            }
            let values = [Choice::One(3), Choice::Two(4, 5), Choice::Named { x: 6 }];
            let json = serde_json::to_string(&values).unwrap();
            let read: Vec<Choice> = serde_json::from_str(&json).unwrap();
            (json, format!("{read:?}"))
        }};
    }
    assert_eq!(texts!(reflect; Reflect), texts!(serde; Serialize, Deserialize));
}

#[test]
fn a_box_of_an_option_may_be_left_out() {
    #[derive(Reflect, Debug, PartialEq)]
    struct Node {
        next: Box<Option<u8>>,
        value: u8,
    }
    let node = serde_json::from_str::<Node>(r#"{"value":3}"#).unwrap();
    assert_eq!(node, Node { next: Box::new(None), value: 3 });
    let error = serde_json::from_str::<Node>(r#"{"next":3}"#).unwrap_err().to_string();
    assert!(error.starts_with("missing field `value`"), "{error}");
}

thread_local! {
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// A number that counts its drops. Its bytes are its compact form.
#[derive(Reflect)]
struct Counted(u32);

impl Counted {
    fn new(number: u32) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(number)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// Counts its drops, and has a part that needs one.
#[derive(Reflect)]
struct Named(String);

impl Named {
    fn new(name: &str) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(name.into())
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// Has no bytes in memory and in a file.
#[derive(Reflect)]
struct Mark;

impl Drop for Mark {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

#[derive(Component, Reflect)]
struct Parts {
    first: u32,
    number: Counted,
    numbers: [Counted; 2],
    name: Named,
    marks: (Mark, u8, Mark),
    maybe: Option<Counted>,
    pair: (Counted, Named),
    last: String,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Parts } }
}

#[test]
fn complete_parts_of_a_value_that_is_refused_are_dropped_as_a_whole() {
    let mut game = Game::new();
    ALIVE.set(2); // the marks
    game.spawn(Parts {
        first: 1,
        number: Counted::new(2),
        numbers: [Counted::new(3), Counted::new(4)],
        name: Named::new("five"),
        marks: (Mark, 6, Mark),
        maybe: Some(Counted::new(7)),
        pair: (Counted::new(8), Named::new("nine")),
        last: "end".into(),
    });
    let (mut bytes, all) = (game.to_bytes().unwrap(), ALIVE.get());
    drop(game);
    assert_eq!((all, ALIVE.get()), (9, 0));
    let mut dropped_by = |text: &[u8]| {
        let at = bytes.windows(text.len()).position(|bytes| bytes == text).unwrap() + text.len() - 1;
        let before = std::mem::replace(&mut bytes[at], 0xff);
        ecs::__private::save::reseal(&mut bytes);
        assert!(Game::load(&bytes).is_err());
        bytes[at] = before;
        -ALIVE.replace(0)
    };
    assert_eq!(dropped_by(b"\x03\0\0\0end"), 9);
    assert_eq!(dropped_by(b"nine"), 8);
    assert_eq!(dropped_by(b"five"), 3);
    ecs::__private::save::reseal(&mut bytes);
    drop(Game::load(&bytes).unwrap());
    assert_eq!(ALIVE.get(), -9);
}

mod many {
    use super::*;

    #[derive(Component, Reflect, PartialEq, Debug)]
    pub(super) struct Units(pub(super) Vec<()>);

    world! {
        #[derive(Serialize, Deserialize)]
        pub(super) struct World { components { Units } }
    }
}

#[test]
fn as_many_elements_without_bytes_are_read_as_of_types_of_serde() {
    let mut world = many::World::new();
    let id = world.spawn(many::Units(vec![(); 1_000_000]));
    let loaded = many::World::load(&world.to_bytes().unwrap()).unwrap();
    assert_eq!(loaded.get::<many::Units>(id).map(|units| units.0.len()), Some(1_000_000));
}

/// A world with a type that has a `$part` somewhere.
macro_rules! world_with {
    ($name:ident: $part:ty) => {
        mod $name {
            use super::*;

            #[derive(Component, Reflect, Clone, PartialEq, Debug)]
            pub(super) enum Outer {
                First,
                Middle(Inner),
                Deep((((((Tree,),),),),)),
            }
            #[derive(Reflect, Clone, PartialEq, Debug)]
            pub(super) enum Inner {
                A,
                B(u8),
                C { part: $part },
            }
            #[derive(Reflect, Clone, PartialEq, Debug)]
            pub(super) enum Tree {
                Leaf,
                Node(Option<Box<Tree>>),
                Parts(Vec<$part>),
            }
            world! {
                #[derive(Serialize, Deserialize)]
                pub(super) struct World { components { Outer } }
            }

            /// A file without values of the part.
            pub(super) fn file() -> Vec<u8> {
                let mut world = World::new();
                world.spawn(Outer::Middle(Inner::B(1)));
                world.spawn(Outer::Deep((((((Tree::Node(Some(Box::new(Tree::Leaf))),),),),),)));
                world.to_bytes().unwrap()
            }
        }
    };
}

world_with!(with_number: u32);
world_with!(with_float: f32);

#[test]
fn a_change_of_a_type_within_itself_or_within_an_enum_of_an_enum_is_noticed() {
    let file = with_number::file();
    assert!(with_number::World::load(&file).is_ok());
    let error = with_float::World::load(&file).err().unwrap();
    assert!(matches!(error, ecs::save::LoadError::Layout { .. }), "{error}");
    assert_eq!(file.len(), with_float::file().len());
}

mod large {
    use super::*;

    #[derive(Component, Reflect, PartialEq)]
    pub(super) struct Bits(pub(super) Box<[[[bool; 64]; 64]; 512]>);

    world! {
        #[derive(Serialize, Deserialize)]
        pub(super) struct World { components { Bits } }
    }
}

#[test]
fn an_array_in_a_box_may_be_larger_than_the_stack() {
    let bits = vec![[[false; 64]; 64]; 512].into_boxed_slice();
    let mut bits: Box<[[[bool; 64]; 64]; 512]> = bits.try_into().unwrap();
    bits[511][63][63] = true;
    bits[0][7][9] = true;
    let mut world = large::World::new();
    let id = world.spawn(large::Bits(bits));
    let loaded = large::World::load(&world.to_bytes().unwrap()).unwrap();
    assert!(loaded.get::<large::Bits>(id) == world.get(id));
}
