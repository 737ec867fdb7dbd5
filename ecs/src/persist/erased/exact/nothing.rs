//! `Some` of nothing: of `()`, of a unit struct, or of `None`.
//!
//! JSON writes such a `Some` as its content, `null`, which is read as `None`. So the content is
//! written as the text `"$Some"`, and that of `Some(Some(()))` or `Some(Some(None))` as
//! `"$Some(Some)"`. A text value that looks like one of them gets one more `$` in the file.
//!
//! The text is read as nothing where a type requests an option or a unit within a `Some`, and where
//! it requests any value. A format must be asked for any value there: what it gives is passed on as
//! a [`ReadForm`], so that no type is compiled once more.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IntoDeserializer};
use serde::ser::{self, Serialize, Serializer};

use super::read::ReadStyle;
use crate::persist::erased::FormError;
use crate::persist::erased::read::{DeserializerForm, FormEvent, Hint, ReadForm, Receiver};
use crate::persist::erased::write::{
    Composite, FormPart, Leaf, PartPlace, Wrapper, WriteForm, writes_parts_alike,
};

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
pub(crate) struct Nothing {
    somes: usize,
    /// The newtypes around the outermost `Some`, or around nothing, the innermost first. Some
    /// formats write them.
    newtypes: Vec<&'static str>,
}

impl Nothing {
    /// Returns `None` if a value is something.
    pub(crate) fn of(part: FormPart<'_>) -> Option<Self> {
        let mut probe = Probe { nothing: Self { somes: 0, newtypes: Vec::new() }, is_nothing: false };
        let written = part.write(&mut probe);
        let Probe { mut nothing, is_nothing } = probe;
        // noted from the outside in
        nothing.newtypes.reverse();
        (written.is_ok() && is_nothing).then_some(nothing)
    }
}

impl Serialize for Nothing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { somes, mut newtypes } = Self { somes: self.somes, newtypes: self.newtypes.clone() };
        match newtypes.pop() {
            Some(name) => serializer.serialize_newtype_struct(name, &Self { somes, newtypes }),
            None if somes > MOST_SOMES => Err(ser::Error::custom(too_many())),
            None => serializer.serialize_str(&text(somes)),
        }
    }
}

/// The form that stops at the first value with parts. A leaf that is something is no error, because
/// most options have one, and an error takes memory.
struct Probe {
    nothing: Nothing,
    is_nothing: bool,
}

/// The error of a value that is something.
fn something() -> FormError {
    FormError::text("the value is not nothing")
}

impl Probe {
    fn part(&mut self, _: PartPlace, _: FormPart<'_>) -> Result<(), FormError> {
        Err(something())
    }
}

impl WriteForm for Probe {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        self.is_nothing = matches!(leaf, Leaf::None | Leaf::Unit | Leaf::UnitStruct(_));
        Ok(())
    }

    fn wrap(&mut self, wrapper: Wrapper, part: FormPart<'_>) -> Result<(), FormError> {
        match wrapper {
            Wrapper::Some => self.nothing.somes += 1,
            Wrapper::NewtypeStruct(name) if self.nothing.somes == 0 => self.nothing.newtypes.push(name),
            Wrapper::NewtypeStruct(_) => {}
            Wrapper::NewtypeVariant(..) => return Err(something()),
        }
        part.write(self)
    }

    fn begin(&mut self, _: Composite) -> Result<(), FormError> {
        Err(something())
    }

    writes_parts_alike!();

    fn end(&mut self) -> Result<(), FormError> {
        Err(something())
    }
}

/// The form of nothing within some number of `Some`s.
pub(crate) struct NothingForm(pub(crate) usize);

impl<'de> ReadForm<'de> for NothingForm {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        if self.0 > MOST_SOMES {
            return Err(too_many());
        }
        match (self.0.checked_sub(1), hint) {
            (_, Hint::NewtypeStruct(_)) => to.receive(FormEvent::NewtypeStruct(&mut Self(self.0))),
            (Some(somes), _) => to.receive(FormEvent::Some(&mut Self(somes))),
            (None, Hint::Option) => to.receive(FormEvent::None),
            (None, _) => to.receive(FormEvent::Unit),
        }
    }
}

