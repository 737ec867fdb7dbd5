//! Floats in the human-readable form: each is loaded with the same bits, in any type.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize, Debug)]
struct Narrow(f32);
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
struct Wide {
    one: f64,
    maybe: Option<f64>,
    many: Vec<Option<f32>>,
    by_key: BTreeMap<Key, f32>,
    either: Either,
}
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
#[component(removed)]
struct Gone(f32);
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
struct Text {
    own: String,
    maybe: Option<String>,
    keys: BTreeMap<String, u8>,
}
/// Types that use `deserialize_any`, which only the human-readable form supports.
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
struct Asks {
    free: Free,
    tagged: Tagged,
    #[serde(flatten)]
    rest: BTreeMap<String, Free>,
}
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(untagged)]
enum Free {
    Number(f64),
    Word(String),
    List(Vec<f32>),
}
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(tag = "kind")]
enum Tagged {
    Named { number: f32, word: String },
}
/// A float as a key, ordered by its bits.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
struct Key(f32);
#[derive(Clone, Serialize, Deserialize, Debug)]
enum Either {
    One(f32),
    Two(f32, f64),
    Named { at: f64 },
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}
impl Eq for Key {}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.to_bits().cmp(&other.0.to_bits())
    }
}

#[derive(Resource, Clone, Serialize, Deserialize, Default, Debug)]
struct Heat(f64, Vec<f32>);
#[derive(Event, Clone, Serialize, Deserialize, Debug)]
struct Burst(f32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Lab {
        components { Narrow, Wide, Gone, Text }
        resources { heat: Heat = Heat::default() }
        events { Burst(external) }
    }
    schedule tick { measure }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Ask { components { Asks } }
}

#[system(Lab)]
fn measure(heat: Res<Heat>, mut highest: Local<f32>, mut last: Local<Option<f64>>, gone: Removed<Gone>) {
    *highest = heat.1.first().copied().unwrap_or(0.0);
    *last = Some(heat.0);
    let _ = gone.len();
}

const NARROW: [u32; 17] = [
    0x15ae_43fd, // its decimal text, as an `f64`, is halfway between two `f32` values
    0x7fc0_0000, // NaN
    0xffc0_0000,
    0x7fc0_0001,
    0x7f80_0001, // a signaling NaN
    0xff80_0001,
    0x7fff_ffff,
    0xffff_ffff,
    0x7f80_0000, // infinity
    0xff80_0000,
    0x8000_0000, // -0.0
    0x0000_0000,
    0x0000_0001, // the smallest subnormal
    0x807f_ffff,
    0x7f7f_ffff, // the largest
    0x3dcc_cccd, // 0.1
    0x3f80_0001,
];

fn wide() -> Vec<u64> {
    let own = [
        0x7ff8_0000_0000_0000,
        0xfff8_0000_0000_0000,
        0x7ff8_0000_0000_0001,
        0x7ff0_0000_0000_0001,
        u64::MAX,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        1 << 63,
        0,
        1,
        0x7fef_ffff_ffff_ffff,
        0x3fb9_9999_9999_999a,
        0x3ff0_0000_0000_0001,
    ];
    // numbers of many digits
    let more = (0..200_u64).map(|n| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & !(1 << 62));
    own.into_iter().chain(more).collect()
}

fn lab() -> Lab {
    let mut lab = Lab::new();
    for bits in NARROW {
        let number = f32::from_bits(bits);
        lab.spawn((Narrow(number), Gone(number)));
        lab.send(Burst(number));
    }
    for bits in wide() {
        let number = f64::from_bits(bits);
        let small = f32::from_bits(bits as u32);
        lab.spawn(Wide {
            one: number,
            maybe: Some(number),
            many: vec![Some(small), None, Some(f32::NAN), Some(f32::NEG_INFINITY)],
            by_key: [(Key(small), small), (Key(1.5), 0.25), (Key(f32::INFINITY), -0.0)].into(),
            either: match bits % 3 {
                0 => Either::One(small),
                1 => Either::Two(small, number),
                _ => Either::Named { at: number },
            },
        });
    }
    lab.resource_mut::<Heat>().0 = f64::from_bits(0x7ff8_0000_0000_0123);
    lab.resource_mut::<Heat>().1 = NARROW.map(f32::from_bits).to_vec();
    lab.tick();
    let holders: Vec<Entity> = lab.query::<(Entity, &Gone)>().iter().map(|(entity, _)| entity).collect();
    holders.into_iter().for_each(|entity| drop(lab.remove::<Gone>(entity)));
    lab
}

