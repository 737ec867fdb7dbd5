//! Text that is built at compile time for panics in constants, and at run time for errors.

use crate::base::bits256::Bits256;
use crate::base::component_set::ComponentSet;

/// The name of a parameter, after the names of the parameters that it is inside of.
#[derive(Clone, Copy)]
pub(crate) struct ParamPath<'a> {
    names: [&'a str; 8],
    len: usize,
}

impl<'a> ParamPath<'a> {
    /// The path of a system's own parameter.
    pub(crate) const fn of(name: &'a str) -> Self {
        let mut names = [""; 8];
        names[0] = name;
        Self { names, len: 1 }
    }

    /// The path of a parameter inside of this one. Names beyond the eighth are left out.
    pub(crate) const fn then(mut self, name: &'a str) -> Self {
        if self.len < self.names.len() {
            self.names[self.len] = name;
            self.len += 1;
        }
        self
    }
}

/// A text of at most 768 bytes; text beyond that is cut off.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    bytes: [u8; 768],
    len: usize,
}

/// A [`Message`] of several pieces: literals, and calls of its methods. A message before `=>` is the
/// beginning.
macro_rules! message {
    (@ [$($done:tt)*]) => { $($done)* };
    (@ [$($done:tt)*] $text:literal $($more:tt)*) => { message!(@ [$($done)* .text($text)] $($more)*) };
    (@ [$($done:tt)*] $method:ident $args:tt $($more:tt)*) => { message!(@ [$($done)* .$method $args] $($more)*) };
    ($first:literal $($more:tt)*) => { message!(@ [$crate::base::message::Message::new()] $first $($more)*) };
    ($start:expr => $($more:tt)*) => { message!(@ [$start] $($more)*) };
}
pub(crate) use message;

impl Message {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; 768], len: 0 }
    }

    pub(crate) const fn text(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    pub(crate) const fn quoted(self, name: &str) -> Self {
        self.text("`").text(name).text("`")
    }

    /// Adds the name of a parameter, quoted; `_` is a filter, which has no name.
    pub(crate) const fn parameter(self, name: &str) -> Self {
        match name.as_bytes() {
            b"_" => self.text("`_` (a filter)"),
            _ => self.quoted(name),
        }
    }

    /// Adds the name of a parameter and of the parameters that it is inside of, quoted: ``
    /// `hunt.prey` ``.
    pub(crate) const fn path(self, path: &ParamPath<'_>) -> Self {
        if path.len == 1 {
            return self.parameter(path.names[0]);
        }
        let (mut text, mut i) = (self.text("`").text(path.names[0]), 1);
        while i < path.len {
            text = text.text(".").text(path.names[i]);
            i += 1;
        }
        text.text("`")
    }

    /// Adds the names of the components in a set, quoted and separated by commas.
    pub(crate) const fn components(mut self, set: ComponentSet, names: &[&str]) -> Self {
        let (mut i, mut first) = (0, true);
        while i < names.len() {
            if set.contains(i) {
                self = if first { self } else { self.text(", ") }.quoted(names[i]);
                first = false;
            }
            i += 1;
        }
        self
    }

    /// Adds the name of the first resource in a set, quoted.
    pub(crate) const fn resource(self, set: Bits256, names: &[&str]) -> Self {
        let mut i = 0;
        while i < names.len() {
            if set.contains(i) {
                return self.quoted(names[i]);
            }
            i += 1;
        }
        self
    }

    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the message was cut off within a character",
        }
    }
}
