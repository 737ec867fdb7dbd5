//! A reader of JSON that knows where everything stands, for definitions that are read while a program is compiled.
//!
//! All of RFC 8259 and nothing else: no comments, no commas at the end. What the definitions of components do not want is
//! refused here where it can be: a key that is there twice, and nesting beyond [`DEEPEST`], which would end in a stack
//! overflow of the compiler.

mod read;

pub(crate) use read::parse;

/// The limit of nested lists and objects.
pub(crate) const DEEPEST: usize = 64;

/// A place in a file: both numbers begin with 1, and a column is a character.
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

/// A value at its place.
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
    /// A number as it is written: what it may be is for others to say.
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
