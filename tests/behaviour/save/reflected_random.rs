//! Random values of types with `derive(Reflect)` and of the same types with the derives of serde:
//! equal in every respect.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::marker::PhantomData;
use std::num::Wrapping;
use std::time::Duration;

use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, Replica, Selection, diff};
use serde::{Deserialize, Serialize};

use crate::random_format::{Numbers, RandomFormat};

/// A type that has no `Reflect`.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) enum Metal {
    Iron,
    Alloy {
        parts: u8,
        of: Option<Box<Metal>>,
    },
    #[serde(rename = "x")]
    Three(u8, u16),
}

/// The reading of a value: its debug text or the error, its JSON, and the requests of its type.
struct Reading {
    value: Result<String, String>,
    json: String,
    requests: Vec<String>,
}

impl Reading {
    fn of<T: std::fmt::Debug + Serialize>(read: &Result<T, impl ToString>, requests: Vec<String>) -> Self {
        let value = read.as_ref().map(|value| format!("{value:?}")).map_err(ToString::to_string);
        let json = read.as_ref().map(|value| serde_json::to_string(value).unwrap()).unwrap_or_default();
        Self { value, json, requests }
    }
}

/// Adds derives to items, some of which are components.
macro_rules! derived {
    (@one [$($derive:ident),*] $item:item) => {
        #[derive($($derive,)* Clone, Debug, PartialEq)]
        $item
    };
    ($derives:tt $($item:item)*) => { $( derived!(@one $derives $item); )* };
}

/// Calls a macro with all component types.
macro_rules! with_all {
    ($each:ident!($($argument:ident),*)) => {
        $each! {
            ($($argument),*)
            Unit, Newtype, Pair, Ints, Floats, Texts, Options, Lists, Sets, Maps, Arrays, Tuples, Link, Tree, Repr, Aligned, Ids,
            Wrappers, Marked, Skips, Renamed, Outer, Parts, Small, Mixed, MutualA, Wild, EnumSkips, Deep, Bytes, Same, Both<Newtype>,
            Const<3>
        }
    };
}

macro_rules! read_each {
    (($seed:ident, $lies:ident, $is_human_readable:ident, $to:ident) $($ty:ty),*) => {
        [$({
            let format = RandomFormat::new($seed, $lies, $is_human_readable);
            let requests = format.requests.clone();
            let read = <$ty>::deserialize(format);
            let reading = Reading::of(&read, requests.take());
            if let (Some((world, id)), Ok(value)) = (&mut $to, read) {
                world.insert(*id, value).unwrap();
            }
            reading
        }),*]
    };
}

macro_rules! parse_each {
    (($text:ident) $($ty:ty),*) => {
        [$(|$text: &str| {
            let read = serde_json::from_str::<$ty>($text);
            Reading::of(&read, Vec::new()).value
        }),*]
    };
}

