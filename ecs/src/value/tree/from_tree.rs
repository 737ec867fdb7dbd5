//! The form that reads a value from a tree.
//!
//! It is lenient where formats for people lose information: a map is read as a struct, text as the
//! variant of an enum or as the id of an entity, `null` as no value.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use core::cell::RefCell;
use core::slice;

use serde::de::{Error as _, Unexpected};

use super::DynamicValue;
use crate::entity::Entity;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::erased::exact::Expecting;
use crate::persist::erased::read::{EnumForm, FormEvent, Hint, MapForm, Receiver, SeqForm, Sower, sow_name};
use crate::persist::erased::{FormError, ReadForm, read_value};
use crate::value::scalar::{Scalar, ScalarType};

/// Reads a value from a tree with `read`. An error has the path of the value that was refused, and
/// the reason.
pub(crate) fn read_tree<'t, T>(
    tree: &'t DynamicValue,
    read: &mut dyn FnMut(&mut dyn ReadForm<'t>) -> Result<T, FormError>,
) -> Result<T, (String, String)> {
    read_named_tree(tree, &NO_NAMES, read)
}

/// [`read_tree`] for a tree of [`exact_tree_of`](super::exact_tree_of).
pub(crate) fn read_exact_tree<'t, T>(
    tree: &'t DynamicValue,
    read: &mut dyn FnMut(&mut dyn ReadForm<'t>) -> Result<T, FormError>,
) -> Result<T, String> {
    let trail = Trail { failed: RefCell::default(), names: &NO_NAMES, is_human_readable: false };
    trail.read(tree, read).map_err(|(_, reason)| reason)
}

/// Names that stand for ids of entities.
pub(crate) type EntityNames = BTreeMap<String, Entity>;

pub(crate) static NO_NAMES: EntityNames = EntityNames::new();

/// [`read_tree`], where the text of one of the names is read as the id of its entity.
pub(crate) fn read_named_tree<'t, T>(
    tree: &'t DynamicValue,
    names: &EntityNames,
    read: &mut dyn FnMut(&mut dyn ReadForm<'t>) -> Result<T, FormError>,
) -> Result<T, (String, String)> {
    Trail { failed: RefCell::default(), names, is_human_readable: true }.read(tree, read)
}

/// The path of the first value that was refused, from the part that has returned the error last.
struct Trail<'n> {
    failed: RefCell<Option<String>>,
    names: &'n EntityNames,
    is_human_readable: bool,
}

impl Trail<'_> {
    /// Reads a value from a tree.
    fn read<'t, T>(
        &self,
        tree: &'t DynamicValue,
        read: &mut dyn FnMut(&mut dyn ReadForm<'t>) -> Result<T, FormError>,
    ) -> Result<T, (String, String)> {
        let mut reader = TreeReader { value: tree, trail: self, is_key: false };
        as_tokens(|| read(&mut reader))
            .map_err(|error| (self.failed.take().unwrap_or_default(), error.to_string()))
    }

    /// Calls `read` for a part of the value.
    fn step(
        &self,
        step: TreeStep<'_>,
        read: impl FnOnce() -> Result<(), FormError>,
    ) -> Result<(), FormError> {
        // an error that a type has handled is none, whether it is of this part or of one before it
        self.failed.take();
        let result = read();
        let within = self.failed.take();
        if result.is_err() {
            *self.failed.borrow_mut() = Some(step.text() + &within.unwrap_or_default());
        }
        result
    }
}

/// A step of a path.
#[derive(Clone, Copy)]
enum TreeStep<'t> {
    At(usize),
    Name(&'t str),
    Key(&'t DynamicValue),
}

impl TreeStep<'_> {
    fn text(self) -> String {
        match self {
            Self::At(at) => format!("[{at}]"),
            Self::Name(name) => format!(".{name}"),
            Self::Key(DynamicValue::Text(name)) => format!(".{name}"),
            Self::Key(key) => format!("[{key}]"),
        }
    }
}

/// The form of a tree.
#[derive(Clone, Copy)]
struct TreeReader<'r, 't> {
    value: &'t DynamicValue,
    trail: &'r Trail<'r>,
    /// Whether the value is the key of a map. Formats for people write numbers in keys as text.
    is_key: bool,
}

