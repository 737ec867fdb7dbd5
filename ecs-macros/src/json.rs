//! A reader of JSON that keeps the position of every value, for definitions that are read at
//! compile time.
//!
//! It reads RFC 8259 without extensions: no comments, no trailing commas. It also refuses a
//! duplicate key, and nesting beyond [`DEEPEST`], which would overflow the compiler's stack.

mod read;

pub(crate) use read::parse;

/// The limit of nested lists and objects.
pub(crate) const DEEPEST: usize = 64;

/// A position in a file. Lines and columns begin with 1; a column is a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A syntax error with its position.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Mistake {
    pub(crate) place: Place,
    pub(crate) message: String,
}

impl Place {
    /// The position with a message.
    pub(crate) fn wrong(self, message: impl Into<String>) -> Mistake {
        Mistake { place: self, message: message.into() }
    }
}

/// A value with its position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Value {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// The text of a number. Its type is decided in `model`.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) key: String,
    pub(crate) value: Value,
}

impl Value {
    /// The noun for the kind of value, for messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self.kind {
            Kind::Null => "`null`",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a string",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}
