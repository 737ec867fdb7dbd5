//! [`Overlay`]: a form that lays the values of a file over an existing value, which is a tree.
//! Structs are overridden field by field, all other values as a whole.
//!
//! The fields of the file come first, while the file's deserializer is at their position, so that
//! an error has the right position. Then come the fields of the existing value that the file does
//! not contain.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::Error as _;

use super::strict::no_field;
use crate::base::nearest::quoted;
use crate::persist::erased::read::{FormEvent, Hint, MapForm, Receiver, Sower, read_text, sow_name};
use crate::persist::erased::{FormError, ReadForm};
use crate::value::tree::{DynamicValue, Omitted, read_exact_tree};

/// The parts of a value that a file overrides.
#[derive(Default)]
pub(super) enum Overridden {
    /// The whole value.
    #[default]
    Whole,
    /// Some fields of the value, by name.
    Fields(Vec<(String, Overridden)>),
}

/// A form of a file, laid over an existing value.
pub(super) struct Overlay<'o, 'de> {
    pub(super) file: &'o mut dyn ReadForm<'de>,
    pub(super) base: &'de DynamicValue,
    /// The fields that `Serialize` has omitted from the existing value.
    pub(super) omitted: &'de Omitted,
    /// Output: the parts that the file overrides.
    pub(super) overridden: &'o mut Overridden,
}

impl<'de> ReadForm<'de> for Overlay<'_, 'de> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        let (Hint::Struct(_, known), DynamicValue::Struct(fields)) = (hint, self.base) else {
            return self.file.read(hint, to);
        };
        let (omitted, overridden) = (self.omitted, &mut *self.overridden);
        self.file.read(hint, &mut OverlayReceiver { to, fields, known, omitted, overridden })
    }

    fn is_human_readable(&self) -> bool {
        self.file.is_human_readable()
    }
}

/// The receiver of a struct that is overridden. A sequence has no field names, so it overrides all
/// fields.
struct OverlayReceiver<'o, 'de> {
    to: &'o mut dyn Receiver<'de>,
    fields: &'de [(String, DynamicValue)],
    known: &'static [&'static str],
    omitted: &'de Omitted,
    overridden: &'o mut Overridden,
}

impl<'de> Receiver<'de> for OverlayReceiver<'_, 'de> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.expecting(f)
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        let FormEvent::Map(file) = event else { return self.to.receive(event) };
        let mut overridden = Vec::new();
        let Self { fields, known, omitted, .. } = *self;
        let (rest, base) = (fields.iter(), None);
        let has_more = true;
        let map =
            OverlayMap { file, fields, known, omitted, overridden: &mut overridden, has_more, rest, base };
        let received = self.to.receive(FormEvent::Map(&mut { map }));
        *self.overridden = Overridden::Fields(overridden);
        received
    }
}

/// The fields of a struct: first those of the file, then the others of the existing value.
struct OverlayMap<'o, 'de> {
    file: &'o mut dyn MapForm<'de>,
    fields: &'de [(String, DynamicValue)],
    known: &'static [&'static str],
    omitted: &'de Omitted,
    overridden: &'o mut Vec<(String, Overridden)>,
    /// Whether the next field may be one of the file.
    has_more: bool,
    /// The fields of the existing value that come next, after those of the file.
    rest: core::slice::Iter<'de, (String, DynamicValue)>,
    /// The field of the existing value that is read next.
    base: Option<&'de (String, DynamicValue)>,
}

impl OverlayMap<'_, '_> {
    /// Notes that the file overrides a field. Returns an error if it is unknown or occurs twice.
    fn note(&mut self, key: &str) -> Result<(), String> {
        self.base = self.fields.iter().find(|(name, _)| name == key);
        if self.base.is_none() && !self.known.contains(&key) {
            return Err(no_field(key, self.known));
        }
        if self.base.is_none() && !self.omitted.contains(key) {
            let names = quoted(self.fields.iter().map(|(name, _)| name));
            return Err(format!(
                "`Serialize` does not write a field `{key}`, so the file cannot override it; it writes {names}"
            ));
        }
        if self.overridden.iter().any(|(other, _)| other == key) {
            return Err(format!("field `{key}` occurs twice"));
        }
        self.overridden.push((key.into(), Overridden::Whole));
        Ok(())
    }
}

impl<'de> MapForm<'de> for OverlayMap<'_, 'de> {
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let mut key = String::new();
        self.has_more =
            self.has_more && self.file.key_by(|form| read_name(form, Hint::Identifier, &mut key))?;
        if self.has_more {
            self.note(&key).map_err(FormError::custom)?;
            return sow_name(&key, to).map(|()| true);
        }
        let is_left = |name: &str| self.overridden.iter().all(|(other, _)| other != name);
        let Some(field) = self.rest.find(|(name, _)| is_left(name)) else { return Ok(false) };
        self.base = Some(field);
        sow_name(&field.0, to).map(|()| true)
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let base = self.base.take();
        match (self.has_more, base, self.overridden.last_mut()) {
            (true, base, Some((_, overridden))) => {
                let (base, omitted) = match base {
                    Some((name, base)) => (base, self.omitted.of_field(name)),
                    None => (&DynamicValue::Unit, Omitted::NOTHING),
                };
                self.file.value_by(|file| to.sow(&mut Overlay { file, base, omitted, overridden }))
            }
            (false, Some((name, base)), _) => {
                read_exact_tree(base, &mut |form| to.sow(form)).map_err(|reason| {
                    FormError::custom(format_args!(
                        "field `{name}` of the value that is overridden: {reason}"
                    ))
                })
            }
            _ => Err(FormError::custom("a value without a key")),
        }
    }
}

/// Reads the name of a field.
pub(super) fn read_name(form: &mut dyn ReadForm<'_>, hint: Hint, to: &mut String) -> Result<(), FormError> {
    read_text(form, hint, &"the name of a field", &mut |name| *to = name.into())
}