impl<'t> TreeReader<'_, 't> {
    fn at(self, value: &'t DynamicValue) -> Self {
        Self { value, is_key: false, ..self }
    }

    fn unexpected(self) -> Unexpected<'t> {
        match self.value {
            DynamicValue::Unit => Unexpected::Unit,
            DynamicValue::Bool(value) => Unexpected::Bool(*value),
            DynamicValue::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => Unexpected::Signed(value),
                (_, Ok(value)) => Unexpected::Unsigned(value),
                _ => Unexpected::Other("an integer of 128 bits"),
            },
            DynamicValue::F32(value) => Unexpected::Float(f64::from(*value)),
            DynamicValue::F64(value) => Unexpected::Float(*value),
            DynamicValue::Char(value) => Unexpected::Char(*value),
            DynamicValue::Text(value) => Unexpected::Str(value),
            DynamicValue::Bytes(value) => Unexpected::Bytes(value),
            other => Unexpected::Other(other.noun()),
        }
    }

    fn invalid(self, to: &dyn Receiver<'t>) -> FormError {
        FormError::invalid_type(self.unexpected(), &Expecting(to))
    }

    /// The value without the `Some` around it: a type that is not an option reads the content.
    fn content(self) -> &'t DynamicValue {
        match self.value {
            DynamicValue::Optional(Some(value)) => value,
            value => value,
        }
    }

    fn list(self, list: &'t [DynamicValue], to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        let mut elements = TreeElements { reader: self, list, next: 0 };
        to.receive(FormEvent::Seq(&mut elements))?;
        match (list.len() - elements.next, elements.next) {
            (0, _) => Ok(()),
            (rest, next) => Err(FormError::custom(format_args!(
                "the list has {rest} elements too many: {next} are expected"
            ))),
        }
    }

    fn variant(self, to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        to.receive(FormEvent::Enum(&mut TreeVariant { reader: self, found: None }))
    }

    /// The number in the text of a key, if a number is asked for.
    fn number_in_key(self, hint: Hint) -> Option<i128> {
        match (self.value, hint) {
            (DynamicValue::Text(text), Hint::Scalar(ty))
                if self.is_key && ty.is_number() && !ty.is_float() =>
            {
                text.parse().ok()
            }
            _ => None,
        }
    }

    /// Reads the value as what it is.
    fn any(self, to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        to.receive(match self.value {
            DynamicValue::Unit => FormEvent::Unit,
            DynamicValue::Bool(value) => FormEvent::Scalar(Scalar::Bool(*value)),
            DynamicValue::Int(value) => integer(*value),
            DynamicValue::Uint(value) => FormEvent::Scalar(Scalar::U128(*value)),
            DynamicValue::F32(value) => FormEvent::Scalar(Scalar::F32(*value)),
            DynamicValue::F64(value) => FormEvent::Scalar(Scalar::F64(*value)),
            DynamicValue::Char(value) => FormEvent::Scalar(Scalar::Char(*value)),
            DynamicValue::Text(value) => FormEvent::BorrowedStr(value),
            DynamicValue::Bytes(value) => FormEvent::BorrowedBytes(value),
            DynamicValue::EntityId(entity) => FormEvent::String(format!("{entity:#}")),
            DynamicValue::Optional(None) => FormEvent::None,
            DynamicValue::Optional(Some(value)) => return to.receive(FormEvent::Some(&mut self.at(value))),
            DynamicValue::List(list) => return self.list(list, to),
            DynamicValue::Mapping(entries) => {
                let entries = Entries::Mapping(entries.iter());
                return to.receive(FormEvent::Map(&mut TreeEntries { reader: self, entries, value: None }));
            }
            DynamicValue::Struct(fields) => {
                let entries = Entries::Struct(fields.iter());
                return to.receive(FormEvent::Map(&mut TreeEntries { reader: self, entries, value: None }));
            }
            DynamicValue::Variant(..) => return self.variant(to),
        })
    }
}

/// An integer in the smallest type that holds it.
fn integer<'e, 'de>(value: i128) -> FormEvent<'e, 'de> {
    FormEvent::Scalar(match (i64::try_from(value), u64::try_from(value)) {
        (_, Ok(value)) => Scalar::U64(value),
        (Ok(value), _) => Scalar::I64(value),
        _ => Scalar::I128(value),
    })
}

impl<'t> ReadForm<'t> for TreeReader<'_, 't> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        use DynamicValue as V;
        match (hint, self.value) {
            _ if let Some(number) = self.number_in_key(hint) => to.receive(integer(number)),
            // a cast would make an infinity of it
            (Hint::Scalar(ScalarType::F32), _)
                if let V::F64(value) = self.content()
                    && value.is_finite()
                    && (*value as f32).is_infinite() =>
            {
                Err(FormError::custom(format_args!("{value:e} is too large for an f32")))
            }
            // a type that buffers a value, or reads a name, asks for text
            (Hint::Str | Hint::Identifier, V::Variant(name, content)) if **content == V::Unit => {
                to.receive(FormEvent::BorrowedStr(name))
            }
            (Hint::Bytes | Hint::ByteBuf, V::List(list)) => {
                let byte = |value: &V| match value {
                    V::Int(byte) => u8::try_from(*byte).ok(),
                    _ => None,
                };
                match list.iter().map(byte).collect() {
                    Some(bytes) => to.receive(FormEvent::ByteBuf(bytes)),
                    None => Err(self.invalid(to)),
                }
            }
            (Hint::Option, V::Unit) => to.receive(FormEvent::None),
            (Hint::Option, V::Optional(_)) => self.any(to),
            (Hint::Option, _) => to.receive(FormEvent::Some(self)),
            (Hint::Unit | Hint::UnitStruct(_), V::Unit | V::Optional(None)) => to.receive(FormEvent::Unit),
            (Hint::Unit | Hint::UnitStruct(_), V::Mapping(entries)) if entries.is_empty() => {
                to.receive(FormEvent::Unit)
            }
            (Hint::NewtypeStruct(TOKEN), _) => match self.content() {
                V::EntityId(entity) => to.receive(FormEvent::Scalar(Scalar::U64(entity.to_bits()))),
                V::Text(text) => match self.trail.names.get(text) {
                    Some(entity) => to.receive(FormEvent::Scalar(Scalar::U64(entity.to_bits()))),
                    None => to.receive(FormEvent::BorrowedStr(text)),
                },
                _ => Err(self.invalid(to)),
            },
            (Hint::NewtypeStruct(_), _) => to.receive(FormEvent::NewtypeStruct(self)),
            (Hint::Tuple(_) | Hint::TupleStruct(..) | Hint::Struct(..), V::List(list)) => self.list(list, to),
            (Hint::Unit | Hint::UnitStruct(_) | Hint::Tuple(_) | Hint::TupleStruct(..), _) => {
                Err(self.invalid(to))
            }
            (Hint::Enum(..), _) => self.variant(to),
            (Hint::IgnoredAny, _) => to.receive(FormEvent::Unit),
            _ => self.any(to),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.trail.is_human_readable
    }
}

