//! A save that cannot be loaded is refused when it is written, for each value and in each kind of
//! file; and values of an earlier version of a type are never read as others.

use ecs::prelude::*;
use ecs::save::{Baseline, Replica, Saved, Selection};
use serde::{Deserialize, Serialize};

use super::shared::Hex;

#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Loose {
    Number(u32),
    Text(String),
}
/// Accepts the made-up number 1, and refuses others.
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(into = "u32", try_from = "u32")]
struct Percent(u32);
impl From<Percent> for u32 {
    fn from(percent: Percent) -> Self {
        percent.0
    }
}
impl TryFrom<u32> for Percent {
    type Error = &'static str;
    fn try_from(number: u32) -> Result<Self, &'static str> {
        if number <= 100 { Ok(Self(number)) } else { Err("more than 100 percent") }
    }
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Slot<T> {
    Empty,
    Full(T),
}

type Four<T> = Vec<Vec<Vec<Vec<T>>>>;

macro_rules! readable_or_refused {
    ($($module:ident ($count:expr): $item:item $values:expr;)*) => {$(
        mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
            $item
            #[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
            struct R(Vec<C>);
            #[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
            struct E(C);

            world! {
                #[derive(Clone, Serialize, Deserialize)]
                struct Game {
                    components { C }
                    resources { r: R = R::default() }
                    events { E(external) }
                }
                schedule tick { send }
            }

            #[system(Game)]
            fn send(r: Res<R>, mut events: EventWriter<E>, mut local: Local<Vec<C>>) {
                events.extend(r.0.iter().cloned().map(E));
                *local = r.0.clone();
            }

            /// In each order, so that each value is the first one and a later one.
            #[test]
            fn a_save_is_readable_or_refused() {
                let values: Vec<C> = $values;
                let mut refused = 0;
                for first in 0..values.len() {
                    let mut some = values[first..].to_vec();
                    some.extend_from_slice(&values[..first]);
                    for some in [some.clone(), some[..1].to_vec()] {
                        let mut game = Game::new();
                        let ids: Vec<Entity> = game.spawn_batch(some.iter().cloned()).collect();
                        let bytes = game.to_bytes();
                        if let Ok(bytes) = &bytes {
                            let loaded = Game::load(bytes).expect("it was written");
                            ids.iter().for_each(|&id| assert_eq!(loaded.get::<C>(id), game.get::<C>(id)));
                        }
                        let selection = Selection::<Game>::of::<C>();
                        let part = selection.save(&game);
                        if let Ok(part) = &part {
                            selection.merge(&mut Game::new(), part, Replica::new()).expect("it was written");
                        }
                        let known = Baseline::nothing();
                        assert_eq!(selection.delta(&known, &game, 1).is_ok(), part.is_ok());
                        assert_eq!(bytes.is_ok(), part.is_ok(), "{bytes:?} {part:?}");
                        refused += usize::from(bytes.is_err());

                        let mut other = Game::new();
                        other.r = R(some);
                        let loads = |other: &Game| match other.to_bytes() {
                            Ok(bytes) => Game::load(&bytes).expect("it was written").r == other.r,
                            Err(_) => false,
                        };
                        assert_eq!(loads(&other), bytes.is_ok(), "a resource");
                        other.tick();
                        other.r.0.clear();
                        assert_eq!(loads(&other), bytes.is_ok(), "events and locals");
                    }
                }
                assert_eq!(refused, $count);
            }
        }
    )*};
}

