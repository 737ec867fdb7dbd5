//! The answers of a [`Tracer`] to the requests of a type: dummy values.

use alloc::format;
use alloc::string::String;
use core::cell::Cell;

use serde::de::IntoDeserializer;
use serde::de::value::U32Deserializer;

use super::trace::{Tracer, is_derived};
use crate::entity::saved::ids::TOKEN;
use crate::persist::erased::read::{EnumForm, FormEvent, Hint, MapForm, Receiver, SeqForm, Sower, sow_name};
use crate::persist::erased::{FormError, ReadForm};
use crate::value::scalar::Scalar;

impl Tracer {
    /// Notes a value without parts, and gives a type the dummy.
    fn leaf<'de>(
        &mut self,
        text: &str,
        dummy: FormEvent<'_, 'de>,
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        self.note(text)?;
        to.receive(dummy)
    }
}

impl<'de> ReadForm<'de> for Tracer {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        match hint {
            Hint::NewtypeStruct(TOKEN) => {
                self.has_ids = true;
                self.asking = None;
                return self.leaf("Entity", FormEvent::Scalar(Scalar::U64(1 << 32)), to);
            }
            Hint::Identifier => {
                // a tag, of which only the first value is recorded
                self.is_partial = true;
                return to.receive(FormEvent::Scalar(Scalar::U32(0)));
            }
            Hint::Any | Hint::IgnoredAny => {
                self.asks = true;
                return self.leaf("any", FormEvent::Unit, to);
            }
            _ => self.visited_by(to),
        }
        let of = to.value_name();
        match hint {
            Hint::Scalar(ty) => self.leaf(ty.name(), FormEvent::Scalar(ty.dummy()), to),
            Hint::Str | Hint::String => self.leaf("str", FormEvent::Str("a"), to),
            Hint::Bytes | Hint::ByteBuf => self.leaf("bytes", FormEvent::Bytes(b"a"), to),
            Hint::Unit | Hint::UnitStruct(_) => self.leaf("()", FormEvent::Unit, to),
            Hint::Option if self.is_deep() => self.leaf("?", FormEvent::None, to),
            Hint::Option => self.nested(("Option<", ">"), Some(of), |tracer| {
                let content = of.strip_prefix("core::option::Option<");
                tracer.asking = content.and_then(|content| content.strip_suffix('>'));
                to.receive(FormEvent::Some(tracer))
            }),
            Hint::NewtypeStruct(_) => self.nested(("", ""), Some(of), |tracer| {
                // as a sequence, the derive names the type of its field
                match is_derived(to.visitor_name()) {
                    true => to.receive(FormEvent::Seq(&mut LayoutParts::new(tracer, 1))),
                    false => to.receive(FormEvent::NewtypeStruct(tracer)),
                }
            }),
            Hint::Seq => {
                let count = self.few();
                self.sequence(("[", "]"), Some(of), count, to)
            }
            Hint::Tuple(length) | Hint::TupleStruct(_, length) => {
                self.sequence(("(", ")"), Some(of), length, to)
            }
            Hint::Map => {
                let count = self.few();
                self.nested(("map{", "}"), Some(of), |tracer| {
                    to.receive(FormEvent::Map(&mut LayoutParts::new(tracer, count)))
                })
            }
            Hint::Struct(_, fields) => self.nested(("{", "}"), Some(of), |tracer| tracer.fields(fields, to)),
            Hint::Enum(_, variants) => {
                let names = variants.join(" ");
                let (at, index, is_first) = self.variant(&names, of, variants.len());
                let Some(variant) = variants.get(index) else { return Err(FormError::end()) };
                let listed = if is_first { format!("enum[{names}]") } else { String::new() };
                let open = format!("{listed}::{variant}");
                self.nested((&open, ""), Some(of), |tracer| {
                    to.receive(FormEvent::Enum(&mut TracedVariant { tracer, index: index as u32, of }))
                })?;
                self.enums[at].accepted = Some(index);
                Ok(())
            }
            Hint::Any | Hint::IgnoredAny | Hint::Identifier => Ok(()),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl Tracer {
    fn sequence<'de>(
        &mut self,
        brackets: (&str, &str),
        of: Option<&'static str>,
        length: usize,
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        self.nested(brackets, of, |tracer| to.receive(FormEvent::Seq(&mut LayoutParts::new(tracer, length))))
    }
}

/// The fields of a struct by name, in another order than that of the struct.
pub(super) struct OfferedFields<'t, 'o> {
    pub(super) tracer: &'t mut Tracer,
    pub(super) fields: &'static [&'static str],
    pub(super) order: alloc::vec::IntoIter<usize>,
    /// The last field, and whether its value was requested.
    pub(super) offered: &'o Cell<Option<(usize, bool)>>,
}

impl<'de> MapForm<'de> for OfferedFields<'_, '_> {
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let is_first = self.offered.get().is_none();
        let Some(field) = self.order.next() else {
            self.offered.set(None);
            return Ok(false);
        };
        self.offered.set(Some((field, false)));
        if !is_first {
            self.tracer.note(", ")?;
        }
        sow_name(self.fields[field], to).map(|()| true)
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        if let Some((field, _)) = self.offered.get() {
            self.offered.set(Some((field, true)));
            self.tracer.note(self.fields[field])?;
        }
        self.tracer.note(": ")?;
        self.tracer.asking = Some(to.value_name());
        to.sow(self.tracer)
    }
}

/// The elements of a sequence, the fields of a struct in its order, or the entries of a map.
pub(super) struct LayoutParts<'t> {
    tracer: &'t mut Tracer,
    left: usize,
    first: bool,
    names: &'static [&'static str],
}

impl<'t> LayoutParts<'t> {
    fn new(tracer: &'t mut Tracer, left: usize) -> Self {
        Self { tracer, left, first: true, names: &[] }
    }

    pub(super) fn named(tracer: &'t mut Tracer, names: &'static [&'static str]) -> Self {
        Self { tracer, left: names.len(), first: true, names }
    }
}

impl<'de> SeqForm<'de> for LayoutParts<'_> {
    fn sow_next(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        if !core::mem::take(&mut self.first) {
            self.tracer.note(", ")?;
        }
        if let [name, rest @ ..] = self.names {
            self.names = rest;
            self.tracer.note(name)?;
            self.tracer.note(": ")?;
        }
        self.tracer.asking = Some(to.value_name());
        to.sow(self.tracer).map(|()| true)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(1))
    }
}

impl<'de> MapForm<'de> for LayoutParts<'_> {
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        self.sow_next(to)
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        self.tracer.note(": ")?;
        self.tracer.asking = Some(to.value_name());
        to.sow(self.tracer)
    }
}

struct TracedVariant<'t> {
    tracer: &'t mut Tracer,
    index: u32,
    /// The name of the enum's type.
    of: &'static str,
}

impl<'de> EnumForm<'de> for TracedVariant<'_> {
    fn variant(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let index: U32Deserializer<FormError> = self.index.into_deserializer();
        to.sow(&mut <dyn ReadForm<'de>>::of(index))
    }

    fn unit(&mut self) -> Result<(), FormError> {
        Ok(())
    }

    fn newtype(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        self.tracer.nested(("(", ")"), None, |tracer| {
            tracer.asking = Some(to.value_name());
            to.sow(tracer)
        })
    }

    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by(to);
        self.tracer.sequence(("(", ")"), None, length, to)
    }

    fn fields(
        &mut self,
        names: &'static [&'static str],
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by(to);
        self.tracer.nested(("{", "}"), None, |tracer| tracer.fields(names, to))
    }
}