/// A world of types that derive the given traits, whose options are in the attribute `$helper`.
macro_rules! types {
    ($name:ident, $helper:ident; $($derive:ident),*) => {
        #[allow(dead_code, reason = "fields are read by derives")]
        mod $name {
            use super::*;

            derived! { [Component, $($derive),*]
                pub(super) struct Unit;
                #[derive(Eq, PartialOrd, Ord)]
                pub(super) struct Newtype(u8);
                pub(super) struct Pair(u16, Newtype);
                pub(super) struct Ints {
                    a: u8, b: i8, c: u16, d: i16, e: u32, f: i32, g: u64, h: i64, i: u128, j: i128, k: usize, l: isize,
                }
                pub(super) struct Floats { a: f32, b: f64, c: [f32; 3], d: Vec<f64> }
                pub(super) struct Texts { a: String, b: Box<str>, c: Box<str>, d: Cow<'static, str>, e: char, f: Vec<char> }
                pub(super) struct Options {
                    a: Option<u8>, b: Option<String>, c: Option<Newtype>, d: Option<(bool, u8)>, e: Option<Vec<Option<u16>>>,
                }
                pub(super) struct Lists {
                    a: Vec<u8>, b: Vec<String>, c: VecDeque<Pair>, d: Vec<Vec<u32>>, e: Vec<Option<bool>>, f: Vec<()>, g: Vec<Unit>,
                }
                pub(super) struct Sets { a: BTreeSet<u8>, b: BTreeSet<String>, c: BTreeSet<Newtype> }
                pub(super) struct Maps {
                    a: BTreeMap<u8, String>, b: BTreeMap<String, BTreeMap<Newtype, Option<u8>>>, c: BTreeMap<char, ()>,
                }
                pub(super) struct Arrays {
                    a: [u8; 0], b: [u16; 3], c: [[bool; 2]; 2], d: [String; 2], e: [Option<Newtype>; 4], f: [(); 2],
                }
                pub(super) struct Tuples {
                    a: (u8,), b: (u8, String), c: (bool, u8, u16, u32, u64, i8, f32, char), d: ((), ((), u8)),
                }
                pub(super) struct Link { value: u8, next: Option<Box<Link>> }
                pub(super) enum Tree {
                    Leaf, Node(Box<Tree>, Vec<Tree>), Named { left: Option<Box<Tree>>, text: String }, Id(Entity),
                }
                #[repr(i16)]
                pub(super) enum Repr { A = -4, B(u8) = 900, C { x: u64, y: [u8; 3] } = 7, D(), E {} }
                #[repr(align(64))]
                pub(super) struct Aligned { a: u8, b: Option<AlignedPart>, c: Vec<AlignedPart>, d: Option<Box<AlignedPart>> }
                pub(super) struct Ids { a: Entity, b: Option<Entity>, c: Vec<Entity>, d: (Entity, u8), e: [Entity; 2] }
                pub(super) struct Wrappers {
                    a: Box<u8>, b: Box<String>, c: Reverse<u8>, d: Wrapping<i32>, e: Box<Option<u8>>, f: Box<Box<Newtype>>,
                }
                pub(super) struct Marked { a: PhantomData<u8>, b: u8, c: PhantomData<Vec<u8>>, d: Unit }
                pub(super) struct Skips {
                    #[$helper(skip)] a: u8, b: u8, #[$helper(default)] c: u16, #[$helper(skip)] d: Vec<String>, e: Option<u8>,
                    #[$helper(default)] f: String,
                }
                #[$helper(rename = "Else")]
                pub(super) struct Renamed {
                    #[$helper(rename = "b")] a: u8, #[$helper(rename = "a")] b: u16, #[$helper(rename = "")] c: u8,
                    #[$helper(rename = "\"quotes\" \u{e4}")] d: u8, r#type: u8, self_: u8, __0: u8, __value: u8,
                }
                pub(super) enum Outer { Zero, First(Inner), Mid { a: Inner, b: [Inner; 2] }, Last(Vec<Inner>), End }
                pub(super) struct Parts { a: Metal, b: Vec<Metal>, c: Option<Metal>, d: Duration, e: u8 }
                pub(super) struct Small { x: f32, y: f32 }
                pub(super) struct Mixed { a: u8, b: u32, c: bool, d: u16, e: Small, f: u64, g: Unit, h: [Small; 3], i: Inner }
                pub(super) struct MutualA { b: Vec<MutualB>, n: u8 }
                pub(super) enum Wild { A(u8), B(Option<u16>, Vec<Never>), C { x: (u8, String), y: Option<Box<Wild>>, z: String } }
                pub(super) enum EnumSkips {
                    A(#[$helper(skip)] u8), B(u8), C { #[$helper(skip)] x: String }, D(u8, #[$helper(skip)] u8),
                    E { #[$helper(default)] a: u8, b: u8 },
                }
                pub(super) struct Deep { a: ((((((Inner,),),),),),), b: Option<Vec<Option<Vec<Option<Vec<Inner>>>>>> }
                pub(super) struct Bytes([u8; 32]);
                pub(super) struct Same { a: one::Kind, b: two::Kind, c: three::Kind }
                pub(super) enum Both<T: Send + Sync + 'static> { None, One(T), Many { of: Vec<T>, two: [Option<T>; 2] } }
                pub(super) struct Const<const N: usize> { of: Vec<[u8; 2]> }
            }
            derived! { [$($derive),*]
                #[repr(align(128))]
                pub(super) struct AlignedPart(u8, String);
                pub(super) enum Inner { A, B(u8), C { x: Option<bool> }, #[$helper(rename = "Other")] D(u8, String) }
                pub(super) struct MutualB { a: Option<Box<MutualA>>, e: Vec<Entity> }
                pub(super) enum Never {}
            }
            /// Enums of one name, of which two have equal parts.
            mod one {
                use super::*;
                derived! { [$($derive),*] pub(super) enum Kind { A, B(u8) } }
            }
            mod two {
                use super::*;
                derived! { [$($derive),*] pub(super) enum Kind { A, B(u16) } }
            }
            mod three {
                use super::*;
                derived! { [$($derive),*] pub(super) enum Kind { A, B(u16) } }
            }

            world! {
                #[derive(Clone, Serialize, Deserialize)]
                pub(super) struct Game {
                    components {
                        Unit, Newtype, Pair, Ints, Floats, Texts, Options, Lists, Sets, Maps, Arrays, Tuples, Link, Tree, Repr, Aligned,
                        Ids, Wrappers, Marked, Skips, Renamed, Outer, Parts, Small, Mixed, MutualA, Wild, EnumSkips, Deep, Bytes, Same,
                        Both<Newtype>, Const<3>
                    }
                }
            }

            /// Reads a random value of each type, and inserts it into an entity.
            pub(super) fn read(
                seed: u64,
                lies: usize,
                is_human_readable: bool,
                mut to: Option<(&mut Game, Entity)>,
            ) -> Vec<Reading> {
                with_all!(read_each!(seed, lies, is_human_readable, to)).into()
            }

            /// Reads a value of the type with this number from JSON.
            pub(super) fn parse(number: usize, text: &str) -> Result<String, String> {
                with_all!(parse_each!(text))[number](text)
            }

            /// What a world with random values has to say: its values in the readable form, and its
            /// layouts.
            pub(super) fn check_world(seed: u64) -> String {
                let mut game = Game::new();
                for more in 0..2 {
                    let id = game.spawn(());
                    read(seed + more, 0, false, Some((&mut game, id)));
                }
                let (bytes, json) = (game.to_bytes().unwrap(), serde_json::to_string(&game).unwrap());
                let loaded = Game::load(&bytes).unwrap();
                assert_eq!(diff(&game, &loaded).len(), 0);
                assert_eq!(loaded.to_bytes().unwrap(), bytes);
                assert_eq!(serde_json::from_str::<Game>(&json).unwrap().to_bytes().unwrap(), bytes);
                assert_eq!((loaded.hash(), game.clone().hash()), (game.hash(), game.hash()));

                let snapshot = game.snapshot();
                let id = game.spawn(());
                read(seed + 9, 0, false, Some((&mut game, id)));
                game.restore(&snapshot);
                assert_eq!(game.to_bytes().unwrap(), bytes);
                let id = game.spawn(());

                let selection = Selection::<Game>::of::<(Ids, Tree, Outer, Parts, Wild, Lists)>();
                let first = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
                let known = selection.baseline(&mut game, 1);
                read(seed + 10, 0, false, Some((&mut game, id)));
                let second = selection.delta(&known, &game, 2).unwrap();
                let (mut copy, mut replica) = (Game::new(), Replica::new());
                for delta in [first, second] {
                    selection.apply(&mut copy, &mut replica, &delta).unwrap();
                }
                assert_eq!(selection.save(&game).unwrap().len(), selection.save(&copy).unwrap().len());

                let mut other = Game::new();
                other.spawn(());
                other.merge(&bytes, DanglingIds::Keep).unwrap();
                assert_eq!(other.query::<&Ids>().iter().count(), 2);
                without_worlds(&json[json.find("\"entities\"").unwrap()..])
            }
        }
    };
}

types!(of_reflect, reflect; Reflect);
types!(of_serde, serde; Serialize, Deserialize);

/// The text without the numbers after `@`, by which two worlds tell their ids apart.
fn without_worlds(text: &str) -> String {
    let mut parts = text.split('@');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|sign: char| sign.is_ascii_digit()))
}

#[test]
fn a_random_value_is_read_and_written_as_by_serde() {
    for seed in 0..60 {
        for is_human_readable in [false, true] {
            let own = of_reflect::read(seed, 0, is_human_readable, None);
            let of_serde = of_serde::read(seed, 0, is_human_readable, None);
            for (number, (own, of_serde)) in own.iter().zip(&of_serde).enumerate() {
                assert_eq!(own.requests, of_serde.requests);
                assert_eq!(own.value, of_serde.value);
                assert_eq!(own.json, of_serde.json);
                assert_eq!(of_reflect::parse(number, &own.json), of_serde::parse(number, &own.json));
            }
        }
    }
}

#[test]
fn a_format_that_lies_has_the_effect_that_it_has_on_types_of_serde() {
    for (seed, lies) in (0..120).map(|seed| (seed, 5 + seed as usize % 30)) {
        let own = of_reflect::read(seed, lies, seed % 2 == 0, None);
        let of_serde = of_serde::read(seed, lies, seed % 2 == 0, None);
        for (own, of_serde) in own.iter().zip(&of_serde) {
            // messages of serde name a type that was renamed by its former name
            assert_eq!(own.value.as_ref().ok(), of_serde.value.as_ref().ok());
        }
    }
}

#[test]
fn changed_text_has_the_effect_that_it_has_on_types_of_serde() {
    let signs = b"0123456789\"[]{},:-.eE nutf";
    for seed in 0..40 {
        let numbers = Numbers::new(seed);
        for (number, reading) in of_reflect::read(seed, 0, true, None).iter().enumerate() {
            for _ in 0..8 {
                let mut text = reading.json.clone().into_bytes();
                if text.is_empty() {
                    continue; // a `Duration` refuses some values
                }
                let (at, other) = (numbers.below(text.len()), numbers.below(text.len()));
                match numbers.below(5) {
                    0 => drop(text.remove(at)),
                    1 => text[at] = signs[numbers.below(signs.len())],
                    2 => text.insert(at, signs[numbers.below(signs.len())]),
                    3 => text.truncate(at),
                    _ => text.swap(at, other),
                }
                let Ok(text) = String::from_utf8(text) else { continue };
                let (own, of_serde) = (of_reflect::parse(number, &text), of_serde::parse(number, &text));
                assert_eq!(own.ok(), of_serde.ok(), "{text}");
            }
        }
    }
}

#[test]
fn worlds_of_random_values_are_equal_in_all_that_saving_does() {
    for seed in 0..12 {
        assert_eq!(of_reflect::check_world(100 * seed), of_serde::check_world(100 * seed));
    }
}
