//! [`Tracer`]: records the requests of a type's `Deserialize`, pass by pass, until all variants of
//! its enums and all fields of its structs are recorded. Its answers to the requests are in
//! `request`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use super::Layout;
use super::request::{LayoutParts, OfferedFields};
use crate::persist::compact::DEPTH;
use crate::persist::erased::read::{FormEvent, Receiver};
use crate::persist::erased::{FormError, ReadForm};
use crate::save::sum::Checksum;

/// The nesting beyond which dummy sequences are empty, so that recursive types end.
const DEEP: usize = 6;
/// The nesting at which recording stops.
const DEEPEST: usize = 40;
/// The approximate maximal length of the text, in bytes. A hash stands for the rest of a longer
/// one.
pub(super) const LONGEST: usize = 4000;
/// The number of requests after which the trace of a whole type stops.
const MOST: usize = 1 << 20;

/// An enum that was met.
pub(super) struct RecordedEnum {
    /// The names of its variants.
    names: String,
    /// The name of its type.
    of: &'static str,
    count: usize,
    /// The number of variants recorded so far.
    seen: usize,
    /// A variant whose dummy value was accepted.
    pub(super) accepted: Option<usize>,
}

/// A struct of which a field rejected its dummy value.
struct RejectingStruct {
    /// The name of its type.
    of: &'static str,
    fields: &'static [&'static str],
    /// The fields that reject their values, the one that was offered last at the end.
    rejecting: Vec<usize>,
    /// The names that belong to fields with another name in the list.
    aliases: Vec<usize>,
}

pub(super) struct Tracer {
    /// Whether the whole type is recorded.
    whole: bool,
    pub(super) text: String,
    /// The hash of the text beyond [`LONGEST`].
    rest: Checksum,
    has_rest: bool,
    /// The number of requests so far.
    requests: usize,
    depth: usize,
    pub(super) asks: bool,
    /// Whether an id was read, or the rest of a value was not recorded.
    pub(super) has_ids: bool,
    /// Whether a part of the type was not recorded.
    pub(super) is_partial: bool,
    /// Whether a value is read by unknown code, or converted after it was read.
    is_converted: bool,
    /// The name of the type that makes the next request, if it is known.
    pub(super) asking: Option<&'static str>,
    pub(super) enums: Vec<RecordedEnum>,
    /// The enums of this pass. Two enums with the same names count as one in the first trace, so
    /// that not all variants of both are recorded.
    met: Vec<usize>,
    structs: Vec<RejectingStruct>,
    /// The names of the types that surround the current request.
    open: Vec<&'static str>,
    /// The number of surrounding types within themselves: their options and sequences are empty.
    repeated: usize,
    /// Whether this pass has recorded something new.
    is_new: bool,
}

/// Whether a visitor is a derived one, or one of `serde` or of this library.
fn is_known_visitor(name: &str) -> bool {
    let of_crate = ["serde::de::impls::", "serde_core::de::impls::", concat!(env!("CARGO_CRATE_NAME"), "::")];
    of_crate.iter().any(|prefix| name.starts_with(prefix)) || is_derived(name)
}

/// Whether a visitor is one of a derive.
pub(super) fn is_derived(name: &str) -> bool {
    name.contains("::_::<impl serde") && name.contains("::__Visitor")
}

/// Whether values of type `value` are those of type `of`, perhaps in a box.
fn is_same(of: &str, value: &str) -> bool {
    let boxed = of.strip_prefix("alloc::boxed::Box<").and_then(|of| of.strip_suffix('>'));
    of == value || boxed == Some(value) || (boxed == Some("str") && value == "alloc::string::String")
}

impl Tracer {
    pub(super) fn new(whole: bool) -> Self {
        Self {
            whole,
            text: String::with_capacity(128),
            rest: Checksum::new(),
            has_rest: false,
            requests: 0,
            depth: 0,
            asks: false,
            has_ids: false,
            is_partial: false,
            is_converted: false,
            asking: None,
            enums: Vec::new(),
            met: Vec::new(),
            structs: Vec::new(),
            open: Vec::new(),
            repeated: 0,
            is_new: false,
        }
    }

