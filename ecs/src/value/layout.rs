//! The layout of a described type as text: what the trace of `Deserialize` finds for a type of
//! serde, read from the description.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::TypeId;

use super::description::{EnumType, FieldList, Style, TypeOf, ValueShape, ValueType};

/// The form of a layout. A type has the first one that tells all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LayoutForm {
    /// That of the first trace of a type of serde, which ends at some depth.
    First,
    /// That of its second trace, which is of any depth. A type that contains itself has another
    /// form.
    Whole,
    /// Each type is written once, with all variants of an enum, and then is a number.
    Numbered,
}

/// The layout of a type while it is written. The forms that are traces consist of passes, each of
/// which has one more variant of each enum.
///
/// Their text is that of the trace of a type which serde reads, so that files stay the same when a
/// type gets a description.
pub(crate) struct TypeLayout<'l> {
    form: LayoutForm,
    /// Whether a part was left out.
    is_partial: bool,
    /// Adds text. Returns whether the first trace ends here.
    add: &'l mut dyn FnMut(&str) -> bool,
    /// Adds the layout of a part that serde reads. Returns whether values of the part may contain
    /// ids.
    by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    enums: Vec<MetEnum>,
    /// The types that surround the current one; of numbered types all that were met.
    open: Vec<TypeId>,
    depth: usize,
    /// The number of texts that may still be added.
    left: usize,
    /// Whether this pass has a variant that the passes before it lack.
    is_new: bool,
    has_ids: bool,
}

/// An enum that was met: two with the same names of variants count as one in the first trace.
struct MetEnum {
    of: &'static ValueType,
    /// The number of variants that were written so far.
    seen: usize,
}

/// The nesting beyond which options and sequences are empty in the first trace.
const DEEP: usize = 6;
/// The nesting at which the traces end.
const DEEPEST: [usize; 2] = [40, 200];
/// The number of texts at which the traces end.
const MOST: usize = 1 << 16;

impl<'l> TypeLayout<'l> {
    /// Writes the layout of a type. Returns whether values may contain ids; `None` if the form does
    /// not tell all of the type.
    pub(crate) fn write(
        of: &'static ValueType,
        form: LayoutForm,
        add: &'l mut dyn FnMut(&str) -> bool,
        by_serde: &'l mut dyn FnMut(&'static ValueType) -> (String, bool),
    ) -> Option<bool> {
        let (enums, open) = (Vec::new(), Vec::new());
        let (is_partial, has_ids) = (false, false);
        let mut layout = Self {
            form,
            is_partial,
            add,
            by_serde,
            enums,
            open,
            depth: 0,
            left: MOST,
            is_new: false,
            has_ids,
        };
        loop {
            layout.is_new = false;
            layout.value(of);
            if layout.is_partial {
                return None;
            }
            if layout.enums.iter().all(|met| met.seen >= met.of.variant_names().len()) {
                return Some(layout.has_ids);
            }
            if !layout.is_new {
                // all passes would be equal: an enum is in a variant that is not written again
                return None;
            }
            layout.text(" | ");
        }
    }

    fn text(&mut self, text: &str) {
        self.is_partial |= (self.add)(text);
        if self.form != LayoutForm::Numbered {
            self.left = self.left.saturating_sub(1);
            self.is_partial |= self.left == 0;
        }
    }

    /// Whether options and sequences are empty here.
    fn is_deep(&mut self) -> bool {
        let is_deep = self.form == LayoutForm::First && self.depth > DEEP;
        self.is_partial |= is_deep;
        is_deep
    }

    fn value(&mut self, of: &'static ValueType) {
        if self.form == LayoutForm::Numbered
            && matches!(of.shape, ValueShape::Struct(..) | ValueShape::Enum(_))
        {
            if let Some(number) = self.open.iter().position(|met| *met == of.id) {
                return self.text(&format!("#{number}"));
            }
            self.open.push(of.id);
        }
        match &of.shape {
            ValueShape::Scalar(ty) => self.text(ty.name()),
            ValueShape::Usize => self.text("u64"),
            ValueShape::Isize => self.text("i64"),
            ValueShape::Unit(_) | ValueShape::Undescribed => self.text("()"),
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
            ValueShape::Array(item, len) if self.form == LayoutForm::Numbered => {
                self.text(&format!("{len} of "));
                self.value(item());
            }
            ValueShape::Array(item, len) => self.list("(", ")", Some(of), (0..*len).map(|_| ("", *item))),
            ValueShape::Struct(_, parts) => self.parts(parts, Some(of)),
            ValueShape::Enum(enumeration) if self.form == LayoutForm::Numbered => {
                self.text("enum[");
                for variant in enumeration.variants {
                    self.text("::");
                    self.text(variant.name);
                    self.parts(&variant.parts, None);
                }
                self.text("]");
            }
            ValueShape::Enum(enumeration) => self.variant(of, enumeration),
            ValueShape::Serde(_) => {
                let (text, has_ids) = (self.by_serde)(of);
                self.has_ids |= has_ids;
                self.text(&text);
            }
        }
    }

    /// Writes the parts of a type, which may contain itself; `None` for a variant, whose enum is
    /// open already.
    fn within(&mut self, of: Option<&'static ValueType>, write: impl FnOnce(&mut Self)) {
        if self.form == LayoutForm::Numbered {
            return write(self);
        }
        let is_whole = self.form == LayoutForm::Whole;
        let is_within_itself = of.is_some_and(|of| is_whole && self.open.contains(&of.id));
        if is_within_itself || self.depth == DEEPEST[usize::from(is_whole)] {
            self.is_partial = true;
        }
        // a trace that is not complete is not used
        if self.is_partial {
            return;
        }
        self.open.extend(of.map(|of| of.id));
        self.depth += 1;
        write(self);
        self.depth -= 1;
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
                if layout.is_partial {
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
    fn variant(&mut self, of: &'static ValueType, enumeration: &'static EnumType) {
        let is_whole = self.form == LayoutForm::Whole;
        let is_same =
            |met: &MetEnum| met.of.variant_names() == enumeration.names && (!is_whole || met.of.id == of.id);
        let known = self.enums.iter().position(is_same);
        let at = known.unwrap_or_else(|| {
            self.enums.push(MetEnum { of, seen: 0 });
            self.enums.len() - 1
        });
        let met = &mut self.enums[at];
        self.is_partial |= met.of.id != of.id;
        let seen = met.seen;
        met.seen += 1;
        self.is_new |= seen < enumeration.variants.len();
        // a trace reads the last variant again, or the first one
        let index = match enumeration.variants.len() {
            count if seen < count => seen,
            count if is_whole => count.saturating_sub(1),
            _ => 0,
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
    }
}

impl ValueType {
    fn variant_names(&self) -> &'static [&'static str] {
        match &self.shape {
            ValueShape::Enum(of) => of.names,
            _ => &[],
        }
    }

    /// Whether each value that was written can be read: no part is read by serde, or by a function
    /// that may refuse a value.
    pub(crate) fn is_certain(&'static self) -> bool {
        self.is_certain_beside(&mut Vec::new())
    }

    /// [`is_certain`](Self::is_certain), if the types that were met are.
    fn is_certain_beside(&'static self, met: &mut Vec<TypeId>) -> bool {
        if met.contains(&self.id) {
            return true;
        }
        if self.check.is_some() {
            return false;
        }
        met.push(self.id);
        let mut part = |of: TypeOf| of().is_certain_beside(met);
        match &self.shape {
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
        }
    }
}
