//! The layout of a described type as text: what the trace of `Deserialize` finds for a type of serde, read from the description.

use alloc::string::String;
use alloc::vec::Vec;
use core::ptr;

use super::description::{Number, Parts, Shape, Style, TypeOf, ValueType};

/// The layout of a type while it is written, in passes, each of which has one more variant of each enum.
///
/// The text is that of the trace of a type which serde reads, so that files stay the same when a type gets a description.
pub(crate) struct TypeLayout<'l> {
    /// Adds text.
    add: &'l mut dyn FnMut(&str),
    /// Adds the layout of a part that serde reads. Returns whether values of the part may contain ids.
    by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    /// For each enum: its type, and the number of variants that were written so far.
    enums: Vec<(&'static ValueType, usize)>,
    /// The types that surround the current one.
    open: Vec<&'static ValueType>,
    /// The number of surrounding types within themselves: their options and sequences are empty.
    repeated: usize,
    has_ids: bool,
}

impl<'l> TypeLayout<'l> {
    /// Writes the layout of a type. Returns whether values may contain ids.
    pub(crate) fn write(
        of: &'static ValueType,
        add: &'l mut dyn FnMut(&str),
        by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    ) -> bool {
        let (enums, open) = (Vec::new(), Vec::new());
        let mut layout = Self { add, by_serde, enums, open, repeated: 0, has_ids: false };
        loop {
            layout.value(of);
            if layout.enums.iter().all(|(of, seen)| *seen >= of.variant_names().len()) {
                return layout.has_ids;
            }
            (layout.add)(" | ");
        }
    }

    fn value(&mut self, of: &'static ValueType) {
        match &of.shape {
            Shape::Bool => (self.add)("bool"),
            Shape::Char => (self.add)("char"),
            Shape::Number(number) => (self.add)(number.name()),
            Shape::Unit(_) => (self.add)("()"),
            Shape::Text(_) => (self.add)("str"),
            Shape::Entity => {
                self.has_ids = true;
                (self.add)("Entity");
            }
            Shape::Option(_) if self.repeated > 0 => (self.add)("?"),
            Shape::Option(option) => self.between("Option<", ">", option.item),
            Shape::Wrapper(wrapper) => self.value((wrapper.item)()),
            Shape::List(_) if self.repeated > 0 => (self.add)("[]"),
            Shape::List(list) => self.between("[", "]", list.item),
            Shape::Map(_) if self.repeated > 0 => (self.add)("map{}"),
            Shape::Map(map) => {
                self.between("map{", ": ", map.key);
                self.between("", "}", map.value);
            }
            Shape::Array(item, len) => self.list("(", ")", (0..*len).map(|_| ("", *item))),
            Shape::Struct(_, parts) => self.within(of, |layout| layout.parts(parts, false)),
            Shape::Enum(_) => self.within(of, |layout| layout.variant(of)),
            Shape::Serde(_) => {
                let (text, has_ids) = (self.by_serde)(of);
                self.has_ids |= has_ids;
                (self.add)(&text);
            }
        }
    }

    fn between(&mut self, open: &str, close: &str, of: TypeOf) {
        (self.add)(open);
        self.value(of());
        (self.add)(close);
    }

    /// Writes a type that may contain itself.
    fn within(&mut self, of: &'static ValueType, write: impl FnOnce(&mut Self)) {
        let repeats = self.open.iter().any(|open| ptr::eq(*open, of));
        self.open.push(of);
        self.repeated += usize::from(repeats);
        write(self);
        self.repeated -= usize::from(repeats);
        self.open.pop();
    }

    fn list(&mut self, open: &str, close: &str, parts: impl Iterator<Item = (&'static str, TypeOf)>) {
        (self.add)(open);
        for (at, (name, of)) in parts.enumerate() {
            if at > 0 {
                (self.add)(", ");
            }
            if !name.is_empty() {
                (self.add)(name);
                (self.add)(": ");
            }
            self.value(of());
        }
        (self.add)(close);
    }

    /// Writes the parts of a struct or a variant.
    fn parts(&mut self, parts: &'static Parts, is_variant: bool) {
        let fields = parts.fields.iter().filter(|field| !field.skipped);
        match parts.style {
            Style::Named => self.list("{", "}", fields.map(|field| (field.name, field.of))),
            Style::Newtype if !is_variant => fields.for_each(|field| self.value((field.of)())),
            Style::Newtype | Style::Tuple => self.list("(", ")", fields.map(|field| ("", field.of))),
            Style::Unit => {}
        }
    }

    /// Writes the next variant of an enum.
    fn variant(&mut self, of: &'static ValueType) {
        let Shape::Enum(enumeration) = &of.shape else { return };
        // two enums with the same names of variants count as one, as in the trace of a type of serde
        let known = self.enums.iter().position(|(known, _)| known.variant_names() == enumeration.names);
        let at = known.unwrap_or_else(|| {
            self.enums.push((of, 0));
            self.enums.len() - 1
        });
        let seen = self.enums[at].1;
        self.enums[at].1 += 1;
        let Some(variant) = enumeration.variants.get(seen).or(enumeration.variants.first()) else { return };
        if seen == 0 {
            (self.add)("enum[");
            (self.add)(&enumeration.names.join(" "));
            (self.add)("]");
        }
        (self.add)("::");
        (self.add)(variant.name);
        // a type within itself that has all its variants ends here
        if self.repeated == 0 || seen < enumeration.variants.len() {
            self.parts(&variant.parts, true);
        }
    }
}

impl Number {
    /// The name of the type as which serde writes the number.
    fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 | Self::Usize => "u64",
            Self::U128 => "u128",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 | Self::Isize => "i64",
            Self::I128 => "i128",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl ValueType {
    fn variant_names(&self) -> &'static [&'static str] {
        match &self.shape {
            Shape::Enum(of) => of.names,
            _ => &[],
        }
    }

    /// Whether each value that was written can be read: no part is read by serde, or by a function that may refuse a value.
    pub(crate) fn is_certain(&'static self) -> bool {
        self.is_certain_within(&mut Vec::new())
    }

    fn is_certain_within(&'static self, open: &mut Vec<&'static Self>) -> bool {
        if open.iter().any(|of| ptr::eq(*of, self)) {
            return true;
        }
        if self.check.is_some() {
            return false;
        }
        open.push(self);
        let mut part = |of: TypeOf| of().is_certain_within(open);
        let is_certain = match &self.shape {
            Shape::Serde(_) => false,
            Shape::Option(option) => part(option.item),
            Shape::Wrapper(wrapper) => part(wrapper.item),
            Shape::List(list) => part(list.item),
            Shape::Map(map) => part(map.key) && part(map.value),
            Shape::Array(item, _) => part(*item),
            Shape::Struct(_, parts) => parts.fields.iter().all(|field| field.skipped || part(field.of)),
            Shape::Enum(of) => {
                let mut fields = of.variants.iter().flat_map(|variant| variant.parts.fields);
                fields.all(|field| field.skipped || part(field.of))
            }
            _ => true,
        };
        open.pop();
        is_certain
    }
}