    /// Calls a function that reads a value until nothing new is recorded. It returns `false` if a
    /// dummy value was rejected. `of` is the name of the value's type, if it is known.
    pub(super) fn trace(&mut self, of: Option<&'static str>, read: &dyn Fn(&mut dyn ReadForm<'_>) -> bool) {
        let mut idle = 0;
        loop {
            (self.depth, self.repeated, self.is_new) = (0, 0, false);
            self.asking = of;
            self.met.clear();
            self.open.clear();
            if !read(self) {
                self.add("!");
                self.is_partial = true;
            }
            let more = self.enums.iter().any(|of| of.seen < of.count);
            let done = if self.whole {
                // a field that rejects its value hides those after it, so it takes turns with the
                // others
                idle = if self.is_new { 0 } else { idle + 1 };
                let turns: usize = self.structs.iter().map(|of| of.rejecting.len()).sum();
                !(more || self.is_partial) || idle > turns || self.requests > MOST
            } else {
                !more || self.text.len() > LONGEST
            };
            if done {
                self.is_partial |= more;
                return;
            }
            self.add(" | ");
        }
    }

    pub(super) fn finish(mut self, former: Option<String>) -> Layout {
        if self.has_rest {
            self.text.push_str(&format!("#{:016x}", self.rest.finish()));
        }
        Layout {
            former: former.filter(|former| *former != self.text),
            text: self.text,
            asks: self.asks,
            has_ids: self.has_ids | self.is_partial,
            is_certain: !self.is_partial && !self.is_converted,
        }
    }

    /// Adds text. Returns whether a first trace has become too long.
    pub(super) fn add(&mut self, text: &str) -> bool {
        let is_long = self.text.len() > LONGEST;
        if self.whole && is_long {
            self.rest.add(text.as_bytes());
            self.has_rest = true;
        } else {
            self.text.push_str(text);
        }
        is_long && !self.whole
    }

    pub(super) fn note(&mut self, text: &str) -> Result<(), FormError> {
        self.requests += 1;
        if if self.whole { self.requests > MOST } else { self.text.len() > LONGEST } {
            return Err(FormError::end());
        }
        self.add(text);
        Ok(())
    }

    /// Notes the visitor of a request.
    pub(super) fn visited_by(&mut self, to: &dyn Receiver<'_>) {
        let is_whole = self.asking.take().is_some_and(|of| is_same(of, to.value_name()));
        self.is_converted |= !is_whole || !is_known_visitor(to.visitor_name());
    }

    pub(super) fn nested<T>(
        &mut self,
        (open, close): (&str, &str),
        of: Option<&'static str>,
        read: impl FnOnce(&mut Self) -> Result<T, FormError>,
    ) -> Result<T, FormError> {
        self.note(open)?;
        if self.depth == if self.whole { DEPTH as usize } else { DEEPEST } {
            return Err(FormError::end());
        }
        let repeats = of.is_some_and(|of| self.whole && self.open.contains(&of));
        self.open.extend(of);
        self.repeated += usize::from(repeats);
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        self.repeated -= usize::from(repeats);
        self.open.truncate(self.open.len() - usize::from(of.is_some()));
        self.note(close)?;
        Ok(value)
    }

    /// Whether sequences and options are empty here.
    pub(super) fn is_deep(&mut self) -> bool {
        if self.whole {
            return self.repeated > 0;
        }
        self.is_partial |= self.depth > DEEP;
        self.depth > DEEP
    }

    /// The number of elements of a dummy sequence.
    pub(super) fn few(&mut self) -> usize {
        usize::from(!self.is_deep())
    }

    /// Chooses the variant of an enum. Returns its position in `enums`, its index, and whether the
    /// enum is met for the first time.
    pub(super) fn variant(&mut self, names: &str, of: &'static str, count: usize) -> (usize, usize, bool) {
        let known =
            self.enums.iter().position(|known| known.names == names && (!self.whole || known.of == of));
        let at = known.unwrap_or_else(|| {
            let new = RecordedEnum { names: names.into(), of, count, seen: 0, accepted: None };
            self.enums.push(new);
            self.enums.len() - 1
        });
        self.is_partial |= self.met.contains(&at) && self.enums[at].of != of;
        self.met.push(at);
        let known = &mut self.enums[at];
        let is_unseen = known.seen < known.count;
        let index = match known.accepted.filter(|_| self.whole) {
            _ if is_unseen => known.seen,
            Some(accepted) => accepted,
            // a type within itself that has no other variant would not end
            None if self.repeated > 0 => count,
            None => 0,
        };
        let is_first = known.seen == 0;
        known.seen += 1;
        self.is_new |= is_unseen;
        (at, index, is_first)
    }

    /// Offers the fields of a struct. `of` is the name of its type.
    pub(super) fn fields<'de>(
        &mut self,
        fields: &'static [&'static str],
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        let of = to.visitor_name();
        let known = self.structs.iter().position(|known| known.of == of && known.fields == fields);
        let Some(at) = known.filter(|_| self.whole) else {
            let value = to.receive(FormEvent::Seq(&mut LayoutParts::named(self, fields)));
            if value.is_err() && self.whole {
                self.is_new = true;
                self.structs.push(RejectingStruct { of, fields, rejecting: Vec::new(), aliases: Vec::new() });
            }
            return value;
        };
        let known = &self.structs[at];
        let accepted = (0..fields.len())
            .filter(|field| !known.rejecting.contains(field) && !known.aliases.contains(field));
        let order: Vec<usize> = accepted.chain(known.rejecting.iter().copied()).collect();
        let offered = Cell::new(None);
        let mut offers = OfferedFields { tracer: self, fields, order: order.into_iter(), offered: &offered };
        let value = to.receive(FormEvent::Map(&mut offers));
        if let (Err(_), Some((field, is_requested))) = (&value, offered.get()) {
            let known = &mut self.structs[at];
            let list = if is_requested { &mut known.rejecting } else { &mut known.aliases };
            self.is_new |= !list.contains(&field);
            list.retain(|other| *other != field);
            list.push(field);
        }
        value
    }
}