/// The receiver of any value that is the content of a `Some`, for a type that has requested an
/// option or a unit.
pub(crate) struct SomeContent<'r, 'de> {
    pub(crate) to: &'r mut dyn Receiver<'de>,
    /// Whether the type has requested an option. If not, it has requested a unit.
    pub(crate) is_option: bool,
    /// The number of `Some`s within each other.
    pub(crate) somes: u8,
}

/// The most `Some`s within each other that text stands for.
const MOST_SOMES: usize = 64;

/// The most `Some`s within each other that a file does not show, around a value: a newtype of an
/// option of itself would be read from one value without end.
const MOST_UNSEEN: u8 = 16;

/// The error of more `Some`s.
#[cold]
fn too_many() -> FormError {
    FormError::text("too many options within each other")
}

impl<'de> Receiver<'de> for SomeContent<'_, 'de> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.expecting(f)
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        let found = event.text().and_then(find);
        let style = ReadStyle::of_content(self.somes);
        match (found, event) {
            (Some(somes), _) => {
                let hint = if self.is_option { Hint::Option } else { Hint::Any };
                NothingForm(somes).read(hint, self.to)
            }
            (None, FormEvent::Unit | FormEvent::None) if self.is_option => self.to.receive(FormEvent::None),
            (None, FormEvent::Some(content)) => {
                let mut content = DeserializerForm::styled(content, style);
                self.to.receive(FormEvent::Some(&mut content))
            }
            (None, _) if self.is_option && self.somes > MOST_UNSEEN => Err(too_many()),
            (None, event) if self.is_option => {
                let mut event = EventForm(Some(event));
                let event: &mut dyn ReadForm<'de> = &mut event;
                let mut content = DeserializerForm::styled(event, style);
                self.to.receive(FormEvent::Some(&mut content))
            }
            (None, event) => self.to.receive(event),
        }
    }
}

/// The form of a value that a format has given; empty once it was read.
struct EventForm<'e, 'de>(Option<FormEvent<'e, 'de>>);

impl<'de> ReadForm<'de> for EventForm<'_, 'de> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        let event = self.0.take().ok_or_else(FormError::used)?;
        match (hint, event) {
            (Hint::NewtypeStruct(_), FormEvent::NewtypeStruct(content)) => {
                to.receive(FormEvent::NewtypeStruct(content))
            }
            (Hint::NewtypeStruct(_), event) => {
                to.receive(FormEvent::NewtypeStruct(&mut EventForm(Some(event))))
            }
            (Hint::Enum(..), FormEvent::Map(entries)) => {
                let entries = MapAccessDeserializer::new(entries);
                <dyn ReadForm<'de>>::of(entries).read(hint, to)
            }
            (Hint::Enum(..), event) => match event.text() {
                Some(name) => {
                    let name: de::value::StrDeserializer<'_, FormError> = name.into_deserializer();
                    <dyn ReadForm<'de>>::of(name).read(hint, to)
                }
                None => to.receive(event),
            },
            (_, event) => to.receive(event),
        }
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
        fn of<T: Serialize>(value: &T) -> Option<Nothing> {
            Nothing::of(FormPart::Value(value))
        }
        let nothing = |somes, newtypes: &[&'static str]| Some(Nothing { somes, newtypes: newtypes.to_vec() });
        assert_eq!((of(&()), of(&Unit)), (nothing(0, &[]), nothing(0, &[])));
        assert_eq!(of(&Some(Newtype(Some(None::<u8>)))), nothing(2, &[]));
        assert_eq!(of(&Newtype(Newtype(Some(Newtype(()))))), nothing(1, &["Newtype", "Newtype"]));
        assert_eq!((of(&Kind::Unit), of(&Kind::Newtype(()))), (None, None));
        assert_eq!((of(&Some(1)), of(&""), of(&[0; 0])), (None, None, None));
    }
}
