//! The layout of a described type as text: what the trace of `Deserialize` finds for a type of serde, read from the description.

use alloc::string::String;
use alloc::vec::Vec;
use core::ptr;

use super::description::{FieldList, Number, Style, TypeOf, ValueShape, ValueType};

/// The layout of a type while it is written, in passes, each of which has one more variant of each enum.
///
/// The text is that of the trace of a type which serde reads, so that files stay the same when a type gets a description. A first
/// trace ends at some depth. If a type is deeper, a second one writes the whole type, and ends where a type is within itself.
pub(crate) struct TypeLayout<'l> {
    is_whole: bool,
    /// Whether the first trace has left out a part.
    is_partial: bool,
    /// Adds text. Returns whether the first trace ends here.
    add: &'l mut dyn FnMut(&str) -> bool,
    /// Adds the layout of a part that serde reads. Returns whether values of the part may contain ids.
    by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    enums: Vec<MetEnum>,
    /// The types that surround the current one.
    open: Vec<&'static ValueType>,
    depth: usize,
    /// The number of surrounding types within themselves: their options and sequences are empty.
    repeated: usize,
    has_ids: bool,
}

/// An enum that was met: two with the same names of variants count as one in the first trace.
struct MetEnum {
    of: &'static ValueType,
    /// The number of variants that were written so far.
    seen: usize,
    /// The variant that was written to its end last.
    accepted: Option<usize>,
}

/// The nesting beyond which options and sequences are empty in the first trace.
const DEEP: usize = 6;
/// The nesting at which the traces end.
const DEEPEST: [usize; 2] = [40, 200];

impl<'l> TypeLayout<'l> {
    /// Writes the layout of a type. Returns whether values may contain ids; `None` if the first trace is partial.
    pub(crate) fn write(
        of: &'static ValueType,
        is_whole: bool,
        add: &'l mut dyn FnMut(&str) -> bool,
        by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    ) -> Option<bool> {
        let (enums, open) = (Vec::new(), Vec::new());
        let (is_partial, has_ids) = (false, false);
        let mut layout =
            Self { is_whole, is_partial, add, by_serde, enums, open, depth: 0, repeated: 0, has_ids };
        loop {
            layout.value(of);
            if layout.is_partial && !is_whole {
                return None;
            }
            if layout.enums.iter().all(|met| met.seen >= met.of.variant_names().len()) {
                return Some(layout.has_ids);
            }
            layout.text(" | ");
        }
    }

    fn text(&mut self, text: &str) {
        self.is_partial |= (self.add)(text);
    }

    /// Whether options and sequences are empty here.
    fn is_deep(&mut self) -> bool {
        if self.is_whole {
            return self.repeated > 0;
        }
        self.is_partial |= self.depth > DEEP;
        self.depth > DEEP
    }

    fn value(&mut self, of: &'static ValueType) {
        match &of.shape {
            ValueShape::Bool => self.text("bool"),
            ValueShape::Char => self.text("char"),
            ValueShape::Number(number) => self.text(number.name()),
            ValueShape::Unit(_) => self.text("()"),
            ValueShape::Text(_) => self.text("str"),
            ValueShape::Entity => {
                self.has_ids = true;
                self.text("Entity");
            }
            ValueShape::Wrapper(wrapper) => self.value((wrapper.item)()),
            ValueShape::Option(_) if self.is_deep() => self.text("?"),
            ValueShape::Option(option) => {
                self.text("Option<");
                self.within(Some(of), |layout| layout.value((option.item)()));
                self.text(">");
            }
            ValueShape::List(list) => {
                let count = usize::from(!self.is_deep());
                self.list("[", "]", Some(of), (0..count).map(|_| ("", list.item)));
            }
            ValueShape::Map(map) => {
                self.text("map{");
                if !self.is_deep() {
                    self.within(Some(of), |layout| {
                        layout.value((map.key)());
                        layout.text(": ");
                        layout.value((map.value)());
                    });
                }
                self.text("}");
            }
            ValueShape::Array(item, len) => self.list("(", ")", Some(of), (0..*len).map(|_| ("", *item))),
            ValueShape::Struct(_, parts) => self.parts(parts, Some(of)),
            ValueShape::Enum(_) => self.variant(of),
            ValueShape::Serde(_) => {
                let (text, has_ids) = (self.by_serde)(of);
                self.has_ids |= has_ids;
                self.text(&text);
            }
        }
    }

