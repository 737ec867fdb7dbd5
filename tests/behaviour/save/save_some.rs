//! `Some` of nothing in the readable form: `()`, unit structs and `None` within options.

use std::collections::BTreeMap;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Locked;
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Newtype<T>(T);
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Kind {
    Unit,
    One(Option<()>),
    Two(u8, Option<Option<u8>>),
    Named { lock: Option<Locked> },
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Point {
    x: f32,
    label: String,
}
type Numbers = (f32, f64, i64, Newtype<u64>);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Door {
    unit: Option<()>,
    lock: Option<Locked>,
    newtype: Option<Newtype<()>>,
    inner: Option<Newtype<Option<u8>>>,
    nested: Option<Option<u32>>,
    deep: Option<Option<Option<Option<Locked>>>>,
    list: Vec<Option<Option<()>>>,
    map: BTreeMap<String, Option<Locked>>,
    boxed: Option<Box<Option<String>>>,
    kinds: Vec<Kind>,
    point: Option<Option<Point>>,
    kind: Option<Option<Kind>>,
    numbers: Option<Option<Numbers>>,
    id: Option<Option<Entity>>,
    bytes: Option<Option<Vec<u8>>>,
    letter: Option<Option<char>>,
    text: Option<String>,
}
/// Serde keeps its values until the variant is known.
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Loose {
    Lock { is_lock: bool, lock: Option<Locked>, nested: Option<Option<u8>> },
    Text { text: Option<String>, words: Vec<String> },
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    #[serde(flatten)]
    inner: Inner,
    first: u8,
}
#[derive(Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Inner {
    lock: Option<Locked>,
    nested: Option<Option<Option<u8>>>,
    text: String,
}
#[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Open(Option<Option<()>>);
#[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Rang(Option<Locked>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct House {
        components { Door, Loose, Flat }
        resources { open: Open = Open::default() }
        events { Rang(external) }
    }
    schedule tick { ring }
}

#[system(House)]
fn ring(mut rings: EventWriter<Rang>, mut last: Local<Option<Option<()>>>) {
    rings.send(Rang(Some(Locked)));
    *last = Some(None);
}

fn doors() -> Vec<Door> {
    let deep = [None, Some(None), Some(Some(None)), Some(Some(Some(None))), Some(Some(Some(Some(Locked))))];
    let mut doors: Vec<Door> = deep.map(|deep| Door { deep, ..Door::default() }).into();
    doors.push(Door {
        unit: Some(()),
        lock: Some(Locked),
        newtype: Some(Newtype(())),
        inner: Some(Newtype(None)),
        nested: Some(None),
        deep: None,
        list: vec![None, Some(None), Some(Some(()))],
        map: [("some".to_owned(), Some(Locked)), ("none".to_owned(), None)].into(),
        boxed: Some(Box::new(None)),
        kinds: vec![
            Kind::Unit,
            Kind::One(Some(())),
            Kind::Two(1, Some(None)),
            Kind::Named { lock: Some(Locked) },
        ],
        point: Some(None),
        kind: Some(None),
        numbers: Some(None),
        id: Some(None),
        bytes: Some(None),
        letter: Some(None),
        text: Some("$Some".into()),
    });
    let filled = Door {
        inner: Some(Newtype(Some(7))),
        nested: Some(Some(u32::MAX)),
        boxed: Some(Box::new(Some("$Some(Some)".into()))),
        point: Some(Some(Point { x: f32::NAN, label: "$NaN".into() })),
        numbers: Some(Some((f32::NEG_INFINITY, 0.1, i64::MIN, Newtype(u64::MAX)))),
        bytes: Some(Some(vec![1, 2])),
        letter: Some(Some('$')),
        text: Some("$$Some".into()),
        ..Door::default()
    };
    let kinds = [Kind::Unit, Kind::One(Some(())), Kind::Two(1, Some(Some(2))), Kind::Named { lock: None }];
    doors.extend(kinds.map(|kind| Door { kind: Some(Some(kind)), ..filled.clone() }));
    doors
}

fn house() -> (House, Vec<Entity>) {
    let mut house = House::new();
    let mut ids: Vec<Entity> = house.spawn_batch(doors()).collect();
    let id = Door { id: Some(Some(ids[0])), ..Door::default() };
    ids.push(house.spawn(id));
    for (lock, nested) in [(None, None), (Some(Locked), Some(None)), (None, Some(Some(1)))] {
        let inner = Inner { lock, nested: Some(nested), text: "$Some".into() };
        ids.push(house.spawn((Loose::Lock { is_lock: true, lock, nested }, Flat { inner, first: 1 })));
    }
    let text =
        |text: &str| Loose::Text { text: Some(text.into()), words: vec![text.into(), "$Some(Some)".into()] };
    ids.extend(["$Some", "$$Some", "plain"].map(|word| house.spawn(text(word))));
    house.open = Open(Some(None));
    house.tick();
    (house, ids)
}

