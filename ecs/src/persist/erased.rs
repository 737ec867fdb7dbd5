//! Values and formats that are chosen at run time: a type is compiled once to be written in any
//! format, and once to be read from any.
//!
//! [`ErasedSerialize`] is a value without its type, [`WriteForm`](write::WriteForm) a serializer
//! and [`ReadForm`] a deserializer without theirs. A reference to a `WriteForm` is the serializer
//! that each type is compiled for, a reference to a `ReadForm` the deserializer.
//!
//! The crate `erased-serde` does the same with a table of 28 functions for the visitor of each
//! type, which were half of the functions of a game. Here a visitor has one function, which takes a
//! [`FormEvent`](read::FormEvent).

mod error;
pub(crate) mod exact;
pub(crate) mod read;
pub(crate) mod write;

pub(crate) use error::FormError;
pub(crate) use read::{ReadForm, read_value};
pub(crate) use write::{ErasedSerialize, ExactValue};

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::boxed::Box;
    use alloc::collections::BTreeMap;
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;
    use core::fmt;

    use serde::de::{DeserializeOwned, IntoDeserializer};
    use serde::ser::{Error as _, SerializeStruct, SerializeTuple};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Unit;
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Newtype(i8);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    enum Shape {
        Nothing,
        One(u16),
        Two(f32, char),
        Named { text: Option<String>, bytes: Vec<u8> },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Number(u32),
        Text(String),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct All {
        unit: Unit,
        newtype: Newtype,
        shapes: Vec<Shape>,
        map: BTreeMap<u8, (bool, i64)>,
        nested: Option<Box<All>>,
        untagged: [Untagged; 2],
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
    }

    fn all(nested: Option<Box<All>>) -> All {
        let named = Shape::Named { text: Some("x\n".to_owned()), bytes: [0, 255].into() };
        All {
            unit: Unit,
            newtype: Newtype(-7),
            shapes: [Shape::Nothing, Shape::One(9), Shape::Two(0.5, 'ß'), named].into(),
            map: [(1, (true, i64::MIN)), (2, (false, 3))].into(),
            nested,
            untagged: [Untagged::Number(5), Untagged::Text("five".to_owned())],
            left_out: None,
        }
    }

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let mut form = <dyn ReadForm<'_>>::of(&mut deserializer);
        read_value(&mut form).map_err(serde::de::Error::custom)
    }

    #[test]
    fn values_are_written_and_read_as_by_their_types() {
        let value = all(Some(Box::new(all(None))));
        let erased: &dyn ErasedSerialize = &value;
        let text = serde_json::to_string(erased).unwrap();
        assert_eq!(text, serde_json::to_string(&value).unwrap());
        assert_eq!(read::<All>(&text).unwrap(), value);
    }

    #[test]
    fn errors_are_those_of_the_format() {
        for text in ["{\"Two\": [1.5, 7]}", "{\"Four\": 1}", "{\"Named\": {}}", "{\"One\": -1}", "[1]"] {
            let (ours, direct) = (read::<Shape>(text), serde_json::from_str::<Shape>(text));
            let (ours, direct) = (ours.unwrap_err().to_string(), direct.unwrap_err().to_string());
            assert!(ours.starts_with(direct.split(" at line").next().unwrap()), "{ours}, not {direct}");
        }
    }

    #[test]
    fn a_value_that_fails_at_its_end_is_not_written() {
        struct Late;
        impl Serialize for Late {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut parts = serializer.serialize_struct("Late", 1)?;
                parts.serialize_field("number", &1)?;
                parts.end()?;
                Err(S::Error::custom("not now"))
            }
        }
        let erased: &dyn ErasedSerialize = &Late;
        assert_eq!(serde_json::to_string(erased).unwrap_err().to_string(), "not now");
        struct Open;
        impl Serialize for Open {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut parts = serializer.serialize_tuple(2)?;
                parts.serialize_element(&1)?;
                Err(S::Error::custom("never ended"))
            }
        }
        let erased: &dyn ErasedSerialize = &Open;
        assert_eq!(serde_json::to_string(erased).unwrap_err().to_string(), "never ended");
    }

    /// A type whose visitor has one method only.
    #[derive(PartialEq, Debug)]
    struct Tiny(u8);

    impl<'de> Deserialize<'de> for Tiny {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct OnlyU8;
            impl serde::de::Visitor<'_> for OnlyU8 {
                type Value = Tiny;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a u8")
                }
                fn visit_u8<E>(self, value: u8) -> Result<Tiny, E> {
                    Ok(Tiny(value))
                }
            }
            deserializer.deserialize_u8(OnlyU8)
        }
    }

    #[test]
    fn integers_keep_their_types() {
        let deserializer: serde::de::value::U8Deserializer<FormError> = 7_u8.into_deserializer();
        let tiny: Tiny = read_value(&mut <dyn ReadForm<'_>>::of(deserializer)).unwrap();
        assert_eq!(tiny, Tiny(7));
        let deserializer: serde::de::value::U16Deserializer<FormError> = 7_u16.into_deserializer();
        let error = read_value::<Tiny>(&mut <dyn ReadForm<'_>>::of(deserializer)).unwrap_err();
        assert_eq!(format!("{error}"), "invalid type: integer `7`, expected a u8");
    }
}
