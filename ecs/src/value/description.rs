//! [`Reflect`] and [`ValueType`], the description of a type.
#![expect(unsafe_code, reason = "a description is a promise about the memory of a type")]

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::TypeId;
use core::fmt;
use core::marker::PhantomData;
use core::mem::needs_drop;
use core::slice;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::persist::compact::read::Reader;
use crate::persist::compact::start;
use crate::persist::compact::write::Writer;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::value::scalar::ScalarType;

/// Types whose parts are known to the library: their values are saved, loaded, compared, hashed,
/// and read and changed by name, without code for each type and format.
///
/// `#[derive(Reflect)]` implements it for structs and enums, and `Serialize` and `Deserialize`
/// along with it, in the form that the derives of serde give a type without attributes. A field's
/// type has `Reflect`, or `Serialize` and `Deserialize`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, Reflect, Debug, PartialEq)]
/// struct Health {
///     now: i32,
///     max: i32,
/// }
///
/// # #[cfg(feature = "json")] {
/// let text = serde_json::to_string(&Health { now: 3, max: 7 })?;
/// assert_eq!(text, r#"{"now":3,"max":7}"#);
/// assert_eq!(serde_json::from_str::<Health>(&text)?, Health { now: 3, max: 7 });
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Attributes
/// Of the type: `#[reflect(rename = "Name")]`; `#[reflect(check = path)]`, a function from `&Self`
/// to `Result<(), E>` that refuses values which are read, where `E` implements `Display`. Of a
/// field: `#[reflect(skip)]`, which leaves it out, so that a value that is read has its `Default`;
/// `#[reflect(default)]` or `#[reflect(default = path)]`, the value of a field that a file in the
/// readable form lacks; `#[reflect(rename = "name")]`. Of a variant: `#[reflect(rename = "Name")]`.
///
/// # Safety
/// The description is that of this type: all values of it are written and read by means of the
/// functions and offsets that the description has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not implement `Reflect`",
    label = "needs `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`"
)]
pub unsafe trait Reflect: Sized + 'static {
    /// The description of the type.
    #[doc(hidden)]
    fn value_type() -> &'static ValueType;
}

/// A function that returns the description of a type. A description has functions in place of other
/// descriptions, so that a type may contain itself.
pub(crate) type TypeOf = fn() -> &'static ValueType;

/// The depth up to which [`ValueType::fewest_bytes`] looks.
pub(super) const DEPTH: u32 = 8;

/// The description of a type.
///
/// # Invariants
/// 1. `id` and `layout` are those of the type, and `drop` drops a value of it; without `drop` the
///    type needs none.
/// 2. The functions and offsets of `shape` are right for the type.
pub struct ValueType {
    /// A type may have several descriptions, and equal descriptions of two types may be one in
    /// memory: this tells types apart.
    pub(super) id: TypeId,
    pub(super) layout: Layout,
    pub(super) drop: Option<unsafe fn(*mut u8)>,
    pub(super) check: Option<CheckValue>,
    pub(super) shape: ValueShape,
}

/// A function that refuses a value which was read.
///
/// # Safety
/// The address is that of a value of the type.
type CheckValue = unsafe fn(*const u8) -> Result<(), String>;

/// The parts of a value, by their kind.
pub(crate) enum ValueShape {
    Scalar(ScalarType),
    Usize,
    Isize,
    /// `()`, which has no name, and unit structs.
    Unit(&'static str),
    Text(TextType),
    Option(OptionType),
    /// A type that stands for its content, as `Box` does.
    Wrapper(WrapperType),
    /// A list or a set.
    List(ListType),
    Map(MapType),
    Array(TypeOf, usize),
    /// A struct or a tuple. A tuple has no name.
    Struct(&'static str, FieldList),
    /// The id of an entity.
    Entity,
    Enum(EnumType),
    /// A type that serde reads and writes.
    Serde(SerdeType),
    /// The type of a skipped field: its values are neither written nor read.
    Undescribed,
}

/// The way in which the parts of a struct or a variant are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `{ now: 3, max: 7 }`
    Named,
    /// `(3, 7)`
    Tuple,
    /// `(3)`, which is written as its content.
    Newtype,
    /// Without parts, or as a variant with a part that is skipped.
    Unit,
}

/// A field.
pub struct Field {
    pub(super) name: &'static str,
    /// The offset in a struct. Without meaning in a variant.
    pub(super) offset: usize,
    pub(super) of: TypeOf,
    /// Makes the value of a field that was not read.
    pub(super) default: Option<unsafe fn(*mut u8)>,
    /// Whether the field is neither written nor read.
    pub(super) skipped: bool,
}

/// The fields of a struct or a variant.
#[derive(Clone, Copy)]
pub struct FieldList {
    pub(super) style: Style,
    /// The names of the fields that are not skipped.
    pub(super) names: &'static [&'static str],
    pub(super) fields: &'static [Field],
}

