//! `derive(Reflect)`: values are written and read as those of serde's derives, and no value is left
//! behind.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;
use ecs::save::LoadError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A type that has no `Reflect`.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Default)]
enum Metal {
    #[default]
    Iron,
    Alloy {
        parts: u8,
    },
}

/// The same types with the derives of this library and with those of serde, whose attributes have
/// the same options. Gives the JSON of some values, and a file of a world with them.
macro_rules! written_by {
    ($helper:ident; $($derive:ident),*) => {{
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        struct Named {
            r#type: i8,
            #[$helper(rename = "most")]
            max: Option<u64>,
            #[$helper(skip)]
            cache: Vec<u8>,
            #[$helper(default)]
            text: String,
            metal: Metal,
            letter: char,
            nothing: (),
        }
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        struct Newtype(f32);
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        struct Pair(i64, #[$helper(skip)] u16, [Newtype; 2]);
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        struct Nothing();
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        struct Empty {}
        #[derive($($derive,)* Clone, Debug, PartialEq, Default)]
        #[$helper(rename = "Void")]
        struct Unit;
        #[derive($($derive,)* Clone, Debug, PartialEq)]
        enum Shape {
            Point,
            #[$helper(rename = "Ball")]
            Circle(f64),
            Line(Pair, #[$helper(skip)] u8, Unit),
            Tree { left: Box<Shape>, right: Option<Box<Shape>>, #[$helper(skip)] depth: u32 },
            Group(Vec<Shape>),
            None {},
        }
        #[derive($($derive,)* Clone, Debug, PartialEq)]
        struct Grid<T> {
            cells: [T; 2],
            by_name: BTreeMap<String, T>,
        }
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct All {
            named: Named,
            pair: Pair,
            nothing: (Nothing, Empty, Unit),
            shapes: Vec<Shape>,
            grid: Grid<Shape>,
            owner: Entity,
        }
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct Plain { x: f32, #[$helper(skip)] y: f32 }
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct Even { x: f32, y: [u16; 2], z: i128 }
        #[derive(Resource, $($derive,)* Clone, Debug, PartialEq)]
        enum Phase { Day, Night(u8) }

        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct Level {
            grid: Grid<Newtype>,
            pair: Pair,
            doors: Vec<Door>,
            by_number: BTreeMap<u8, (Option<Entity>, Door)>,
        }
        #[derive($($derive,)* Clone, Debug, PartialEq)]
        enum Door { Open, Closed { key: Option<String> }, To(Entity), Two(u8, [bool; 2]) }

        // types without parts of serde, which do not contain themselves: their layouts are those of
        // serde
        world! {
            #[derive(Serialize, Deserialize)]
            struct Small { components { Level, Plain, Even } }
        }

        // a function's items have the path of its module, so that both worlds give the same ids
        world! {
            #[derive(Serialize, Deserialize)]
            struct Game {
                components { All, Plain, Even }
                resources { phase: Phase = Phase::Day }
            }
        }

        let mut game = Game::new();
        let first = game.spawn((Plain { x: 1.0, y: 2.0 }, Even { x: 3.0, y: [4, 5], z: i128::MIN }));
        let leaf = Shape::Line(Pair(-1, 2, [Newtype(0.5), Newtype(-0.0)]), 7, Unit);
        let tree = Shape::Tree { left: Box::new(leaf.clone()), right: Some(Box::new(Shape::Circle(0.1))), depth: 3 };
        let all = All {
            named: Named {
                r#type: -3,
                max: Some(u64::MAX),
                cache: vec![1],
                text: "\u{e4}\"\n".into(),
                metal: Metal::Alloy { parts: 2 },
                letter: '\u{1f980}',
                nothing: (),
            },
            pair: Pair(i64::MIN, 3, [Newtype(1.5), Newtype(f32::MAX)]),
            nothing: (Nothing(), Empty {}, Unit),
            shapes: vec![Shape::Point, leaf, tree.clone(), Shape::Group(vec![tree.clone(); 3]), Shape::None {}],
            grid: Grid { cells: [Shape::Point, tree], by_name: [("a".to_owned(), Shape::Circle(2.0))].into() },
            owner: first,
        };
        let second = game.spawn(all.clone());
        *game.resource_mut::<Phase>() = Phase::Night(4);

        let mut small = Small::new();
        let owner = small.spawn((Plain { x: 1.0, y: 2.0 }, Even { x: 3.0, y: [4, 5], z: 6 }));
        small.spawn(Level {
            grid: Grid { cells: [Newtype(1.0), Newtype(2.0)], by_name: BTreeMap::new() },
            pair: all.pair.clone(),
            doors: vec![Door::Open, Door::Closed { key: None }, Door::To(owner), Door::Two(1, [true, false])],
            by_number: [(3, (Some(owner), Door::Closed { key: Some("k".into()) }))].into(),
        });
        let small = small.to_bytes().unwrap();

        let json = serde_json::to_string(&all).unwrap();
        let file = game.to_bytes().unwrap();
        let loaded = Game::load(&file).unwrap();
        let of_json: All = serde_json::from_str(&json).unwrap();
        assert_eq!(loaded.get::<All>(second), Some(&of_json));
        assert_eq!((of_json.named.cache.len(), of_json.pair.1), (0, 0), "a skipped field has its default");
        assert_eq!(of_json.shapes[0..1], all.shapes[0..1]);
        assert_eq!(loaded.get::<Plain>(first), Some(&Plain { x: 1.0, y: 0.0 }));
        assert_eq!(loaded.get::<Even>(first), game.get::<Even>(first));
        assert_eq!(loaded.resource::<Phase>(), &Phase::Night(4));
        let text = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<Game>(&text).unwrap().to_bytes().unwrap(), file);
        // the functions that were compiled with the library do the same, errors included
        assert_eq!(game.to_json().unwrap(), serde_json::to_string_pretty(&game).unwrap());
        assert_eq!(Game::from_json(&text).unwrap().to_bytes().unwrap(), file);
        for cut in (0..text.len()).step_by(101).filter(|&cut| text.is_char_boundary(cut)) {
            let ours = Game::from_json(&text[..cut]).err().map(|error| error.to_string());
            let other = serde_json::from_str::<Game>(&text[..cut]).err().map(|error| error.to_string());
            assert!(ours.is_some() && ours == other, "{ours:?}, not {other:?}");
        }
        assert!(Game::from_json(&format!("{text} 7")).unwrap_err().to_string().contains("trailing"));
        let in_ron: All = ron::from_str(&ron::to_string(&all).unwrap()).unwrap();
        assert_eq!(in_ron, of_json);

        // before it are the layouts, of which those of types that contain themselves are shorter
        // for described types
        let text = text[text.find("\"entities\"").unwrap()..].to_owned();
        (json, small, text, ron::to_string(&all).unwrap(), errors::<(Named, Shape, Pair, Grid<Newtype>)>())
    }};
}

/// The errors of texts that are wrong, and what the others are read as.
fn errors<T: DeserializeOwned + Debug>() -> Vec<String> {
    let named = r#"{"type":1,"most":null,"text":"","metal":"Iron","letter":"a","nothing":null}"#;
    let grid = r#"{"cells":[1.0,2.0],"by_name":{"a":2.0}}"#;
    let tuples = [
        (named, r#""Point""#, "[1,[2,3]]", grid),
        (
            r#"{"type":1,"metal":"Iron","letter":"a","nothing":null,"other":[{}]}"#,
            r#""Point""#,
            "[1,[2,3]]",
            grid,
        ),
        (r#"{"most":3,"metal":"Iron","letter":"a","nothing":null}"#, r#""Point""#, "[1,[2,3]]", grid),
        (r#"{"type":1,"type":2}"#, r#""Point""#, "[1,[2,3]]", grid),
        (r#"{"type":300}"#, r#""Point""#, "[1,[2,3]]", grid),
        (r#"{"type":1,"most":3,"metal":"Gold"}"#, r#""Point""#, "[1,[2,3]]", grid),
        (r#"{"type":1,"cache":[3]}"#, r#""Point""#, "[1,[2,3]]", grid),
        (r#"[1,2,"a","Iron","b",null]"#, r#""Point""#, "[1,[2,3]]", grid),
        (r"[1,2]", r#""Point""#, "[1,[2,3]]", grid),
        ("3", r#""Point""#, "[1,[2,3]]", grid),
        (named, r#""Circle""#, "[1,[2,3]]", grid),
        (named, r#"{"Ball":0.5}"#, "[1,[2,3]]", grid),
        (named, r#"{"Ball":"a"}"#, "[1,[2,3]]", grid),
        (named, r#"{"Ball":[0.5]}"#, "[1,[2,3]]", grid),
        (named, r#"{"Point":1}"#, "[1,[2,3]]", grid),
        (named, r#"{"Point":null}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":{"left":"Point","left":"Point"}}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":{"right":"Point"}}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":{"left":"Point"}}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":{"left":"Point","depth":9}}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":["Point",null]}"#, "[1,[2,3]]", grid),
        (named, r#"{"Tree":["Point"]}"#, "[1,[2,3]]", grid),
        (named, r#"{"Line":[[1,[2,3]]]}"#, "[1,[2,3]]", grid),
        (named, r#"{"Line":[[1,[2,3]],null,null]}"#, "[1,[2,3]]", grid),
        (named, r#"{"Line":3}"#, "[1,[2,3]]", grid),
        (named, r#"{"Group":[{"Group":["Points"]}]}"#, "[1,[2,3]]", grid),
        (named, "{}", "[1,[2,3]]", grid),
        (named, "7", "[1,[2,3]]", grid),
        (named, r#""Point""#, "[1]", grid),
        (named, r#""Point""#, "[1,[2]]", grid),
        (named, r#""Point""#, "[1,[2,3,4]]", grid),
        (named, r#""Point""#, "[1,[2,3],4]", grid),
        (named, r#""Point""#, "{}", grid),
        (named, r#""Point""#, "[1,[2,3]]", r#"{"cells":[],"by_name":{}}"#),
        (named, r#""Point""#, "[1,[2,3]]", r#"{"cells":[1,2],"by_name":{"a":"b"}}"#),
        (named, r#""Point""#, "[1,[2,3]]", r#"{"cells":[1,2],"by_name":[]}"#),
        (named, r#""Point""#, "[1,[2,3]]", r#"{"cells":[1,2]}"#),
    ];
    let texts = tuples.map(|(a, b, c, d)| format!("[{a},{b},{c},{d}]"));
    texts.iter().map(|text| format!("{text}: {:?}", serde_json::from_str::<T>(text))).collect()
}

#[test]
fn values_are_written_and_read_as_by_the_derives_of_serde() {
    let own = written_by!(reflect; Reflect);
    let of_serde = written_by!(serde; Serialize, Deserialize);
    assert_eq!(own.0, of_serde.0);
    assert!(own.1 == of_serde.1, "the compact form");
    assert_eq!(own.2, of_serde.2);
    assert_eq!(own.3, of_serde.3);
    for (own, of_serde) in own.4.iter().zip(&of_serde.4) {
        assert_eq!(own, of_serde);
    }
}

thread_local! {
    static ALIVE: Cell<isize> = const { Cell::new(0) };
    /// The number of values after which making one panics.
    static LEFT: Cell<isize> = const { Cell::new(isize::MAX) };
}

/// A value that counts.
#[derive(Reflect, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(check = Counted::is_small)]
struct Counted {
    number: u32,
    alive: Alive,
}

/// Has no form but exists once for each value.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Alive(());

impl Serialize for Alive {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(0)
    }
}

impl<'de> Deserialize<'de> for Alive {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer)?;
        Ok(Alive::default())
    }
}

impl Default for Alive {
    fn default() -> Self {
        let left = LEFT.get();
        LEFT.set(left - 1);
        assert!(left > 0, "no more values");
        ALIVE.set(ALIVE.get() + 1);
        Alive(())
    }
}

impl Clone for Alive {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// Text with a value that counts.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Word(String, Alive);

impl Serialize for Word {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(String::deserialize(deserializer)?, Alive::default()))
    }
}

impl Counted {
    fn new(number: u32) -> Self {
        Self { number, alive: Alive::default() }
    }

    fn is_small(&self) -> Result<(), String> {
        match self.number {
            13 => panic!("an unlucky number"),
            0..1000 => Ok(()),
            number => Err(format!("{number} is too large")),
        }
    }
}

#[derive(Component, Reflect, Debug, PartialEq)]
struct Holder {
    one: Counted,
    #[reflect(skip)]
    skipped: Alive,
    maybe: Option<Counted>,
    boxed: Box<Counted>,
    many: Vec<Counted>,
    few: [Counted; 2],
    by_number: BTreeMap<u32, Counted>,
    by_word: HashMap<Word, Counted>,
    pair: (Counted, Counted),
    choices: Vec<Choice>,
    #[reflect(default)]
    added: Alive,
}

#[derive(Reflect, Debug, PartialEq)]
enum Choice {
    One(Counted),
    Two(Counted, #[reflect(skip)] Alive, Counted),
    Named { a: Counted, more: Vec<Choice>, b: Box<Counted> },
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Count {
        components { Holder }
    }
}

fn holder() -> Holder {
    let of = Counted::new;
    let inner = Choice::Named { a: of(1), more: vec![Choice::One(of(2))], b: Box::new(of(3)) };
    Holder {
        one: of(4),
        skipped: Alive::default(),
        maybe: Some(of(5)),
        boxed: Box::new(of(6)),
        many: vec![of(7), of(8)],
        few: [of(9), of(10)],
        by_number: [(1, of(11)), (2, of(12))].into(),
        by_word: [(Word("a".to_owned(), Alive::default()), of(15))].into(),
        pair: (of(16), of(17)),
        choices: vec![Choice::Two(of(18), Alive::default(), of(19)), inner],
        added: Alive::default(),
    }
}

/// Runs it, and asserts that as many values live afterwards as before.
#[track_caller]
fn leaving_nothing<R>(input: &[u8], run: impl FnOnce() -> R) {
    let before = ALIVE.get();
    drop(catch_unwind(AssertUnwindSafe(run)));
    assert_eq!(ALIVE.get(), before, "{}", input.escape_ascii());
}

/// Calls it with the value as JSON, without `added`, and with how it is read.
fn each_form(mut each: impl FnMut(&[u8], fn(&[u8]) -> Result<(), String>)) {
    let json = serde_json::to_string(&holder()).unwrap().replace(r#","added":0"#, "");
    assert!(json.ends_with(r#"]}"#), "{json}");
    each(json.as_bytes(), |text| match serde_json::from_slice::<Holder>(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    });
    let mut world = Count::new();
    world.spawn(holder());
    let bytes = world.to_bytes().unwrap();
    each(&bytes, |bytes| {
        let mut bytes = bytes.to_vec();
        ecs::__private::save::reseal(&mut bytes);
        match Count::load(&bytes) {
            Ok(_) => Ok(()),
            Err(error) => Err(LoadError::to_string(&error)),
        }
    });
}

#[test]
fn a_value_that_is_cut_off_leaves_nothing_behind() {
    each_form(|bytes, read| {
        for end in 0..bytes.len() {
            leaving_nothing(&bytes[..end], || assert!(read(&bytes[..end]).is_err(), "{end}"));
        }
        leaving_nothing(bytes, || read(bytes).unwrap());
    });
    assert_eq!(ALIVE.get(), 0);
}

#[test]
fn changed_bytes_leave_nothing_behind() {
    each_form(|bytes, read| {
        for at in 0..bytes.len() {
            for change in [1, 2, 0x10, 0x80, 0xff] {
                let mut changed = bytes.to_vec();
                changed[at] ^= change;
                leaving_nothing(&changed, || drop(read(&changed)));
            }
        }
    });
}

#[test]
fn a_panic_in_the_middle_leaves_nothing_behind() {
    each_form(|bytes, read| {
        let mut panics = 0;
        for left in 0.. {
            let mut is_read = false;
            leaving_nothing(bytes, || {
                LEFT.set(left);
                read(bytes).unwrap();
                is_read = true;
            });
            LEFT.set(isize::MAX);
            if is_read {
                break;
            }
            panics += 1;
        }
        assert!(panics > 20, "{panics}");
    });
}

#[test]
fn a_value_that_its_function_refuses_leaves_nothing_behind() {
    for number in 4..=19 {
        let json = serde_json::to_string(&holder()).unwrap();
        let refused = json.replacen(&format!(r#""number":{number},"#), r#""number":1000,"#, 1);
        if refused != json {
            leaving_nothing(refused.as_bytes(), || {
                let error = serde_json::from_str::<Holder>(&refused).unwrap_err().to_string();
                assert!(error.contains("1000 is too large"), "{error}");
            });
        }
        let panics = json.replacen(&format!(r#""number":{number},"#), r#""number":13,"#, 1);
        leaving_nothing(panics.as_bytes(), || serde_json::from_str::<Holder>(&panics));
    }
}

#[test]
fn a_default_is_a_function_or_that_of_the_type() {
    fn full() -> i32 {
        9
    }
    #[derive(Reflect, Debug, PartialEq)]
    struct Health<T> {
        #[reflect(default = full)]
        now: i32,
        #[reflect(default = Self::most)]
        max: i32,
        #[reflect(skip, default = Vec::new)]
        log: Vec<T>,
        #[reflect(default)]
        extra: Option<T>,
    }
    impl<T> Health<T> {
        fn most() -> i32 {
            11
        }
    }
    let read = serde_json::from_str::<Health<u8>>("{}").unwrap();
    assert_eq!(read, Health { now: 9, max: 11, log: Vec::new(), extra: None });
    assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"now":9,"max":11,"extra":null}"#);

    #[derive(Reflect, Debug, PartialEq)]
    struct Pair(u8, #[reflect(default)] u8, #[reflect(default = ten)] u8);
    fn ten() -> u8 {
        10
    }
    assert_eq!(serde_json::from_str::<Pair>("[1]").unwrap(), Pair(1, 0, 10));
    assert_eq!(serde_json::from_str::<Pair>("[1,2]").unwrap(), Pair(1, 2, 10));
    assert_eq!(serde_json::to_string(&Pair(1, 2, 3)).unwrap(), "[1,2,3]");
}

#[test]
fn any_name_and_place_is_possible() {
    /// The names of the library and of the expansion belong to the user.
    #[allow(non_camel_case_types, dead_code)]
    mod names {
        use ecs::Reflect;

        pub(super) struct value {}
        pub(super) fn each() {}
        #[derive(Reflect, Debug, PartialEq)]
        #[reflect(check = check)]
        pub(super) struct Option {
            pub(super) to: u8,
            #[reflect(skip, default = field)]
            pub(super) field: u8,
        }
        #[derive(Reflect, Debug, PartialEq)]
        pub(super) enum Result {
            Ok(Option),
            r#Self_ { r#match: Hidden },
        }
        #[derive(Reflect, Debug, PartialEq)]
        pub(super) struct Hidden(pub(super) ());
        fn check(_: &Option) -> std::result::Result<(), &'static str> {
            std::result::Result::Ok(())
        }
        fn field() -> u8 {
            3
        }
    }
    use names::{Hidden, Option, Result};
    let texts = [r#"{"Ok":{"to":1}}"#, r#"{"Self_":{"match":null}}"#];
    let read = texts.map(|text| serde_json::from_str::<Result>(text).unwrap());
    let expected = [Result::Ok(Option { to: 1, field: 3 }), Result::Self_ { r#match: Hidden(()) }];
    assert_eq!(read, expected);
    assert_eq!(expected.map(|value| serde_json::to_string(&value).unwrap()), texts);
}

#[test]
fn an_enum_without_variants_is_never_read() {
    #[derive(Reflect, Debug, PartialEq)]
    enum Never {}
    assert!(serde_json::from_str::<Never>(r#""A""#).unwrap_err().to_string().contains("unknown variant `A`"));
    assert_eq!(serde_json::from_str::<Vec<Never>>("[]").unwrap(), []);
}
