//! Maps of described values, whose keys are of every type that a format can write.

use std::collections::BTreeMap;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

macro_rules! written_by {
    ($helper:ident; $($derive:ident),*) => {{
        #[derive($($derive,)* Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        struct Number(u32);
        #[derive($($derive,)* Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        struct Text(String);
        #[derive($($derive,)* Clone, Debug)]
        struct Angle(f32);
        impl PartialEq for Angle {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }
        impl Eq for Angle {}
        impl PartialOrd for Angle {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for Angle {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.0.total_cmp(&other.0)
            }
        }
        #[derive($($derive,)* Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        enum Kind {
            One,
            #[$helper(rename = "two")]
            Two,
        }
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct All {
            by_small: BTreeMap<u8, Option<()>>,
            by_large: BTreeMap<i64, f32>,
            by_larger: BTreeMap<u64, Option<Option<u8>>>,
            by_bool: BTreeMap<bool, f64>,
            by_letter: BTreeMap<char, String>,
            by_text: BTreeMap<String, String>,
            by_number: BTreeMap<Number, Number>,
            by_newtype: BTreeMap<Text, Text>,
            by_kind: BTreeMap<Kind, Kind>,
            by_angle: BTreeMap<Angle, Angle>,
            by_entity: BTreeMap<Entity, Entity>,
        }
        /// Not every format has such numbers.
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct Long(BTreeMap<i128, BTreeMap<u128, ()>>);
        #[derive($($derive,)* Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        enum Held {
            Newtype(Text),
            Pair(Text, Angle),
            Struct { text: String, nothing: Option<()> },
        }
        /// JSON has no such keys.
        #[derive(Component, $($derive,)* Clone, Debug, PartialEq)]
        struct Deep {
            by_pair: BTreeMap<(Text, String), u8>,
            by_option: BTreeMap<Option<Text>, Option<Text>>,
            by_some: BTreeMap<Option<()>, Option<()>>,
            by_somes: BTreeMap<Option<Option<u8>>, u8>,
            by_variant: BTreeMap<Held, Held>,
            by_list: BTreeMap<Vec<Text>, u8>,
            by_map: BTreeMap<BTreeMap<Text, Angle>, u8>,
            by_array: BTreeMap<[Angle; 2], u8>,
            by_box: BTreeMap<Box<Text>, Box<Text>>,
        }
        world! {
            #[derive(Serialize, Deserialize)]
            struct Game { components { All, Long, Deep } }
        }
        let texts = ["", "$", "$NaN", "$Some", "$Some(Some)", "$$NaN", "NaN", "12v3@7"];
        let (mut game, mut errors) = (Game::new(), Vec::new());
        let entity = game.spawn(());
        let angles = [f32::NAN, f32::from_bits(0x7fc0_0123), f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.1];
        let all = All {
            by_angle: angles.map(|angle| (Angle(angle), Angle(-angle))).into(),
            by_small: [(0, None), (255, Some(()))].into(),
            by_large: [(i64::MIN, f32::NAN), (i64::MAX, 0.1), (0, f32::NEG_INFINITY)].into(),
            by_larger: [(0, None), (u64::MAX, Some(None)), (7, Some(Some(7)))].into(),
            by_bool: [(true, f64::NAN), (false, -0.0)].into(),
            by_letter: [('$', "$NaN".into()), ('ß', String::new())].into(),
            by_text: texts.map(|text| (text.into(), text.into())).into(),
            by_number: [(Number(1), Number(2))].into(),
            by_newtype: texts.map(|text| (Text(text.into()), Text(text.into()))).into(),
            by_kind: [(Kind::One, Kind::Two), (Kind::Two, Kind::One)].into(),
            by_entity: [(entity, entity)].into(),
        };
        game.insert(entity, all.clone()).unwrap();
        let held = [
            Held::Newtype(Text("$Some".into())),
            Held::Pair(Text("$NaN".into()), Angle(f32::NAN)),
            Held::Struct { text: "$$NaN".into(), nothing: Some(()) },
            Held::Struct { text: String::new(), nothing: None },
        ];
        let deep = Deep {
            by_pair: texts.map(|text| ((Text(text.into()), text.into()), 1)).into(),
            by_option: texts.map(|text| (Some(Text(text.into())), Some(Text(text.into())))).into(),
            by_some: [(None, None), (Some(()), Some(()))].into(),
            by_somes: [(None, 0), (Some(None), 1), (Some(Some(1)), 2)].into(),
            by_variant: held.map(|held| (held.clone(), held)).into(),
            by_list: [(texts.map(|text| Text(text.into())).into(), 1)].into(),
            by_map: [(texts.map(|text| (Text(text.into()), Angle(f32::NAN))).into(), 1)].into(),
            by_array: [([Angle(f32::NAN), Angle(f32::INFINITY)], 1)].into(),
            by_box: texts.map(|text| (Text(text.into()).into(), Text(text.into()).into())).into(),
        };
        game.insert(entity, deep.clone()).unwrap();
        let ron = ron::to_string(&game).unwrap();
        game.remove::<Deep>(entity).unwrap();
        let long = Long([(i128::MIN, [(u128::MAX, ()), (0, ())].into())].into());
        game.insert(entity, long.clone()).unwrap();
        let json = serde_json::to_string(&game).unwrap();
        let from_json: Game = serde_json::from_str(&json).unwrap();
        let from_ron: Game = ron::from_str(&ron).unwrap();
        assert_eq!((from_json.get(entity), from_ron.get(entity)), (Some(&long), Some(&deep)));
        for loaded in [&from_json, &from_ron] {
            let found = loaded.get::<All>(entity).unwrap();
            // with the NaNs
            assert_eq!(format!("{found:?}"), format!("{all:?}"));
            let bits = |all: &All| all.by_large.values().map(|number| number.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(found), bits(&all));
            assert_eq!(found.by_angle, all.by_angle);
        }
        for wrong in [
            json.replacen("\"255\"", "\"256\"", 1),
            json.replacen("\"255\"", "\"x\"", 1),
            json.replacen("\"One\"", "\"Three\"", 1),
            json.replacen("\"true\"", "\"1\"", 1),
        ] {
            assert_ne!(wrong, json);
            let error = serde_json::from_str::<Game>(&wrong).err().unwrap().to_string();
            errors.push(error.rsplit_once(": ").map_or(error.clone(), |(_, last)| last.into()));
        }
        (json, ron, errors)
    }};
}