/// A NaN is not equal to itself, but its text is.
fn assert_equal(loaded: &House, house: &House, ids: &[Entity], file: &str) {
    for &id in ids {
        let (one, two) = (loaded.get::<Door>(id), house.get::<Door>(id));
        assert_eq!(format!("{one:?}"), format!("{two:?}"), "{file}");
        assert_eq!(loaded.get::<Loose>(id), house.get::<Loose>(id), "{file}");
        assert_eq!(loaded.get::<Flat>(id), house.get::<Flat>(id), "{file}");
    }
    assert_eq!(loaded.open, house.open);
    // with events and locals
    assert_eq!(serde_json::to_string(loaded).unwrap(), serde_json::to_string(house).unwrap());
}

#[test]
fn some_of_nothing_is_not_none_in_json() {
    let (house, ids) = house();
    let text = serde_json::to_string(&house).unwrap();
    assert!(
        text.contains(r#""nested":"$Some""#) && text.contains(r#""deep":"$Some(Some(Some(Some)))""#),
        "{text}"
    );
    assert_equal(&serde_json::from_str(&text).unwrap(), &house, &ids, &text);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_equal(&serde_json::from_value(value).unwrap(), &house, &ids, &text);
}

#[test]
fn some_of_nothing_is_not_none_in_ron() {
    let (mut house, ids) = house();
    let text = ron::to_string(&house).unwrap();
    assert_equal(&ron::from_str(&text).unwrap(), &house, &ids, &text);
    // RON cannot read the name of an untagged type
    ids.iter().for_each(|&id| drop(house.remove::<Loose>(id)));
    let pretty = ron::ser::PrettyConfig::new().struct_names(true);
    let text = ron::ser::to_string_pretty(&house, pretty).unwrap();
    assert_equal(&ron::from_str(&text).unwrap(), &house, &ids, &text);
}

/// As RON was written before, and as a person writes it.
#[test]
fn some_is_read_as_a_format_spells_it() {
    let text = r#"(entities: {"0v1@7": {"Door": (unit: Some(()), lock: Some(Locked), newtype: Some(Newtype(())), inner: Some(Newtype(None)),
        nested: Some(None), deep: Some(Some(Some(Some(Locked)))), list: [None, Some(None), Some(Some(()))], map: {}, boxed: Some(None),
        kinds: [], point: Some(Some((x: 0.5, label: "a"))), kind: Some(Some(Named(lock: Some(Locked)))), numbers: None, id: None,
        bytes: None, letter: None, text: None)}})"#;
    for text in [text.to_owned(), text.replace("Locked", "()").replace("Newtype(", "(")] {
        let house: House = ron::from_str(&text).unwrap();
        let id = house.entities().iter().next().unwrap();
        let door = Door {
            unit: Some(()),
            lock: Some(Locked),
            newtype: Some(Newtype(())),
            inner: Some(Newtype(None)),
            nested: Some(None),
            deep: Some(Some(Some(Some(Locked)))),
            list: vec![None, Some(None), Some(Some(()))],
            boxed: Some(Box::new(None)),
            point: Some(Some(Point { x: 0.5, label: "a".into() })),
            kind: Some(Some(Kind::Named { lock: Some(Locked) })),
            ..Door::default()
        };
        assert_eq!(house.get::<Door>(id), Some(&door));
    }
}

