//! [`Strict`]: a form that returns an error for every field that the type would ignore, at the
//! position of the field.
//!
//! It wraps another form, and all that the form passes on. The technique is that of the crate
//! `serde_ignored`, which collects ignored fields without their positions.

use alloc::format;
use alloc::string::{String, ToString};
use core::cell::RefCell;
use core::fmt;

use serde::de::Error as _;

use crate::base::nearest::meant;
use crate::persist::erased::read::{EnumForm, FormEvent, Hint, MapForm, Receiver, SeqForm, Sower};
use crate::persist::erased::{FormError, ReadForm};

/// A wrapper of a form, or of what is passed to or by one, that notes the current map key.
pub(super) struct Strict<'k, T> {
    inner: T,
    place: StrictPlace<'k>,
}

/// Where a value is.
#[derive(Clone, Copy)]
struct StrictPlace<'k> {
    /// The current key.
    key: &'k RefCell<String>,
    /// The names of the fields, if the value is in a struct.
    fields: &'static [&'static str],
    /// Whether the value is itself a key.
    is_key: bool,
}

impl<'k> StrictPlace<'k> {
    /// The place of a part of a value that is no struct.
    fn part(self) -> Self {
        Self { fields: &[], is_key: false, ..self }
    }

    /// The place of a value with these fields.
    fn with_fields(self, fields: &'static [&'static str]) -> Self {
        Self { fields, ..self }
    }

    /// Notes a scalar or text, if it is a key.
    fn note(self, key: &dyn ToString) {
        if self.is_key {
            *self.key.borrow_mut() = key.to_string();
        }
    }

    /// [Notes](Self::note) a scalar or text, and returns its event.
    fn noted<'e, 'de>(self, key: &dyn ToString, event: FormEvent<'e, 'de>) -> FormEvent<'e, 'de> {
        self.note(key);
        event
    }

    fn wrap<T>(self, inner: T) -> Strict<'k, T> {
        Strict { inner, place: self }
    }
}

impl<'k, T> Strict<'k, T> {
    /// Wraps a form. The current key is kept in `key`.
    pub(super) fn new(inner: T, key: &'k RefCell<String>) -> Self {
        StrictPlace { key, fields: &[], is_key: false }.wrap(inner)
    }
}

/// The message that a struct does not have a field, with the most similar field.
pub(super) fn no_field(name: &str, fields: &[&'static str]) -> String {
    format!("there is no field `{name}`{}", meant(name, fields))
}

impl<'s, 'de: 's> ReadForm<'s> for Strict<'_, &mut (dyn ReadForm<'de> + '_)> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'s>) -> Result<(), FormError> {
        let place = match hint {
            Hint::IgnoredAny if !self.place.is_key => {
                let key = self.place.key.borrow();
                return Err(FormError::custom(no_field(&key, self.place.fields)));
            }
            Hint::Struct(_, fields) => self.place.with_fields(fields),
            _ => self.place.with_fields(&[]),
        };
        self.inner.read(hint, &mut place.wrap(to))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }

    fn expect_finite(&mut self) {
        self.inner.expect_finite();
    }
}

impl<'s, 'de: 's> Receiver<'de> for Strict<'_, &mut (dyn Receiver<'s> + '_)> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        let (place, part) = (self.place, self.place.part());
        let to = &mut *self.inner;
        match event {
            FormEvent::Some(content) => to.receive(FormEvent::Some(&mut part.wrap(content))),
            FormEvent::NewtypeStruct(content) => {
                let content_place = StrictPlace { is_key: place.is_key, ..part };
                to.receive(FormEvent::NewtypeStruct(&mut content_place.wrap(content)))
            }
            FormEvent::Seq(elements) => to.receive(FormEvent::Seq(&mut part.wrap(elements))),
            FormEvent::Map(entries) => {
                let fields = part.with_fields(place.fields);
                to.receive(FormEvent::Map(&mut fields.wrap(entries)))
            }
            FormEvent::Enum(content) => to.receive(FormEvent::Enum(&mut part.wrap(content))),
            FormEvent::Scalar(value) => to.receive(place.noted(&value, FormEvent::Scalar(value))),
            FormEvent::Str(text) => to.receive(place.noted(&text, FormEvent::Str(text))),
            FormEvent::BorrowedStr(text) => to.receive(place.noted(&text, FormEvent::BorrowedStr(text))),
            FormEvent::String(text) => {
                place.note(&text);
                to.receive(FormEvent::String(text))
            }
            FormEvent::Bytes(bytes) => to.receive(FormEvent::Bytes(bytes)),
            FormEvent::BorrowedBytes(bytes) => to.receive(FormEvent::BorrowedBytes(bytes)),
            FormEvent::ByteBuf(bytes) => to.receive(FormEvent::ByteBuf(bytes)),
            FormEvent::None => to.receive(FormEvent::None),
            FormEvent::Unit => to.receive(FormEvent::Unit),
        }
    }
}

impl<'s, 'de: 's> Sower<'de> for Strict<'_, &mut (dyn Sower<'s> + '_)> {
    fn sow(&mut self, form: &mut dyn ReadForm<'de>) -> Result<(), FormError> {
        self.inner.sow(&mut self.place.wrap(form))
    }
}

impl<'s, 'de: 's> SeqForm<'s> for Strict<'_, &mut (dyn SeqForm<'de> + '_)> {
    fn sow_next(&mut self, to: &mut dyn Sower<'s>) -> Result<bool, FormError> {
        self.inner.sow_next(&mut self.place.wrap(to))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'s, 'de: 's> MapForm<'s> for Strict<'_, &mut (dyn MapForm<'de> + '_)> {
    /// Reads a key, and notes it if it is a scalar or text.
    fn sow_key(&mut self, to: &mut dyn Sower<'s>) -> Result<bool, FormError> {
        let key = StrictPlace { is_key: true, ..self.place.part() };
        self.inner.sow_key(&mut key.wrap(to))
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'s>) -> Result<(), FormError> {
        self.inner.sow_value(&mut self.place.wrap(to))
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'s, 'de: 's> EnumForm<'s> for Strict<'_, &mut (dyn EnumForm<'de> + '_)> {
    fn variant(&mut self, to: &mut dyn Sower<'s>) -> Result<(), FormError> {
        self.inner.variant(&mut self.place.wrap(to))
    }

    fn unit(&mut self) -> Result<(), FormError> {
        self.inner.unit()
    }

    fn newtype(&mut self, to: &mut dyn Sower<'s>) -> Result<(), FormError> {
        self.inner.newtype(&mut self.place.wrap(to))
    }

    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'s>) -> Result<(), FormError> {
        self.inner.tuple(length, &mut self.place.wrap(to))
    }

    fn fields(&mut self, names: &'static [&'static str], to: &mut dyn Receiver<'s>) -> Result<(), FormError> {
        self.inner.fields(names, &mut self.place.with_fields(names).wrap(to))
    }
}