/// The compact form has the bits themselves.
#[track_caller]
fn assert_same(one: &Lab, other: &Lab) {
    assert_eq!(diff(one, other), []);
    assert!(one.to_bytes().unwrap() == other.to_bytes().unwrap());
}

#[test]
fn nan_and_infinities_come_back_from_json() {
    let lab = lab();
    let text = serde_json::to_string(&lab).unwrap();
    for word in
        ["\"$NaN\"", "\"$inf\"", "\"$-inf\"", "\"$NaN(ffc00000)\"", "\"$NaN(7ff8000000000123)\"", "-0.0"]
    {
        assert!(text.contains(word), "{word}");
    }
    assert_same(&lab, &serde_json::from_str(&text).unwrap());
    assert_same(&lab, &serde_json::from_slice(text.as_bytes()).unwrap());
    assert_same(&lab, &serde_json::from_reader(text.as_bytes()).unwrap());
    assert_same(&lab, &serde_json::from_str(&serde_json::to_string_pretty(&lab).unwrap()).unwrap());
    assert_same(&lab, &serde_json::from_value(serde_json::to_value(&lab).unwrap()).unwrap());
}

#[test]
fn nan_and_infinities_come_back_from_ron() {
    let lab = lab();
    let text = ron::to_string(&lab).unwrap();
    assert_same(&lab, &ron::from_str(&text).unwrap());
    // a file without marks, or written by hand
    let text = r#"(about: (world: "Lab", version: 1), entities: { "0v1@7": { "Narrow": (inf) }, "1v1@7": { "Narrow": (NaN) } })"#;
    let lab: Lab = ron::from_str(text).unwrap();
    let numbers: Vec<f32> = lab.query::<&Narrow>().iter().map(|narrow| narrow.0).collect();
    assert!(numbers[0] == f32::INFINITY && numbers[1].is_nan());
}

#[test]
fn a_merge_keeps_all_bits() {
    let lab = lab();
    let text = serde_json::to_string(&lab).unwrap();
    let mut other = Lab::new();
    other.merge_from(&mut serde_json::Deserializer::from_str(&text), DanglingIds::Refuse).unwrap();
    let bits = |lab: &Lab| lab.query::<&Narrow>().iter().map(|narrow| narrow.0.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&other), NARROW);
    let ones = |lab: &Lab| lab.query::<&Wide>().iter().map(|wide| wide.one.to_bits()).collect::<Vec<_>>();
    assert_eq!(ones(&other), wide());
}

const WORDS: [&str; 9] = ["$NaN", "$inf", "$-inf", "$$NaN", "$$$inf", "$NaN(7fc00001)", "$", "NaN", "$nan"];

/// A text that looks like a marked float is loaded as text.
#[test]
fn text_that_looks_like_a_number_stays_text() {
    let mut lab = Lab::new();
    for word in WORDS {
        let keys = [(String::from(word), 1), (format!("${word}"), 2)].into();
        lab.spawn(Text { own: word.into(), maybe: Some(word.into()), keys });
    }
    assert_same(&lab, &serde_json::from_str(&serde_json::to_string(&lab).unwrap()).unwrap());
    assert_same(&lab, &serde_json::from_value(serde_json::to_value(&lab).unwrap()).unwrap());
    assert_same(&lab, &ron::from_str(&ron::to_string(&lab).unwrap()).unwrap());
}

