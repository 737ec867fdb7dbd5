//! Trees of values: what goes in comes out.

use std::collections::BTreeMap;
use std::fmt::Debug;

use ecs::Entity;
use ecs::reflect::DynamicValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Nothing,
    Dot(u8),
    Line(i8, i8),
    Box { wide: f32, high: f64 },
    Unit(()),
    Nested(Box<Shape>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "type")]
enum Tagged {
    A { of: Entity },
    B,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Untagged {
    Id(Entity),
    Text(String),
    Number(i64),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Newtype(Vec<u8>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, i32>,
}

/// Through the tree, and through JSON of the tree.
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T) {
    let tree = DynamicValue::of(&value).unwrap();
    assert_eq!(tree.to::<T>().as_ref(), Ok(&value), "{tree}");
    let json = serde_json::to_string(&tree).unwrap();
    let read: DynamicValue = serde_json::from_str(&json).unwrap();
    assert_eq!(read.to::<T>().as_ref(), Ok(&value), "{json}");
}

#[test]
fn every_kind_of_value_comes_back() {
    let entity = Entity::from_bits(0x0007_0003_0000_000c).unwrap();
    there_and_back(());
    there_and_back((true, 'x', String::from("text"), -1_i8, u64::MAX));
    there_and_back((u128::MAX.to_string(), i64::MIN));
    there_and_back([1.5_f32, -0.0, f32::MIN_POSITIVE, f32::INFINITY]);
    there_and_back([0.1_f64, f64::MAX, f64::NEG_INFINITY]);
    there_and_back(String::from("$NaN"));
    there_and_back((entity, vec![entity], Some(entity), None::<Entity>));
    there_and_back(BTreeMap::from([(1_u32, 'a'), (2, 'b')]));
    there_and_back(BTreeMap::from([(entity, 1)]));
    there_and_back(BTreeMap::from([(String::from("1"), Some(2)), (String::from("x"), None)]));
    there_and_back((Some(()), Some(None::<u8>), None::<Option<u8>>, Some(Some(2)), String::from("$Some")));
    there_and_back([Some(Some(None)), Some(Some(Some(()))), Some(None), None]);
    there_and_back(std::net::IpAddr::from([127, 0, 0, 1]));
    there_and_back(std::time::Duration::from_millis(1500));
    there_and_back(Newtype(vec![1, 2]));
    there_and_back(Flat { a: 1, rest: BTreeMap::from([("b".into(), 2)]) });
    for shape in [
        Shape::Nothing,
        Shape::Dot(3),
        Shape::Line(-1, 2),
        Shape::Box { wide: 0.1, high: 0.2 },
        Shape::Unit(()),
        Shape::Nested(Box::new(Shape::Nested(Box::new(Shape::Nothing)))),
    ] {
        there_and_back(shape);
    }
    there_and_back([Tagged::A { of: entity }, Tagged::B]);
    there_and_back([Untagged::Id(entity), Untagged::Text("x".into()), Untagged::Number(-3)]);
}

#[test]
fn numbers_keep_their_bits() {
    for bits in [0x7fc0_0000, 0xffc0_0001, 0x8000_0000, 1] {
        let tree = DynamicValue::of(&f32::from_bits(bits)).unwrap();
        assert_eq!(tree.to::<f32>().unwrap().to_bits(), bits);
        let read: DynamicValue = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
        assert_eq!(read.to::<f32>().unwrap().to_bits(), bits);
    }
    assert_eq!(DynamicValue::of(&u128::MAX).unwrap().to(), Ok(u128::MAX));
    assert_eq!(DynamicValue::of(&i128::MIN).unwrap().to(), Ok(i128::MIN));
}

#[test]
fn an_id_is_told_from_text() {
    let entity = Entity::from_bits(0x0007_0003_0000_000c).unwrap();
    assert_eq!(DynamicValue::of(&entity), Ok(DynamicValue::EntityId(entity)));
    assert_eq!(DynamicValue::of("12v3@7"), Ok(DynamicValue::Text("12v3@7".into())));
    assert_eq!(DynamicValue::from("12v3@7").to::<Entity>(), Ok(entity));
    let error = DynamicValue::from("12").to::<Entity>().unwrap_err();
    assert!(error.contains("`12` is not an id"), "{error}");
    // the mode ends with the call
    assert_eq!(serde_json::to_string(&entity).unwrap(), "\"12v3@7\"");
}

#[test]
fn a_mistake_has_a_path() {
    let tree: DynamicValue =
        serde_json::from_str(r#"{ "a": [{ "Box": { "wide": 1, "high": "tall" } }] }"#).unwrap();
    let error = tree.to::<BTreeMap<String, Vec<Shape>>>().unwrap_err();
    assert_eq!(error, "`.a[0].Box.high`: invalid type: string \"tall\", expected f64");
    let error = DynamicValue::from(vec![1.into(), 2.into(), 3.into()]).to::<(u8, u8)>().unwrap_err();
    assert_eq!(error, "the list has 1 elements too many: 2 are expected");
    let error = DynamicValue::from("Sphere").to::<Shape>().unwrap_err();
    assert!(error.starts_with("unknown variant `Sphere`, expected one of `Nothing`, `Dot`"), "{error}");
}

/// A type that ignores an error of its first field, but not of its second.
#[derive(Debug)]
struct Lenient;
impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> serde::de::Visitor<'de> for Fields {
            type Value = Lenient;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("two fields")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Lenient, A::Error> {
                map.next_key::<String>()?;
                let _ignored = map.next_value::<u8>();
                map.next_key::<String>()?;
                map.next_value::<u8>().map(|_| Lenient)
            }
        }
        from.deserialize_map(Fields)
    }
}