#[test]
fn keys_of_every_type_are_written_and_read_as_by_serde() {
    let ours: (String, String, Vec<String>) = written_by!(reflect; Reflect);
    let serdes: (String, String, Vec<String>) = written_by!(serde; Serialize, Deserialize);
    assert_eq!(ours, serdes);
}

macro_rules! read_by {
    ($($derive:ident),*) => {{
        #[derive($($derive,)* Debug)]
        #[allow(dead_code, reason = "the values are shown by `Debug`")]
        enum One {
            Small(u8),
            Signed(i16),
            Large(u64),
            Long(i128),
            Longest(u128),
            Size(usize),
            Offset(isize),
            Flag(bool),
            Letter(char),
            Single(f32),
            Double(f64),
            Text(String),
            Unit(()),
            Id(Entity),
        }
        let kinds = [
            "Small", "Signed", "Large", "Long", "Longest", "Size", "Offset", "Flag", "Letter", "Single",
            "Double", "Text", "Unit", "Id",
        ];
        let values = [
            "0", "1", "-1", "255", "256", "-32769", "18446744073709551615", "18446744073709551616", "1.0", "1.5",
            "1e300", "-0.0", "true", "null", "\"\"", "\"a\"", "\"ab\"", "\"1\"", "\"true\"", "\"12v3@7\"",
            "\"ß\"", "[]", "[1]", "{}", "{\"a\":1}",
        ];
        let texts = kinds.iter().flat_map(|kind| values.map(|value| format!("{{\"{kind}\": {value}}}")));
        texts
            .map(|text| {
                let json = serde_json::from_str::<One>(&text).map_err(|error| error.to_string());
                let value = serde_json::from_str::<serde_json::Value>(&text).unwrap();
                let value = serde_json::from_value::<One>(value).map_err(|error| error.to_string());
                let ron = ron::from_str::<One>(&text.replace("null", "()")).map_err(|error| error.to_string());
                (format!("{json:?} {value:?} {ron:?}"), text)
            })
            .collect::<Vec<_>>()
    }};
}

#[test]
fn values_are_accepted_and_refused_as_by_serde() {
    let (ours, serdes) = (read_by!(Reflect), read_by!(Deserialize));
    for (ours, serdes) in ours.into_iter().zip(serdes) {
        assert_eq!(ours, serdes);
    }
}