    /// Writes the parts of a type, which may contain itself; `None` for a variant, whose enum is open already.
    fn within(&mut self, of: Option<&'static ValueType>, write: impl FnOnce(&mut Self)) {
        if self.depth == DEEPEST[usize::from(self.is_whole)] {
            self.is_partial = true;
            return;
        }
        let repeats = of.is_some_and(|of| self.is_whole && self.open.iter().any(|open| ptr::eq(*open, of)));
        self.open.extend(of);
        self.repeated += usize::from(repeats);
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.repeated -= usize::from(repeats);
        self.open.truncate(self.open.len() - usize::from(of.is_some()));
    }

    fn list(
        &mut self,
        open: &str,
        close: &str,
        of: Option<&'static ValueType>,
        parts: impl Iterator<Item = (&'static str, TypeOf)>,
    ) {
        self.text(open);
        self.within(of, |layout| {
            for (at, (name, of)) in parts.enumerate() {
                if at > 0 {
                    layout.text(", ");
                }
                if !name.is_empty() {
                    layout.text(name);
                    layout.text(": ");
                }
                if layout.is_partial && !layout.is_whole {
                    return;
                }
                layout.value(of());
            }
        });
        self.text(close);
    }

    /// Writes the parts of a struct, or with `None` those of a variant.
    fn parts(&mut self, parts: &'static FieldList, of: Option<&'static ValueType>) {
        let fields = parts.fields.iter().filter(|field| !field.skipped);
        match parts.style {
            Style::Named => self.list("{", "}", of, fields.map(|field| (field.name, field.of))),
            Style::Newtype if of.is_some() => {
                self.within(of, |layout| fields.for_each(|field| layout.value((field.of)())));
            }
            Style::Newtype | Style::Tuple => self.list("(", ")", of, fields.map(|field| ("", field.of))),
            Style::Unit => {}
        }
    }

    /// Writes the next variant of an enum.
    fn variant(&mut self, of: &'static ValueType) {
        let ValueShape::Enum(enumeration) = &of.shape else { return };
        let is_same = |met: &MetEnum| {
            met.of.variant_names() == enumeration.names && (!self.is_whole || ptr::eq(met.of, of))
        };
        let known = self.enums.iter().position(is_same);
        let at = known.unwrap_or_else(|| {
            self.enums.push(MetEnum { of, seen: 0, accepted: None });
            self.enums.len() - 1
        });
        self.is_partial |= !ptr::eq(self.enums[at].of, of);
        let MetEnum { seen, accepted, .. } = self.enums[at];
        self.enums[at].seen += 1;
        let index = match accepted.filter(|_| self.is_whole) {
            _ if seen < enumeration.variants.len() => seen,
            Some(accepted) => accepted,
            // a type within itself that has no other variant would not end
            None if self.repeated > 0 => return,
            None => 0,
        };
        let Some(variant) = enumeration.variants.get(index) else { return };
        if seen == 0 {
            self.text("enum[");
            self.text(&enumeration.names.join(" "));
            self.text("]");
        }
        self.text("::");
        self.text(variant.name);
        self.within(Some(of), |layout| layout.parts(&variant.parts, None));
        self.enums[at].accepted = Some(index);
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
            ValueShape::Enum(of) => of.names,
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
            ValueShape::Serde(_) => false,
            ValueShape::Option(option) => part(option.item),
            ValueShape::Wrapper(wrapper) => part(wrapper.item),
            ValueShape::List(list) => part(list.item),
            ValueShape::Map(map) => part(map.key) && part(map.value),
            ValueShape::Array(item, _) => part(*item),
            ValueShape::Struct(_, parts) => parts.fields.iter().all(|field| field.skipped || part(field.of)),
            ValueShape::Enum(of) => {
                let mut fields = of.variants.iter().flat_map(|variant| variant.parts.fields);
                fields.all(|field| field.skipped || part(field.of))
            }
            _ => true,
        };
        open.pop();
        is_certain
    }
}