/// The elements of a list.
struct TreeElements<'r, 't> {
    reader: TreeReader<'r, 't>,
    list: &'t [DynamicValue],
    next: usize,
}

impl<'t> SeqForm<'t> for TreeElements<'_, 't> {
    fn sow_next(&mut self, to: &mut dyn Sower<'t>) -> Result<bool, FormError> {
        let Some(value) = self.list.get(self.next) else { return Ok(false) };
        let (mut reader, at) = (self.reader.at(value), self.next);
        self.next += 1;
        self.reader.trail.step(TreeStep::At(at), || to.sow(&mut reader)).map(|()| true)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

/// The entries of a map, or the fields of a struct, that are still to come.
enum Entries<'t> {
    Mapping(slice::Iter<'t, (DynamicValue, DynamicValue)>),
    Struct(slice::Iter<'t, (String, DynamicValue)>),
}

struct TreeEntries<'r, 't> {
    reader: TreeReader<'r, 't>,
    entries: Entries<'t>,
    /// The step to the value that comes next, and the value.
    value: Option<(TreeStep<'t>, &'t DynamicValue)>,
}

impl<'t> MapForm<'t> for TreeEntries<'_, 't> {
    fn sow_key(&mut self, to: &mut dyn Sower<'t>) -> Result<bool, FormError> {
        match &mut self.entries {
            Entries::Mapping(entries) => {
                let Some((key, value)) = entries.next() else { return Ok(false) };
                self.value = Some((TreeStep::Key(key), value));
                to.sow(&mut TreeReader { is_key: true, ..self.reader.at(key) })?;
            }
            Entries::Struct(fields) => {
                let Some((name, value)) = fields.next() else { return Ok(false) };
                self.value = Some((TreeStep::Name(name), value));
                sow_name(name, to)?;
            }
        }
        Ok(true)
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'t>) -> Result<(), FormError> {
        let Some((step, value)) = self.value.take() else {
            return Err(FormError::custom("a value was asked for before its key"));
        };
        self.reader.trail.step(step, || to.sow(&mut self.reader.at(value)))
    }
}

/// A variant, and once its name was read, the name and the content.
struct TreeVariant<'r, 't> {
    reader: TreeReader<'r, 't>,
    found: Option<(&'t str, &'t DynamicValue)>,
}

impl<'r, 't> TreeVariant<'r, 't> {
    fn content(
        &mut self,
        read: impl FnOnce(&mut TreeReader<'r, 't>) -> Result<(), FormError>,
    ) -> Result<(), FormError> {
        let Some((name, content)) = self.found.take() else {
            return Err(FormError::custom("a value was asked for before its variant"));
        };
        self.reader.trail.step(TreeStep::Name(name), || read(&mut self.reader.at(content)))
    }
}

impl<'t> EnumForm<'t> for TreeVariant<'_, 't> {
    fn variant(&mut self, to: &mut dyn Sower<'t>) -> Result<(), FormError> {
        use DynamicValue as V;
        let (name, content) = match self.reader.content() {
            V::Variant(name, content) => (name, &**content),
            V::Text(name) => (name, &V::Unit),
            V::Mapping(entries) if let [(V::Text(name), content)] = entries.as_slice() => (name, content),
            V::Struct(fields) if let [(name, content)] = fields.as_slice() => (name, content),
            _ => {
                return Err(FormError::invalid_type(
                    self.reader.unexpected(),
                    &"the name of a variant, or a map from the name of a variant to its content",
                ));
            }
        };
        self.found = Some((name, content));
        sow_name(name, to)
    }

    fn unit(&mut self) -> Result<(), FormError> {
        self.content(|content| read_value(content))
    }

    fn newtype(&mut self, to: &mut dyn Sower<'t>) -> Result<(), FormError> {
        self.content(|content| to.sow(content))
    }

    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        self.content(|content| content.read(Hint::Tuple(length), to))
    }

    fn fields(&mut self, names: &'static [&'static str], to: &mut dyn Receiver<'t>) -> Result<(), FormError> {
        self.content(|content| content.read(Hint::Struct("", names), to))
    }
}
