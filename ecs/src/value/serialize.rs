//! [`ValueRef`]: a described value, written to any format.
#![expect(unsafe_code, reason = "values are read at the addresses that their description gives")]

use core::marker::PhantomData;
use core::ptr;

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::description::{
    ElementsType, EnumType, Field, FieldList, ListType, MapType, Reflect, Style, TypeOf, ValueShape,
    ValueType,
};
use crate::entity::Entity;
use crate::persist::compact::finite::is_finite;
use crate::persist::erased::exact::Nothing;
use crate::persist::erased::write::{ErasedSerialize, FormPart, Leaf, WrittenPart, write_leaf};
use crate::value::scalar::{Scalar, ScalarType};

/// Writes the elements of a value, which lie side by side from an address on, as those of the list
/// or the tuple `to`. Numbers are written by code for their type.
macro_rules! write_elements {
    ($value:ident, $item:ident, $first:expr, $len:ident, $to:ident) => {
        write_elements!(@ $value, $item, $first, $len, $to, U8 U32 I32 F32 F64)
    };
    (@ $value:ident, $item:ident, $first:expr, $len:ident, $to:ident, $($ty:ident)*) => {
        // SAFETY: the contract of the function around it.
        match unsafe { Numbers::new($item(), $first, $len) } {
            $(Some(Numbers::$ty(numbers)) if $value.can_write(&Numbers::$ty(numbers)) => {
                for number in numbers {
                    $to.serialize_element(number)?;
                }
            })*
            _ => {
                let size = $item().layout.size();
                for at in 0..$len {
                    // SAFETY: as above.
                    $to.serialize_element(&unsafe { $value.part($item, $first.add(at * size)) })?;
                }
            }
        }
    };
}

/// A value and its description. Its `Serialize` writes what the derive of serde writes for the
/// type.
///
/// # Invariant
/// `address` is that of a value of type `of`, which nothing changes during `'v`.
#[derive(Clone, Copy)]
pub struct ValueRef<'v> {
    of: &'static ValueType,
    address: *const u8,
    /// Whether numbers that JSON lacks, and `Some` of nothing, are written as text.
    is_exact: bool,
    value: PhantomData<&'v ()>,
}

/// Writes a described value.
///
/// # Errors
/// Those of the format.
pub fn serialize<T: Reflect, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    // SAFETY: the description is that of `T`, as the contract of `Reflect` says.
    unsafe { ValueRef::new(T::value_type(), ptr::from_ref(value).cast()) }.serialize(serializer)
}

