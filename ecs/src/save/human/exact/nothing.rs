//! `Some` of nothing: of `()`, of a unit struct, or of `None`.
//!
//! JSON writes such a `Some` as its content, `null`, which is read as `None`. So the content is written as the text `"$Some"`, and that
//! of `Some(Some(()))` or `Some(Some(None))` as `"$Some(Some)"`. A text value that looks like one of them gets one more `$` in the file.
//!
//! The text is read as nothing where a type requests an option or a unit within a `Some`, and where it requests any value. A format
//! must be asked for any value there: what it gives is passed on as a [`ReadForm`], so that no type is compiled once more.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Impossible, Serialize, Serializer};

use super::ExactReader;
use crate::persist::erased::read::{FormEvent, Hint, Receiver, visited};
use crate::persist::erased::{FormError, ReadForm};

/// The text of a `Some` whose content is nothing, within so many other `Some`s.
pub(super) fn text(others: usize) -> String {
    let mut text = String::from("$");
    (0..others).for_each(|_| text.push_str("Some("));
    text.push_str("Some");
    (0..others).for_each(|_| text.push(')'));
    text
}

/// Parses such a text, and returns the number of other `Some`s.
pub(super) fn find(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix("$Some")?;
    let others = rest.len() / "(Some)".len();
    for _ in 0..others {
        rest = rest.strip_prefix("(Some")?;
    }
    (rest.len() == others && rest.bytes().all(|byte| byte == b')')).then_some(others)
}

/// Nothing within some number of `Some`s. It is written as text.
#[derive(PartialEq, Debug)]
pub(super) struct Nothing {
    somes: usize,
    /// The newtypes around the outermost `Some`, or around nothing, the innermost first. Some formats write them.
    newtypes: Vec<&'static str>,
}

impl Nothing {
    /// Returns `None` if a value is something.
    pub(super) fn of<T: Serialize + ?Sized>(value: &T) -> Option<Self> {
        value.serialize(Probe).ok()
    }
}

impl Serialize for Nothing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { somes, mut newtypes } = Self { somes: self.somes, newtypes: self.newtypes.clone() };
        match newtypes.pop() {
            Some(name) => serializer.serialize_newtype_struct(name, &Self { somes, newtypes }),
            None => serializer.serialize_str(&text(somes)),
        }
    }
}

/// The serializer that stops at the first part of a value.
struct Probe;

/// The value is not nothing.
#[derive(Debug)]
struct Something;

impl fmt::Display for Something {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not nothing")
    }
}

impl core::error::Error for Something {}