/// A variant of an enum.
pub struct Variant {
    pub(super) name: &'static str,
    pub(super) parts: FieldList,
}

/// The receiver of a value that is taken apart: gets the number of the variant and the addresses of
/// its fields.
pub type FieldPointers<'f> = &'f mut dyn FnMut(u32, &[*const u8]);

pub(crate) struct EnumType {
    pub(super) name: &'static str,
    /// The names of the variants.
    pub(super) names: &'static [&'static str],
    pub(super) variants: &'static [Variant],
    /// Takes a value apart.
    ///
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) parts: unsafe fn(*const u8, FieldPointers<'_>),
    /// Moves values of the fields of a variant into a new value.
    ///
    /// # Safety
    /// There is a variant of this number; the addresses are those of values of the types of its
    /// fields, from which they are moved out; the last address is valid for a write of the type.
    pub(super) build: unsafe fn(u32, &[*mut u8], *mut u8),
}

pub(crate) struct TextType {
    /// # Safety
    /// The address is that of a value of the type, which lives for `'v`.
    pub(super) get: unsafe fn(*const u8) -> *const str,
    /// # Safety
    /// The address is valid for a write of the type.
    pub(super) set: unsafe fn(&str, *mut u8),
}

pub(crate) struct OptionType {
    pub(super) item: TypeOf,
    /// The content; null for `None`.
    ///
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) get: unsafe fn(*const u8) -> *const u8,
    /// Writes a `Some` with the value that is moved from an address, `None` if that is null.
    ///
    /// # Safety
    /// The first address is that of a value of the content's type, or null; the second one is valid
    /// for a write of the type.
    pub(super) set: unsafe fn(*mut u8, *mut u8),
}

pub(crate) struct WrapperType {
    pub(super) item: TypeOf,
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) get: unsafe fn(*const u8) -> *const u8,
    /// Writes a value with the content that is moved from an address.
    ///
    /// # Safety
    /// The first address is that of a value of the content's type; the second one is valid for a
    /// write of the type.
    pub(super) set: unsafe fn(*mut u8, *mut u8),
}

/// The receiver of the elements of a list, or of the keys and values of a map. Keys come first; of
/// a list only the first address has a meaning.
pub(crate) type Elements<'e> = &'e mut dyn FnMut(*const u8, *const u8);

pub(crate) struct ListType {
    pub(super) item: TypeOf,
    pub(super) elements: ElementsType,
    pub(super) collection: CollectionType,
}