#[test]
fn an_error_that_a_type_ignores_is_not_in_the_path_of_another() {
    let value: DynamicValue = serde_json::from_str(r#"{ "a": "x", "b": "y" }"#).unwrap();
    let error = value.to::<Lenient>().unwrap_err();
    assert!(error.starts_with("`.b`: invalid type: string \"y\""), "{error}");
    let value: DynamicValue = serde_json::from_str(r#"{ "a": "x", "b": 3 }"#).unwrap();
    assert!(value.to::<Lenient>().is_ok());
}

#[test]
fn a_deep_value_is_refused() {
    // `serde_json` has a limit of its own; this one holds for every format
    let mut deep = DynamicValue::Unit;
    for _ in 0..1000 {
        deep = DynamicValue::List(vec![deep]);
    }
    let text = ron::to_string(&deep).unwrap_err();
    drop(text);
    let text = "[".repeat(200);
    assert!(serde_json::from_str::<DynamicValue>(&text).is_err());
}

#[test]
fn values_are_equal_if_kind_and_bits_are() {
    let text = |text: &str| DynamicValue::Text(text.into());
    let all = [
        DynamicValue::Unit,
        DynamicValue::Bool(false),
        DynamicValue::Bool(true),
        DynamicValue::Int(0),
        DynamicValue::Int(1),
        DynamicValue::Uint(u128::MAX),
        DynamicValue::Uint(u128::MAX - 1),
        DynamicValue::F32(0.0),
        DynamicValue::F32(-0.0),
        DynamicValue::F32(f32::NAN),
        DynamicValue::F64(0.0),
        DynamicValue::F64(-0.0),
        DynamicValue::F64(f64::NAN),
        DynamicValue::Char('a'),
        DynamicValue::Char('b'),
        text("a"),
        text("b"),
        DynamicValue::Bytes(vec![1]),
        DynamicValue::Bytes(vec![2]),
        DynamicValue::Optional(None),
        DynamicValue::Optional(Some(Box::new(text("a")))),
        DynamicValue::Optional(Some(Box::new(text("b")))),
        DynamicValue::List(vec![]),
        DynamicValue::List(vec![text("a")]),
        DynamicValue::Mapping(vec![]),
        DynamicValue::Mapping(vec![(text("a"), text("b"))]),
        DynamicValue::Struct(vec![]),
        DynamicValue::Struct(vec![("a".into(), text("b"))]),
        DynamicValue::Variant("a".into(), Box::new(DynamicValue::Unit)),
        DynamicValue::Variant("a".into(), Box::new(text("b"))),
        DynamicValue::Variant("b".into(), Box::new(text("b"))),
    ];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            assert_eq!(a == &b.clone(), i == j, "{a:?}, {b:?}");
        }
    }
}

#[test]
fn a_variant_is_read_from_its_name_or_from_a_map_with_one_entry() {
    let text = |text: &str| DynamicValue::Text(text.into());
    let dot = || DynamicValue::Int(7);
    let map = |entries| DynamicValue::Mapping(entries);
    assert_eq!(map(vec![(text("Dot"), dot())]).to::<Shape>(), Ok(Shape::Dot(7)));
    assert_eq!(DynamicValue::Struct(vec![("Dot".into(), dot())]).to::<Shape>(), Ok(Shape::Dot(7)));
    assert_eq!(DynamicValue::Variant("Dot".into(), Box::new(dot())).to::<Shape>(), Ok(Shape::Dot(7)));
    assert_eq!(text("Nothing").to::<Shape>(), Ok(Shape::Nothing));
    let wrong = [
        map(vec![]),
        map(vec![(text("Dot"), dot()), (text("Line"), dot())]),
        map(vec![(dot(), dot())]),
        DynamicValue::Struct(vec![]),
        text("Dot"),
    ];
    for value in wrong {
        assert!(value.to::<Shape>().is_err(), "{value}");
    }
}

/// A type that asks for text with `deserialize_str`, as names do.
#[derive(PartialEq, Debug)]
struct Word(String);
impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Word;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a word")
            }
            fn visit_str<E>(self, text: &str) -> Result<Word, E> {
                Ok(Word(text.into()))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

#[test]
fn text_is_read_from_a_variant_without_content() {
    let variant = |content| DynamicValue::Variant("Nothing".into(), Box::new(content));
    assert_eq!(variant(DynamicValue::Unit).to::<Word>(), Ok(Word("Nothing".into())));
    assert_eq!(DynamicValue::Text("Nothing".into()).to::<Word>(), Ok(Word("Nothing".into())));
    assert!(variant(DynamicValue::Int(7)).to::<Word>().is_err());
}

#[test]
fn a_number_that_no_f32_holds_is_refused() {
    for number in [1e308, -1e308, 3.5e38] {
        let error = DynamicValue::F64(number).to::<f32>().unwrap_err();
        assert!(error.contains("too large for an f32"), "{error}");
    }
    assert_eq!(DynamicValue::F64(3e38).to::<f32>(), Ok(3e38));
    assert_eq!(DynamicValue::F64(f64::INFINITY).to::<f32>(), Ok(f32::INFINITY));
    assert_eq!(DynamicValue::F64(1e308).to::<f64>(), Ok(1e308));
}