impl ser::Error for Something {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Parts = Impossible<Nothing, Something>;

macro_rules! something {
    ($($name:ident($($argument:ty),*) -> $out:ty;)*) => {$(
        #[inline]
        fn $name(self, $(_: $argument),*) -> Result<$out, Something> {
            Err(Something)
        }
    )*};
}

impl Serializer for Probe {
    type Ok = Nothing;
    type Error = Something;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeTupleStruct = Parts;
    type SerializeTupleVariant = Parts;
    type SerializeMap = Parts;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    something! {
        serialize_bool(bool) -> Nothing; serialize_i8(i8) -> Nothing; serialize_i16(i16) -> Nothing;
        serialize_i32(i32) -> Nothing; serialize_i64(i64) -> Nothing; serialize_i128(i128) -> Nothing;
        serialize_u8(u8) -> Nothing; serialize_u16(u16) -> Nothing; serialize_u32(u32) -> Nothing;
        serialize_u64(u64) -> Nothing; serialize_u128(u128) -> Nothing; serialize_f32(f32) -> Nothing;
        serialize_f64(f64) -> Nothing; serialize_char(char) -> Nothing; serialize_str(&str) -> Nothing;
        serialize_bytes(&[u8]) -> Nothing;
        serialize_unit_variant(&'static str, u32, &'static str) -> Nothing;
        serialize_seq(Option<usize>) -> Parts; serialize_tuple(usize) -> Parts;
        serialize_tuple_struct(&'static str, usize) -> Parts;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Parts;
        serialize_map(Option<usize>) -> Parts; serialize_struct(&'static str, usize) -> Parts;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Parts;
    }

    fn serialize_none(self) -> Result<Nothing, Something> {
        Ok(Nothing { somes: 0, newtypes: Vec::new() })
    }

    fn serialize_unit(self) -> Result<Nothing, Something> {
        Ok(Nothing { somes: 0, newtypes: Vec::new() })
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Nothing, Something> {
        Ok(Nothing { somes: 0, newtypes: Vec::new() })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Nothing, Something> {
        value.serialize(self).map(|content| Nothing { somes: content.somes + 1, newtypes: Vec::new() })
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Nothing, Something> {
        let mut content = value.serialize(self)?;
        content.newtypes.push(name);
        Ok(content)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Nothing, Something> {
        Err(Something)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<Nothing, Something> {
        Err(Something)
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

/// The deserializer of nothing within some number of `Some`s.
struct NothingReader<E> {
    somes: usize,
    error: PhantomData<E>,
}

impl<E> NothingReader<E> {
    fn new(somes: usize) -> Self {
        Self { somes, error: PhantomData }
    }
}

impl<'de, E: de::Error> Deserializer<'de> for NothingReader<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.somes.checked_sub(1) {
            Some(somes) => visitor.visit_some(Self::new(somes)),
            None => visitor.visit_unit(),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.somes {
            0 => visitor.visit_none(),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct enum identifier ignored_any
    }
}

/// Passes nothing within some number of `Some`s to a visitor that has requested any value.
pub(super) fn visit_nothing<'de, V: Visitor<'de>, E: de::Error>(
    somes: usize,
    visitor: V,
) -> Result<V::Value, E> {
    let mut form = <dyn ReadForm<'_>>::of(NothingReader::<FormError>::new(somes));
    let read = visited(visitor, |to| form.read(Hint::Any, to));
    read.map_err(|error| error.to_read_error())
}

/// Reads the content of a `Some`, for a visitor that has requested an option or a unit.
pub(super) fn visit_content<'de, V: Visitor<'de>, D: Deserializer<'de>>(
    from: D,
    is_option: bool,
    visitor: V,
) -> Result<V::Value, D::Error> {
    let mut form = <dyn ReadForm<'_>>::of(from);
    let read = visited(visitor, |to| form.read(Hint::Any, &mut SomeContent { to, is_option }));
    read.map_err(|error| error.to_read_error())
}

/// The receiver of any value that is the content of a `Some`.
struct SomeContent<'r, 'de> {
    to: &'r mut dyn Receiver<'de>,
    /// Whether the visitor has requested an option. If not, it has requested a unit.
    is_option: bool,
}

impl<'de> Receiver<'de> for SomeContent<'_, 'de> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.expecting(f)
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        let found = match &event {
            FormEvent::Str(text) => find(text),
            FormEvent::BorrowedStr(text) => find(text),
            FormEvent::String(text) => find(text),
            _ => None,
        };
        match (found, event) {
            (Some(somes), _) => {
                let hint = if self.is_option { Hint::Option } else { Hint::Any };
                <dyn ReadForm<'_>>::of(NothingReader::<FormError>::new(somes)).read(hint, self.to)
            }
            (None, FormEvent::Unit | FormEvent::None) if self.is_option => self.to.receive(FormEvent::None),
            (None, FormEvent::Some(content)) => self
                .to
                .receive(FormEvent::Some(&mut <dyn ReadForm<'_>>::of(ExactReader::within_some(content)))),
            (None, event) if self.is_option => {
                let content = ExactReader::new(EventForm(event));
                self.to.receive(FormEvent::Some(&mut <dyn ReadForm<'_>>::of(content)))
            }
            (None, event) => self.to.receive(event),
        }
    }
}

/// The deserializer of a value that a format has given.
struct EventForm<'e, 'de>(FormEvent<'e, 'de>);

impl<'de> Deserializer<'de> for EventForm<'_, 'de> {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        visited(visitor, |to| to.receive(self.0))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, FormError> {
        match self.0 {
            FormEvent::NewtypeStruct(content) => visitor.visit_newtype_struct(content),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        let of_text = |text: &str, visitor: V| {
            let text: de::value::StrDeserializer<'_, FormError> = text.into_deserializer();
            text.deserialize_enum(name, variants, visitor)
        };
        match self.0 {
            FormEvent::Map(entries) => visitor.visit_enum(MapAccessDeserializer::new(entries)),
            FormEvent::Str(text) => of_text(text, visitor),
            FormEvent::BorrowedStr(text) => of_text(text, visitor),
            FormEvent::String(text) => of_text(&text, visitor),
            event => Self(event).deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    #[test]
    fn a_text_has_the_number_of_its_somes() {
        for others in 0..4 {
            assert_eq!(find(&text(others)), Some(others));
        }
        assert_eq!((text(0).as_str(), text(2).as_str()), ("$Some", "$Some(Some(Some))"));
        for other in [
            "",
            "$",
            "Some",
            "$Some(",
            "$Some()",
            "$Some(Some",
            "$Some)",
            "$Some(Some))",
            "$Something",
            "$Some(Nome)",
        ] {
            assert_eq!(find(other), None, "{other}");
        }
    }

    #[test]
    fn nothing_is_known_within_newtypes_and_options() {
        #[derive(Serialize)]
        struct Unit;
        #[derive(Serialize)]
        struct Newtype<T>(T);
        #[derive(Serialize)]
        enum Kind {
            Unit,
            Newtype(()),
        }
        let nothing = |somes, newtypes: &[&'static str]| Some(Nothing { somes, newtypes: newtypes.to_vec() });
        assert_eq!((Nothing::of(&()), Nothing::of(&Unit)), (nothing(0, &[]), nothing(0, &[])));
        assert_eq!(Nothing::of(&Some(Newtype(Some(None::<u8>)))), nothing(2, &[]));
        assert_eq!(Nothing::of(&Newtype(Newtype(Some(Newtype(()))))), nothing(1, &["Newtype", "Newtype"]));
        assert_eq!((Nothing::of(&Kind::Unit), Nothing::of(&Kind::Newtype(()))), (None, None));
        assert_eq!((Nothing::of(&Some(1)), Nothing::of(""), Nothing::of(&[0; 0])), (None, None, None));
    }
}