/// How the elements of a list are read.
pub(crate) enum ElementsType {
    /// They lie side by side: their address and number.
    ///
    /// # Safety
    /// The address is that of a value of the type.
    Slice(unsafe fn(*const u8) -> (*const u8, usize)),
    /// They are passed to a function.
    ///
    /// # Safety
    /// As for `Slice`.
    Each(unsafe fn(*const u8, Elements<'_>), unsafe fn(*const u8) -> usize),
}

/// How a collection is made.
pub(crate) struct CollectionType {
    /// Writes an empty collection, with room for as many elements if that is possible.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    pub(super) new: unsafe fn(usize, *mut u8),
    /// Moves an element, or a key and a value, into the collection.
    ///
    /// # Safety
    /// The first address is that of a collection, the second that of an element or a key, the third
    /// for a map that of a value.
    pub(super) push: unsafe fn(*mut u8, *mut u8, *mut u8),
}

pub(crate) struct MapType {
    pub(super) key: TypeOf,
    pub(super) value: TypeOf,
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) each: unsafe fn(*const u8, Elements<'_>),
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) len: unsafe fn(*const u8) -> usize,
    pub(super) collection: CollectionType,
}

pub(crate) struct SerdeType {
    /// # Safety
    /// The address is that of a value of the type, which lives as long as the result is used.
    pub(super) value: unsafe fn(*const u8) -> *const (dyn ErasedSerialize + 'static),
    /// # Safety
    /// The address is valid for a write of the type. Nothing is written if there is an error.
    pub(super) read: unsafe fn(&mut dyn ReadForm<'_>, *mut u8) -> Result<(), FormError>,
    /// The functions of the compact form, for types of whole columns. Others are written in it by
    /// way of `value`.
    pub(super) compact: Option<CompactCode>,
}

/// Functions that are compiled for a type and the compact form. They take adjacent values, so that
/// their loops are compiled for the type, too.
pub(crate) struct CompactCode {
    /// Writes values to the beginning of a buffer, until it is full, or a value may be too long or
    /// cannot be written. Returns the number of values and that of bytes.
    ///
    /// # Safety
    /// The address is that of as many values of the type.
    pub(super) write_small: unsafe fn(*const u8, usize, &mut [u8]) -> (usize, usize),
    /// # Safety
    /// The address is that of a value of the type.
    pub(super) write: unsafe fn(*const u8, &mut Writer<Vec<u8>>) -> Result<(), FormError>,
    /// # Safety
    /// The address is valid for a write of the type. Nothing is written if there is an error.
    pub(super) read: unsafe fn(&mut Reader<'_, '_>, *mut u8) -> Result<(), FormError>,
}

impl Field {
    /// A field: its name, its offset in a struct, and the function that returns the description of
    /// its type.
    pub const fn new(name: &'static str, offset: usize, of: fn() -> &'static ValueType) -> Self {
        Self { name, offset, of, default: None, skipped: false }
    }

    /// The field with a function that writes the value of a field that was not read.
    ///
    /// # Safety
    /// The function writes a value of the field's type to the address.
    #[must_use]
    pub const unsafe fn or_default(self, default: unsafe fn(*mut u8)) -> Self {
        Self { default: Some(default), ..self }
    }

    /// The field, which is neither written nor read: a value that is read has the one of `default`.
    ///
    /// # Safety
    /// As for [`or_default`](Self::or_default).
    #[must_use]
    pub const unsafe fn skipped(self, default: unsafe fn(*mut u8)) -> Self {
        Self { default: Some(default), skipped: true, ..self }
    }
}

impl FieldList {
    /// The fields, in the order of the text, and the names of those that are not skipped.
    pub const fn new(style: Style, names: &'static [&'static str], fields: &'static [Field]) -> Self {
        Self { style, names, fields }
    }
}

impl Variant {
    /// A variant.
    pub const fn new(name: &'static str, parts: FieldList) -> Self {
        Self { name, parts }
    }
}

impl ValueType {
    /// # Safety
    /// The shape is that of `T`.
    pub(super) const unsafe fn of<T: 'static>(shape: ValueShape) -> Self {
        Self { id: TypeId::of::<T>(), layout: Layout::new::<T>(), drop: drop_of::<T>(), check: None, shape }
    }

    /// The description of a struct.
    ///
    /// # Safety
    /// These are all fields of `T`, in the order of the text, with their offsets and types.
    pub const unsafe fn of_struct<T: 'static>(name: &'static str, parts: FieldList) -> Self {
        let shape = match parts.style {
            Style::Unit => ValueShape::Unit(name),
            _ => ValueShape::Struct(name, parts),
        };
        // SAFETY: the contract of this function.
        unsafe { Self::of::<T>(shape) }
    }