#[test]
fn a_text_that_is_not_expected_is_an_error_with_its_place() {
    let (house, _) = house();
    let text = serde_json::to_string_pretty(&house).unwrap();
    for (from, to) in [
        (r#""unit": "$Some""#, r#""unit": "$Some(Some)""#),
        (r#""unit": "$Some""#, r#""unit": "other""#),
        (r#""nested": "$Some""#, r#""nested": "other""#),
        (r#""nested": "$Some""#, r#""nested": {}"#),
        (r#""nested": "$Some""#, r#""nested": -1"#),
        (r#""label": "$$NaN""#, r#""label": "$Some", "more": ]"#),
    ] {
        assert!(text.contains(from), "{from}");
        let error = serde_json::from_str::<House>(&text.replacen(from, to, 1)).map(drop).unwrap_err();
        assert!(error.line() > 10, "{to}: {error}");
    }
}

mod nested {
    //! More than two options around a value, in a type that serde reads and in one that is
    //! described.

    use std::fmt::Debug;

    use ecs::prelude::*;
    use ecs::{Bundle, Has};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    struct Tower<T>(Option<Option<Option<T>>>);
    #[derive(Component, Clone, Reflect, PartialEq, Debug)]
    struct Keep<T>(Option<Option<Option<T>>>);
    #[derive(Component, Clone, Reflect, PartialEq, Debug)]
    struct Chain(Option<Box<Chain>>);

    world! {
        #[derive(Serialize, Deserialize)]
        struct Castle {
            components { Tower<u8>, Tower<String>, Tower<Vec<()>>, Keep<u8>, Keep<String>, Keep<Vec<()>>, Chain }
        }
    }

    /// Asserts that a value is read as it was written, and that JSON contains this text for it.
    fn assert_kept<T: Component + Bundle<Castle> + Clone + PartialEq + Debug>(value: &T, written: &str)
    where
        Castle: Has<T>,
    {
        let mut castle = Castle::new();
        let id = castle.spawn(value.clone());
        let json = serde_json::to_string(&castle).unwrap();
        assert!(json.contains(&format!(":{written}}}")), "{written} for {value:?} in {json}");
        let (of_json, of_ron): (Castle, Castle) =
            (serde_json::from_str(&json).unwrap(), ron::from_str(&ron::to_string(&castle).unwrap()).unwrap());
        assert_eq!((of_json.get::<T>(id), of_ron.get::<T>(id)), (Some(value), Some(value)));
    }

    fn assert_both<T>(values: [(Option<Option<Option<T>>>, &str); 4])
    where
        T: Clone,
        Tower<T>: Component + Bundle<Castle> + Clone + PartialEq + Debug,
        Keep<T>: Component + Bundle<Castle> + Clone + PartialEq + Debug,
        Castle: Has<Tower<T>> + Has<Keep<T>>,
    {
        for (value, written) in values {
            assert_kept(&Tower(value.clone()), written);
            assert_kept(&Keep(value), written);
        }
    }

    #[test]
    fn all_options_around_a_value_are_kept() {
        let nothing = [(None, "null"), (Some(None), r#""$Some""#), (Some(Some(None)), r#""$Some(Some)""#)];
        let [none, one, two] = nothing;
        assert_both([none, one, two, (Some(Some(Some(7))), "7")]);
        let text = Some(Some(Some("$Some".to_owned())));
        assert_both([(None, none.1), (Some(None), one.1), (Some(Some(None)), two.1), (text, r#""$$Some""#)]);
        let list = Some(Some(Some(vec![()])));
        assert_both([(None, none.1), (Some(None), one.1), (Some(Some(None)), two.1), (list, "[null]")]);
    }

    /// In time that grows with its length, not with the power of two.
    #[test]
    fn a_chain_of_options_is_written() {
        let chain = (0..60).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))));
        let text = r#"{ "entities": { "0v1@7": { "Chain": 5 } } }"#;
        let said = serde_json::from_str::<Castle>(text).map(drop).unwrap_err().to_string();
        assert!(said.contains("entity 0v1: too many options within each other"), "{said}");
        assert_kept(&chain, &format!("\"${}Some{}\"", "Some(".repeat(59), ")".repeat(59)));
    }

    #[test]
    fn a_chain_that_text_cannot_have_is_refused_when_it_is_written() {
        for length in 60..70 {
            let mut castle = Castle::new();
            castle.spawn((0..length).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain)))));
            match serde_json::to_string(&castle) {
                Ok(text) => assert!(serde_json::from_str::<Castle>(&text).is_ok(), "{length}"),
                Err(error) => assert!(error.to_string().contains("too many options within each other")),
            }
            assert_eq!(serde_json::to_string(&castle).is_ok(), length <= 65, "{length}");
        }
    }

    #[test]
    fn a_delta_takes_chains_of_the_length_that_a_save_takes() {
        use ecs::save::{Replica, Selection};
        let chain = |length| (0..length).fold(Chain(None), |chain, _| Chain(Some(Box::new(chain))));
        let mut longest = 0;
        for length in 90..110 {
            let mut castle = Castle::new();
            castle.spawn(chain(length));
            let saved = castle.to_bytes().ok().map(|bytes| Castle::load(&bytes).is_ok());
            let mut copy = Castle::new();
            let all = Selection::of::<Chain>();
            let sent = all.save(&castle).ok().map(|part| all.merge(&mut copy, &part, Replica::new()).is_ok());
            assert_eq!(saved, sent, "{length}");
            longest = if saved == Some(true) { length } else { longest };
        }
        assert!((95..105).contains(&longest), "{longest}");
    }

    #[test]
    fn a_parameter_may_have_any_name() {
        #[allow(non_camel_case_types)]
        #[derive(Reflect, PartialEq, Debug)]
        struct Odd<__S, __D, __F>(__S, __D, __F);
        let odd = Odd(1_u8, "x".to_owned(), Some(2_i16));
        let text = serde_json::to_string(&odd).unwrap();
        assert_eq!(serde_json::from_str::<Odd<u8, String, Option<i16>>>(&text).unwrap(), odd);
    }
}

#[test]
fn a_text_of_too_many_options_is_an_error() {
    let text = format!("$Some{}{}", "(Some".repeat(1_000_000), ")".repeat(1_000_000));
    let value = format!(r#"{{ "is_lock": true, "lock": null, "nested": "{text}" }}"#);
    let file = format!(r#"{{ "entities": {{ "0v1@7": {{ "Loose": {value} }} }} }}"#);
    let said = serde_json::from_str::<House>(&file).map(drop).unwrap_err().to_string();
    assert!(said.contains("too many options within each other"), "{said}");
}