readable_or_refused! {
    adjacent (3):
    #[serde(tag = "t", content = "c")]
    enum C { Walk(f32), Stop }
    vec![C::Walk(1.0), C::Stop];

    adjacent_inside (3):
    enum C { Other(u8), Of(Box<super::Tagged>) }
    vec![C::Of(Box::new(super::Tagged::Walk(1.0))), C::Of(Box::new(super::Tagged::Stop))];

    untagged_behind_a_checked_text (4):
    struct C { colour: Hex, extra: Vec<Loose> }
    vec![C { colour: Hex(7), extra: vec![] }, C { colour: Hex(7), extra: vec![Loose::Number(1)] }];

    untagged_behind_a_checked_text_in_a_tuple (3):
    struct C(Hex, Vec<Loose>);
    vec![C(Hex(7), vec![]), C(Hex(7), vec![Loose::Number(1)])];

    two_enums_of_equal_names (4):
    struct C { a: Slot<Loose>, b: Slot<u8> }
    vec![C { a: Slot::Empty, b: Slot::Full(2) }, C { a: Slot::Full(Loose::Number(1)), b: Slot::Full(2) }];

    untagged_behind_a_large_array (4):
    struct C { matrix: [[f32; 32]; 32], extra: Option<Loose> }
    vec![C { matrix: [[1.0; 32]; 32], extra: None }, C { matrix: [[1.0; 32]; 32], extra: Some(Loose::Number(1)) }];

    deep_inside (4):
    struct C(Four<Four<Loose>>);
    vec![C(vec![]), C(vec![vec![vec![vec![vec![vec![vec![vec![Loose::Number(1)]]]]]]]])];

    a_number_that_is_checked (3):
    struct C(Percent);
    vec![C(Percent(1)), C(Percent(101))];

    a_number_in_a_variant_that_is_checked (3):
    enum C { None, Of { share: Option<Percent> } }
    vec![C::None, C::Of { share: Some(Percent(100)) }, C::Of { share: None }, C::Of { share: Some(Percent(200)) }]
        .split_off(2);

    a_text_that_is_checked (0):
    struct C(Hex);
    vec![C(Hex(1)), C(Hex(0xffffff))];

    a_field_that_is_left_out (3):
    struct C { #[serde(default, skip_serializing_if = "Option::is_none")] name: Option<String> }
    vec![C { name: Some("a".into()) }, C { name: None }];

    a_value_that_is_written_otherwise (3):
    enum C { Of(#[serde(with = "super::as_text")] u32) }
    vec![C::Of(1), C::Of(77)];

    a_type_within_itself (0):
    enum C { Node(Box<C>, Vec<C>), Leaf(u8) }
    vec![C::Leaf(1), C::Node(Box::new(C::Leaf(1)), vec![C::Leaf(2), C::Leaf(3)])];

    plain_values (0):
    struct C { name: String, at: (f32, [u8; 3]), of: Slot<Option<u8>>, list: Vec<Box<str>> }
    vec![
        C { name: "a".into(), at: (1.0, [1; 3]), of: Slot::Empty, list: vec![] },
        C { name: "".into(), at: (0.5, [2; 3]), of: Slot::Full(Some(1)), list: vec!["a".into()] },
    ];
}

#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Tagged {
    Walk(f32),
    Stop,
}

/// Reads the text of one digit only.
mod as_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&number.to_string())
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() != 1 && text != "a" {
            return Err(D::Error::custom("more than one digit"));
        }
        Ok(text.parse().unwrap_or(0))
    }
}

macro_rules! exchanged {
    ($($module:ident $first:ident: $ty:ty = $value:expr;)*) => {$(
        mod $module {
            use super::*;
            mod old {
                use super::*;
                #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
                pub struct Hero { pub $first: $ty, pub health: u32, pub mana: u32 }
                world! { #[derive(Clone, Serialize, Deserialize)] pub struct Game { components { Hero } } }
            }
            mod new {
                use super::*;
                #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
                pub struct Hero { pub $first: $ty, pub mana: u32, pub health: u32 }
                world! { #[derive(Clone, Serialize, Deserialize)] pub struct Game { components { Hero } } }
            }

            #[test]
            fn fields_that_were_exchanged_are_an_error() {
                let mut game = old::Game::new();
                let hero = game.spawn(old::Hero { $first: $value, health: 10, mana: 99 });
                let bytes = game.to_bytes().unwrap();
                let said = new::Game::load(&bytes).unwrap_err().to_string();
                assert!(said.contains("Hero"), "{said}");
                let part = Selection::<old::Game>::of::<old::Hero>().save(&game).unwrap();
                let into = Selection::<new::Game>::of::<new::Hero>();
                into.merge(&mut new::Game::new(), &part, Replica::new()).unwrap_err();
                assert_ne!(old::Game::schema().unwrap(), new::Game::schema().unwrap());
                assert_eq!(old::Game::load(&bytes).unwrap().get::<old::Hero>(hero).unwrap().mana, 99);
            }
        }
    )*};
}

#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Coloured {
    colour: Hex,
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Aliased {
    #[serde(alias = "color", alias = "paint")]
    colour: Hex,
    #[serde(alias = "more")]
    rest: Vec<Aliased>,
}

exchanged! {
    behind_a_number level: u8 = 3;
    behind_a_checked_text colour: Hex = Hex(7);
    behind_two_checked_texts colours: (Hex, Hex) = (Hex(7), Hex(8));
    behind_a_struct_with_a_checked_text coloured: Coloured = Coloured { colour: Hex(7) };
    behind_a_list_of_checked_texts colours: Vec<Option<Hex>> = vec![Some(Hex(7)), None];
    behind_fields_with_aliases aliased: Aliased = Aliased { colour: Hex(1), rest: vec![] };
    behind_a_large_array matrix: [[f32; 32]; 32] = [[1.0; 32]; 32];
    behind_a_large_array_of_enums slots: [[Slot<Hex>; 32]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| Slot::Empty));
}