    /// The description of an enum, with the names of its variants.
    ///
    /// # Safety
    /// These are all variants of `T` with all their fields. `parts` calls its function once, with
    /// the number of the value's variant and the addresses of its fields; `build` writes a value of
    /// the variant with this number whose fields are moved from the addresses.
    pub const unsafe fn of_enum<T: 'static>(
        name: &'static str,
        names: &'static [&'static str],
        variants: &'static [Variant],
        parts: unsafe fn(*const u8, FieldPointers<'_>),
        build: unsafe fn(u32, &[*mut u8], *mut u8),
    ) -> Self {
        // SAFETY: the contract of this function.
        unsafe { Self::of::<T>(ValueShape::Enum(EnumType { name, names, variants, parts, build })) }
    }

    /// The description with a function that refuses values which were read.
    ///
    /// # Safety
    /// The function may be called with the address of any value of the type.
    #[must_use]
    pub const unsafe fn checked(self, check: unsafe fn(*const u8) -> Result<(), String>) -> Self {
        Self { check: Some(check), ..self }
    }

    /// The size and the alignment of a value.
    pub(crate) const fn layout(&self) -> Layout {
        self.layout
    }

    /// The fewest bytes that a value takes in the compact form, as far as parts up to this depth
    /// tell.
    pub(super) fn fewest_bytes(&self, depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        match &self.shape {
            ValueShape::Scalar(_) | ValueShape::Entity => self.layout.size() as u64,
            ValueShape::Usize | ValueShape::Isize => self.layout.size() as u64,
            ValueShape::Text(_) | ValueShape::List(_) | ValueShape::Map(_) | ValueShape::Enum(_) => 4,
            ValueShape::Option(_) => 1,
            ValueShape::Unit(_) | ValueShape::Serde(_) | ValueShape::Undescribed => 0,
            ValueShape::Wrapper(of) => (of.item)().fewest_bytes(depth),
            ValueShape::Array(item, len) => item().fewest_bytes(depth).saturating_mul(*len as u64),
            ValueShape::Struct(_, parts) => {
                let read = parts.fields.iter().filter(|field| !field.skipped);
                read.map(|field| (field.of)().fewest_bytes(depth)).fold(0, u64::saturating_add)
            }
        }
    }

    /// Whether values are numbers without gaps between them, so that their bytes are their compact
    /// form, and any bytes are a value.
    pub(crate) fn is_plain(&self) -> bool {
        cfg!(target_endian = "little")
            && self.check.is_none()
            && self.plain_bytes() == Some(self.layout.size())
    }

    /// The number of bytes of numbers that follow each other; `None` if there is something else.
    fn plain_bytes(&self) -> Option<usize> {
        match &self.shape {
            ValueShape::Scalar(ty) if ty.is_number() => Some(self.layout.size()),
            ValueShape::Usize | ValueShape::Isize if size_of::<usize>() == 8 => Some(self.layout.size()),
            ValueShape::Array(item, len) if item().is_plain() => Some(item().layout.size() * len),
            ValueShape::Struct(_, parts) => parts.fields.iter().try_fold(0, |end, field| {
                let of = (field.of)();
                let follows = field.offset == end && !field.skipped && of.is_plain();
                follows.then(|| end + of.layout.size())
            }),
            _ => None,
        }
    }

    /// Drops a value.
    ///
    /// # Safety
    /// The address is that of a value of the type, which is not used any more.
    pub(crate) unsafe fn drop_value(&self, value: *mut u8) {
        if let Some(drop) = self.drop {
            // SAFETY: the contract of this function.
            unsafe { drop(value) };
        }
    }
}

impl fmt::Debug for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueType").field("layout", &self.layout).finish_non_exhaustive()
    }
}

/// The function that drops a value of a type; `None` if it needs no drop.
const fn drop_of<T>() -> Option<unsafe fn(*mut u8)> {
    // SAFETY: the caller passes the address of a `T`.
    if needs_drop::<T>() { Some(|value| unsafe { value.cast::<T>().drop_in_place() }) } else { None }
}

/// Writes the default value of a field.
///
/// # Safety
/// The address is valid for a write of `T`.
pub unsafe fn default_of<T: FieldDefault>(to: *mut u8) {
    // SAFETY: the contract of this function.
    unsafe { to.cast::<T>().write(T::field_default()) };
}