impl ValueRef<'_> {
    /// A value of a type.
    ///
    /// # Safety
    /// The address is that of a value of the type, which nothing changes during the lifetime of the
    /// result.
    pub(crate) unsafe fn new(of: &'static ValueType, address: *const u8) -> Self {
        Self { of, address, is_exact: false, value: PhantomData }
    }

    /// The value, which is written exactly if `is_exact`: see
    /// [`exact`](crate::persist::erased::exact).
    pub(crate) fn exact(self, is_exact: bool) -> Self {
        Self { is_exact, ..self }
    }

    /// The value without its description. The function is not generic, so that what writes values
    /// is compiled with the library.
    pub(crate) fn erased(&self) -> &dyn ErasedSerialize {
        self
    }

    /// The value as one of its Rust type.
    ///
    /// # Safety
    /// `of` describes `T`.
    unsafe fn cast<T>(&self) -> &T {
        // SAFETY: the invariant, and the contract of this function.
        unsafe { &*self.address.cast::<T>() }
    }

    /// Whether all floating point numbers of the value are finite: see [`is_finite`].
    pub(crate) fn is_finite(&self) -> bool {
        let mut finite = true;
        // SAFETY: the value is of the type that is described, and its parts are at the addresses
        // that the description gives.
        unsafe {
            match &self.of.shape {
                ValueShape::Scalar(ScalarType::F32) => return self.cast::<f32>().is_finite(),
                ValueShape::Scalar(ScalarType::F64) => return self.cast::<f64>().is_finite(),
                ValueShape::Option(of) => {
                    let content = (of.get)(self.address);
                    return content.is_null() || self.part(of.item, content).is_finite();
                }
                ValueShape::Wrapper(of) => {
                    return self.part(of.item, (of.get)(self.address)).is_finite();
                }
                ValueShape::Struct(_, parts) => {
                    return self.fields(parts.fields).all(|(_, part)| part.is_finite());
                }
                ValueShape::Array(item, len) => return self.are_finite(*item, self.address, *len),
                ValueShape::List(of) => match of.elements {
                    ElementsType::Slice(slice) => {
                        let (first, len) = slice(self.address);
                        return self.are_finite(of.item, first, len);
                    }
                    ElementsType::Each(each, _) => each(self.address, &mut |element, _| {
                        finite = finite && self.part(of.item, element).is_finite();
                    }),
                },
                ValueShape::Map(of) => (of.each)(self.address, &mut |key, value| {
                    let (key, value) = (self.part(of.key, key), self.part(of.value, value));
                    finite = finite && key.is_finite() && value.is_finite();
                }),
                ValueShape::Enum(of) => (of.parts)(self.address, &mut |number, addresses| {
                    let Some(variant) = of.variants.get(number as usize) else { return };
                    let mut fields = variant.parts.fields.iter().zip(addresses);
                    finite =
                        fields.all(|(field, &part)| field.skipped || self.part(field.of, part).is_finite());
                }),
                ValueShape::Serde(of) => return is_finite(&*(of.value)(self.address)),
                _ => {}
            }
        }
        finite
    }

    /// [`is_finite`](Self::is_finite) of elements that lie side by side.
    ///
    /// # Safety
    /// There are `len` elements of this type from the address on, which are parts of the value.
    unsafe fn are_finite(&self, item: TypeOf, first: *const u8, len: usize) -> bool {
        // SAFETY: the contract of this function.
        if let Some(numbers) = unsafe { Numbers::new(item(), first, len) } {
            return numbers.are_finite();
        }
        let size = item().layout.size();
        // SAFETY: the contract of this function.
        (0..len).all(|at| unsafe { self.part(item, first.add(at * size)) }.is_finite())
    }

    /// A part of the value, at its address.
    ///
    /// # Safety
    /// The address is that of a part of this type.
    unsafe fn part(&self, of: TypeOf, address: *const u8) -> Self {
        // SAFETY: a part does not change as long as the value does not.
        unsafe { Self::new(of(), address) }.exact(self.is_exact)
    }

    /// The parts of a struct.
    ///
    /// # Safety
    /// `fields` are those of the value's type.
    unsafe fn fields(self, fields: &'static [Field]) -> impl Iterator<Item = (&'static str, Self)> {
        fields.iter().filter(|field| !field.skipped).map(move |field| {
            // SAFETY: the contract of this function; a value has its fields at the offsets of its
            // type.
            (field.name, unsafe { self.part(field.of, self.address.add(field.offset)) })
        })
    }

    /// Writes a struct or a tuple.
    ///
    /// # Safety
    /// `parts` are those of the value's type.
    unsafe fn structure<S: Serializer>(
        &self,
        name: &'static str,
        parts: &FieldList,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        // SAFETY: the contract of this function.
        let mut fields = unsafe { self.fields(parts.fields) };
        let count = parts.names.len();
        match parts.style {
            Style::Newtype if let Some((_, content)) = fields.next() => {
                serializer.serialize_newtype_struct(name, &content)
            }
            Style::Named => {
                let mut to = serializer.serialize_struct(name, count)?;
                fields.try_for_each(|(name, part)| to.serialize_field(name, &part))?;
                to.end()
            }
            _ if name.is_empty() => {
                let mut to = serializer.serialize_tuple(count)?;
                fields.try_for_each(|(_, part)| to.serialize_element(&part))?;
                to.end()
            }
            _ => {
                let mut to = serializer.serialize_tuple_struct(name, count)?;
                fields.try_for_each(|(_, part)| to.serialize_field(&part))?;
                to.end()
            }
        }
    }

    /// Writes an enum.
    ///
    /// # Safety
    /// `of` describes the value's type.
    unsafe fn enumeration<S: Serializer>(&self, of: &EnumType, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut serializer, mut written) = (Some(serializer), None);
        let mut write = |number: u32, addresses: &[*const u8]| {
            let (Some(variant), Some(to)) = (of.variants.get(number as usize), serializer.take()) else {
                return;
            };
            let parts = variant.parts.fields.iter().zip(addresses).filter(|(field, _)| !field.skipped);
            // SAFETY: `parts` of the description gives the addresses of the fields of this variant.
            let parts = parts.map(|(field, &address)| (field.name, unsafe { self.part(field.of, address) }));
            written = Some(variant_parts(of.name, number, variant.name, &variant.parts, parts, to));
        };
        // SAFETY: the address is that of a value of the type.
        unsafe { (of.parts)(self.address, &mut write) };
        written.unwrap_or_else(|| Err(S::Error::custom("a variant that the description of the type lacks")))
    }

    /// Writes a list.
    ///
    /// # Safety
    /// `of` describes the value's type.
    unsafe fn list<S: Serializer>(&self, of: &ListType, serializer: S) -> Result<S::Ok, S::Error> {
        match of.elements {
            ElementsType::Slice(slice) => {
                // SAFETY: the address is that of a value of the type.
                let (first, len) = unsafe { slice(self.address) };
                // SAFETY: the elements of the list lie side by side from this address on.
                unsafe { self.elements(of.item, first, len, serializer) }
            }
            ElementsType::Each(each, len) => {
                // SAFETY: the address is that of a value of the type.
                let mut to = serializer.serialize_seq(Some(unsafe { len(self.address) }))?;
                let mut written = Ok(());
                // SAFETY: the address is that of a value of the type, and those of its elements are
                // passed on.
                unsafe {
                    each(self.address, &mut |element, _| {
                        if written.is_ok() {
                            written = to.serialize_element(&self.part(of.item, element));
                        }
                    });
                }
                written?;
                to.end()
            }
        }
    }

    /// Writes a map.
    ///
    /// # Safety
    /// `of` describes the value's type.
    unsafe fn map<S: Serializer>(&self, of: &MapType, serializer: S) -> Result<S::Ok, S::Error> {
        // SAFETY: the address is that of a value of the type.
        let mut to = serializer.serialize_map(Some(unsafe { (of.len)(self.address) }))?;
        let mut written = Ok(());
        // SAFETY: the address is that of a value of the type, and those of its keys and values are
        // passed on.
        unsafe {
            (of.each)(self.address, &mut |key, value| {
                if written.is_ok() {
                    let key = self.part(of.key, key);
                    let part = match &key.of.shape {
                        ValueShape::Text(of) => FormPart::Leaf(Leaf::Str(&*(of.get)(key.address))),
                        _ => FormPart::Described(key),
                    };
                    let key = WrittenPart::<true>::new(part, self.is_exact);
                    written = to.serialize_entry(&key, &self.part(of.value, value));
                }
            });
        }
        written?;
        to.end()
    }

    /// Writes elements that lie side by side.
    ///
    /// # Safety
    /// There are `len` elements of this type from the address on, which are parts of the value.
    unsafe fn elements<S: Serializer>(
        &self,
        item: TypeOf,
        first: *const u8,
        len: usize,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut to = serializer.serialize_seq(Some(len))?;
        write_elements!(self, item, first, len, to);
        to.end()
    }

    /// Writes an array.
    ///
    /// # Safety
    /// The value is an array of `len` elements of this type.
    unsafe fn array<S: Serializer>(
        &self,
        item: TypeOf,
        len: usize,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut to = serializer.serialize_tuple(len)?;
        write_elements!(self, item, self.address, len, to);
        to.end()
    }

    /// Whether none of the numbers is written as text.
    fn can_write(&self, numbers: &Numbers<'_>) -> bool {
        !self.is_exact || numbers.are_finite()
    }
}