#[test]
fn types_with_deserialize_any_get_numbers_and_text() {
    let numbers =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::from_bits(0x7ff8_0000_0000_0123), 0.1];
    let free =
        |number: f64| [Free::Number(number), Free::List(vec![f32::NAN, f32::from_bits(0xffc0_0001), 0.5])];
    let words = WORDS.map(|word| Free::Word(word.into()));
    let mut ask = Ask::new();
    for (at, free) in numbers.into_iter().flat_map(free).chain(words).enumerate() {
        let word = String::from(WORDS[at % WORDS.len()]);
        let rest = [("x".into(), free.clone()), (format!("key{at}"), Free::Word("$NaN".into()))].into();
        // the first is rounded twice in serde's buffer for such types
        let number = f32::from_bits(NARROW[1 + at % (NARROW.len() - 1)]);
        ask.spawn(Asks { free, tagged: Tagged::Named { number, word }, rest });
    }
    let text = serde_json::to_string(&ask).unwrap();
    let again: Ask = serde_json::from_str(&text).unwrap();
    for (one, other) in ask.query::<&Asks>().iter().zip(again.query::<&Asks>().iter()) {
        let numbers = |free: &Free| match free {
            Free::Number(number) => vec![number.to_bits()],
            Free::List(list) => list.iter().map(|number| number.to_bits().into()).collect(),
            Free::Word(_) => Vec::new(),
        };
        let word = |free: &Free| match free {
            Free::Word(word) => Some(word.clone()),
            _ => None,
        };
        assert_eq!((numbers(&one.free), word(&one.free)), (numbers(&other.free), word(&other.free)));
        let rest = |asks: &Asks| {
            asks.rest.iter().map(|(key, free)| (key.clone(), numbers(free), word(free))).collect::<Vec<_>>()
        };
        assert_eq!(rest(one), rest(other));
        let (Tagged::Named { number, word }, Tagged::Named { number: n, word: w }) =
            (&one.tagged, &other.tagged);
        assert_eq!((number.to_bits(), word), (n.to_bits(), w));
    }
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
}