/// Types of fields that have a `Default` value.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` has `skip` or `default`, but `{Self}` has no `Default` value",
    label = "not `Default`",
    note = "add `#[derive(Default)]` to `{Self}`, or name a function: `skip, default = path`, `default = path`"
)]
pub trait FieldDefault {
    /// The value.
    fn field_default() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> FieldDefault for T {
    fn field_default() -> Self {
        T::default()
    }
}

/// The description of the memory of a skipped field, whose type need not have a description. It is
/// neither written nor read.
#[must_use]
pub fn undescribed<T: 'static>() -> &'static ValueType {
    // SAFETY: the shape fits all types.
    const { &unsafe { ValueType::of::<T>(ValueShape::Undescribed) } }
}

/// The address of a field, whose type the caller names.
pub const fn field_pointer<T>(field: *const T) -> *const u8 {
    field.cast()
}

/// Compares the type of a field with the one that the caller names.
pub const fn is_field<T>(_: *mut T) {}

/// Passes a value to the function that refuses values of its type.
///
/// # Errors
/// The error of the function, as text.
pub fn check_value<T, R: CheckResult>(value: &T, check: fn(&T) -> R) -> Result<(), String> {
    check(value).into_result()
}

/// Results of functions that refuse values.
#[diagnostic::on_unimplemented(
    message = "the function of `check` returns `{Self}` in place of `Result<(), E>`",
    label = "returns `{Self}`",
    note = "return `Ok(())` for a valid value, and for others an `Err` with text or another error that implements `Display`"
)]
pub trait CheckResult {
    /// The result, with the error as text.
    ///
    /// # Errors
    /// The error.
    fn into_result(self) -> Result<(), String>;
}

#[diagnostic::do_not_recommend]
impl<E: fmt::Display> CheckResult for Result<(), E> {
    fn into_result(self) -> Result<(), String> {
        self.map_err(|error| error.to_string())
    }
}

/// Chooses the description of a field's type: `FieldType::<T>::describe` is the inherent function
/// if `T` implements [`Reflect`], and else that of [`WithSerde`], because an inherent item takes
/// precedence over one of a trait.
pub struct FieldType<T>(PhantomData<T>);

impl<T: Reflect> FieldType<T> {
    /// The description of a type that implements [`Reflect`].
    #[must_use]
    pub fn describe() -> &'static ValueType {
        T::value_type()
    }
}

/// The description of types that implement `Serialize` and `Deserialize`, but not [`Reflect`].
pub trait WithSerde<T> {
    /// The description.
    fn describe() -> &'static ValueType
    where
        T: BySerde;
}

impl<T> WithSerde<T> for FieldType<T> {
    fn describe() -> &'static ValueType
    where
        T: BySerde,
    {
        const {
            // SAFETY: the functions are those of `T`.
            &unsafe { ValueType::of::<T>(ValueShape::Serde(SerdeType::of::<T>(None))) }
        }
    }
}

impl SerdeType {
    const fn of<T: BySerde>(compact: Option<CompactCode>) -> Self {
        Self {
            value: |value| value.cast::<T>() as *const dyn ErasedSerialize,
            // SAFETY: the caller passes an address that is valid for a write of a `T`.
            read: |form, to| unsafe {
                to.cast::<T>().write(read_value(form)?);
                Ok(())
            },
            compact,
        }
    }
}

/// The description of a type that serde reads and writes, with functions of its own for the compact
/// form.
pub(crate) const fn column_by_serde<T: BySerde>() -> ValueType {
    let compact = CompactCode {
        // SAFETY: the caller passes the address of as many `T`s.
        write_small: |values, count, to| unsafe {
            start::write_small(slice::from_raw_parts(values.cast::<T>(), count), to)
        },
        // SAFETY: the caller passes the address of a `T`.
        write: |value, to| unsafe { (*value.cast::<T>()).serialize(to) },
        // SAFETY: the caller passes an address that is valid for a write of a `T`.
        read: |reader, to| unsafe {
            to.cast::<T>().write(reader.value()?);
            Ok(())
        },
    };
    // SAFETY: the functions are those of `T`.
    unsafe { ValueType::of::<T>(ValueShape::Serde(SerdeType::of::<T>(Some(compact)))) }
}

/// Types that serde writes and reads.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be reflected: it has neither `Reflect`, nor `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or leave the field out with `#[reflect(skip)]`"
)]
pub trait BySerde: Serialize + DeserializeOwned + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + 'static> BySerde for T {}