/// Numbers that lie side by side, of the types that lists have most often.
#[derive(Clone, Copy)]
enum Numbers<'v> {
    U8(&'v [u8]),
    U32(&'v [u32]),
    I32(&'v [i32]),
    F32(&'v [f32]),
    F64(&'v [f64]),
}

impl<'v> Numbers<'v> {
    /// The elements from an address on; `None` if they are of another type.
    ///
    /// # Safety
    /// There are `len` elements of this type from the address on, which nothing changes during
    /// `'v`.
    unsafe fn new(of: &ValueType, first: *const u8, len: usize) -> Option<Self> {
        macro_rules! slice {
            () => {
                // SAFETY: the contract of this function.
                unsafe { core::slice::from_raw_parts(first.cast(), len) }
            };
        }
        match of.shape {
            ValueShape::Scalar(ScalarType::U8) => Some(Self::U8(slice!())),
            ValueShape::Scalar(ScalarType::U32) => Some(Self::U32(slice!())),
            ValueShape::Scalar(ScalarType::I32) => Some(Self::I32(slice!())),
            ValueShape::Scalar(ScalarType::F32) => Some(Self::F32(slice!())),
            ValueShape::Scalar(ScalarType::F64) => Some(Self::F64(slice!())),
            _ => None,
        }
    }

    fn are_finite(&self) -> bool {
        match self {
            Self::F32(numbers) => numbers.iter().all(|number| number.is_finite()),
            Self::F64(numbers) => numbers.iter().all(|number| number.is_finite()),
            _ => true,
        }
    }
}

/// Writes the parts of a variant, without those that are skipped.
fn variant_parts<'v, S: Serializer>(
    of: &'static str,
    number: u32,
    name: &'static str,
    parts: &FieldList,
    mut fields: impl Iterator<Item = (&'static str, ValueRef<'v>)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let count = parts.names.len();
    match parts.style {
        Style::Unit => serializer.serialize_unit_variant(of, number, name),
        Style::Newtype if let Some((_, content)) = fields.next() => {
            serializer.serialize_newtype_variant(of, number, name, &content)
        }
        Style::Named => {
            let mut to = serializer.serialize_struct_variant(of, number, name, count)?;
            fields.try_for_each(|(name, part)| to.serialize_field(name, &part))?;
            to.end()
        }
        _ => {
            let mut to = serializer.serialize_tuple_variant(of, number, name, count)?;
            fields.try_for_each(|(_, part)| to.serialize_field(&part))?;
            to.end()
        }
    }
}

impl Serialize for ValueRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // SAFETY: the value is of the type that is described.
        unsafe {
            match &self.of.shape {
                ValueShape::Scalar(ScalarType::F32) if self.is_exact => {
                    write_leaf(Leaf::Scalar(Scalar::F32(*self.cast())), true, serializer)
                }
                ValueShape::Scalar(ScalarType::F64) if self.is_exact => {
                    write_leaf(Leaf::Scalar(Scalar::F64(*self.cast())), true, serializer)
                }
                ValueShape::Scalar(ty) => ty.write_at(self.address, serializer),
                ValueShape::Usize => serializer.serialize_u64(*self.cast::<usize>() as u64),
                ValueShape::Isize => serializer.serialize_i64(*self.cast::<isize>() as i64),
                ValueShape::Unit("") => serializer.serialize_unit(),
                ValueShape::Unit(name) => serializer.serialize_unit_struct(name),
                ValueShape::Entity => self.cast::<Entity>().serialize(serializer),
                ValueShape::Text(of) => {
                    write_leaf(Leaf::Str(&*(of.get)(self.address)), self.is_exact, serializer)
                }
                ValueShape::Option(of) => match (of.get)(self.address) {
                    none if none.is_null() => serializer.serialize_none(),
                    content => {
                        let content = self.part(of.item, content);
                        match if self.is_exact { Nothing::of(FormPart::Described(content)) } else { None } {
                            Some(nothing) => serializer.serialize_some(&nothing),
                            None => serializer.serialize_some(&content),
                        }
                    }
                },
                ValueShape::Wrapper(of) => self.part(of.item, (of.get)(self.address)).serialize(serializer),
                ValueShape::List(of) => self.list(of, serializer),
                ValueShape::Map(of) => self.map(of, serializer),
                ValueShape::Array(item, len) => self.array(*item, *len, serializer),
                ValueShape::Struct(name, parts) => self.structure(name, parts, serializer),
                ValueShape::Enum(of) => self.enumeration(of, serializer),
                ValueShape::Serde(of) => {
                    let value = FormPart::Value(&*(of.value)(self.address));
                    WrittenPart::<false>::new(value, self.is_exact).serialize(serializer)
                }
                ValueShape::Undescribed => Err(S::Error::custom("a field that is skipped cannot be written")),
            }
        }
    }
}