#[test]
fn text_that_is_no_number_is_refused_with_its_place() {
    let read = |value: &str| {
        let text = format!(r#"{{ "entities": {{ "3v1@7": {{ "Narrow": {value} }} }} }}"#);
        serde_json::from_str::<Lab>(&text).map(|lab| lab.query::<&Narrow>().iter().next().unwrap().0)
    };
    for wrong in
        ["\"$nan\"", "\"seven\"", "null", "[1.0]", "{}", "true", "\"$NaN(7ff8000000000123)\"", "\"\""]
    {
        let error = read(wrong).unwrap_err().to_string();
        assert!(error.contains("component `Narrow` of entity 3v1"), "{wrong}: {error}");
    }
    assert!(read("\"$NaN\"").unwrap().is_nan());
    assert_eq!(read("\"$-inf\"").unwrap(), f32::NEG_INFINITY);
    assert_eq!(read("1").unwrap(), 1.0);
    assert_eq!(read("-0").unwrap().to_bits(), (-0.0_f32).to_bits());
}

/// A component whose numbers are all finite is marked in the file, and its numbers are requested
/// from the format as numbers.
#[test]
fn finite_numbers_are_marked_and_come_back() {
    let mut lab = Lab::new();
    let finite = |bits: &u64| f64::from_bits(*bits).is_finite() && f32::from_bits(*bits as u32).is_finite();
    for bits in wide().into_iter().filter(finite) {
        let (small, one) = (f32::from_bits(bits as u32), f64::from_bits(bits));
        lab.spawn((
            Narrow(small),
            Gone(small),
            Wide {
                one,
                maybe: (bits % 2 == 0).then_some(one),
                many: vec![Some(small), None],
                by_key: [(Key(small), small)].into(),
                either: [Either::One(small), Either::Two(small, one), Either::Named { at: one }]
                    [bits as usize % 3]
                    .clone(),
            },
        ));
    }
    lab.spawn(Narrow(f32::from_bits(NARROW[0])));
    lab.spawn(Text { own: "$NaN".into(), maybe: Some("$$inf".into()), keys: [("$-inf".into(), 1)].into() });
    let marks = |lab: &Lab| serde_json::to_string(lab).unwrap().matches(r#""finite":true"#).count();
    assert_eq!(marks(&lab), 3, "`Text` has no floating point numbers");
    let all_forms = |lab: &Lab| {
        let text = serde_json::to_string(lab).unwrap();
        assert_same(lab, &serde_json::from_str(&text).unwrap());
        assert_same(lab, &serde_json::from_reader(text.as_bytes()).unwrap());
        assert_same(lab, &serde_json::from_value(serde_json::to_value(lab).unwrap()).unwrap());
        assert_same(lab, &ron::from_str(&ron::to_string(lab).unwrap()).unwrap());
        // a file without marks
        assert_same(lab, &serde_json::from_str(&text.replace(r#","finite":true"#, "")).unwrap());
        let text = ron::to_string(lab).unwrap();
        assert!(text.contains(",finite:true") || marks(lab) == 0);
        assert_same(lab, &ron::from_str(&text.replace(",finite:true", "")).unwrap());
    };
    all_forms(&lab);
    // one number deep inside one value
    let entity = lab.query::<(Entity, &Wide)>().iter().last().unwrap().0;
    lab.get_mut::<Wide>(entity).unwrap().many.push(Some(f32::INFINITY));
    assert_eq!(marks(&lab), 2);
    all_forms(&lab);
    for (narrow, gone) in lab.query_mut::<(&mut Narrow, &mut Gone)>() {
        (narrow.0, gone.0) = (f32::NAN, f32::NEG_INFINITY);
    }
    assert_eq!(marks(&lab), 0);
    all_forms(&lab);
}

/// Numbers that are written as text and read as numbers, by a `Serialize` of each way to write
/// text.
mod written_as_text {
    use super::*;
    use serde::Serializer;

    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    struct Priced {
        #[serde(serialize_with = "text")]
        price: f64,
        #[serde(serialize_with = "displayed")]
        weight: f32,
        #[serde(serialize_with = "digit")]
        digit: f32,
        size: f32,
        name: String,
    }
    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    struct Rated(#[serde(serialize_with = "variant")] f32);
    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    struct Named(f32, String);

    fn text<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&number.to_string())
        } else {
            serializer.serialize_f64(*number)
        }
    }
    fn displayed<S: Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&format_args!("{number:e}"))
        } else {
            serializer.serialize_f32(*number)
        }
    }
    fn digit<S: Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        match char::from_digit(*number as u32, 10).filter(|_| serializer.is_human_readable()) {
            Some(digit) => serializer.serialize_char(digit),
            None => serializer.serialize_f32(*number),
        }
    }
    fn variant<S: Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_unit_variant("Rating", 0, if *number < 3.0 { "2.5" } else { "5" })
        } else {
            serializer.serialize_f32(*number)
        }
    }

    world! {
        #[derive(Serialize, Deserialize)]
        struct Shop { components { Priced, Rated, Named } }
    }

    #[test]
    fn numbers_that_are_written_as_text_come_back() {
        let mut shop = Shop::new();
        for (price, weight, digit) in [(0.5, 0.1, 7.0), (-2e300, f32::MIN_POSITIVE, 0.0), (1.0, -0.0, 3.0)] {
            let name = "lamp".into();
            shop.spawn((Priced { price, weight, digit, size: 0.5, name }, Rated(2.5)));
            shop.spawn(Rated(5.0));
        }
        for name in ["", "inn", "number seven", "-", "0x10", "Nanny", "$NaN"] {
            shop.spawn(Named(0.5, name.into()));
        }
        let text = serde_json::to_string(&shop).unwrap();
        assert_eq!(text.matches(r#""finite":true"#).count(), 1, "`Named` has no text that reads as a number");
        let hashes = [
            serde_json::from_str::<Shop>(&text).unwrap(),
            serde_json::from_value(serde_json::to_value(&shop).unwrap()).unwrap(),
        ];
        assert_eq!(hashes.map(|again| again.hash()), [shop.hash(); 2]);
        // with a text that reads as a number, the component has no mark and is loaded as before
        shop.spawn(Named(0.5, "12".into()));
        let text = serde_json::to_string(&shop).unwrap();
        assert_eq!(text.matches(r#""finite":true"#).count(), 0);
        assert_eq!(serde_json::from_str::<Shop>(&text).unwrap().hash(), shop.hash());
    }
}

/// A mark in a file promises that no number is text: text is refused with its place.
#[test]
fn text_in_a_component_that_is_marked_as_finite_is_refused() {
    let read = |mark: &str| {
        let listed = format!(r#"{{ "name": "Narrow", "layout": "Narrow(f32)"{mark} }}"#);
        let text =
            format!(r#"{{ "components": [{listed}], "entities": {{ "3v1@7": {{ "Narrow": "$inf" }} }} }}"#);
        serde_json::from_str::<Lab>(&text).map(|lab| lab.query::<&Narrow>().iter().next().unwrap().0)
    };
    let error = read(r#", "finite": true"#).unwrap_err().to_string();
    assert!(error.contains("component `Narrow` of entity 3v1"), "{error}");
    for mark in ["", r#", "finite": false"#] {
        assert_eq!(read(mark).unwrap(), f32::INFINITY);
    }
}

/// A sample of all finite `f32` values, in the human-readable form.
#[test]
fn decimals_come_back_as_they_were() {
    fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }
    let mut lab = Lab::new();
    let numbers: Vec<f32> = (0..20_000_u32)
        .map(|n| f32::from_bits(n.wrapping_mul(2_147_485)))
        .filter(|n| n.is_finite())
        .collect();
    lab.resource_mut::<Heat>().1 = numbers;
    assert_same(&lab, &again(&lab));
}
