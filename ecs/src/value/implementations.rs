//! Descriptions of the types of the standard library, and of [`Entity`].
#![expect(unsafe_code, reason = "a description is a promise about the memory of a type")]

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::hash::{BuildHasher, Hash};
use core::marker::PhantomData;
use core::mem::offset_of;
use core::num::Wrapping;
use core::ptr;
use std::collections::{HashMap, HashSet};

use super::description::{
    CollectionType, ElementsType, Field, FieldList, ListType, MapType, OptionType, Reflect, Style, TextType,
    ValueShape, ValueType, WrapperType,
};
use crate::entity::Entity;
use crate::value::scalar::ScalarType;

/// Implements `Reflect` by a shape.
macro_rules! reflect {
    ([$($generics:tt)*] $ty:ty, $shape:expr) => {
        // SAFETY: the shape is that of the type.
        unsafe impl<$($generics)*> Reflect for $ty {
            fn value_type() -> &'static ValueType {
                // SAFETY: as above.
                const { &unsafe { ValueType::of::<Self>($shape) } }
            }
        }
    };
}

macro_rules! scalars {
    ($($ty:ty: $scalar:ident),*) => {$( reflect!([] $ty, ValueShape::Scalar(ScalarType::$scalar)); )*};
}

scalars!(
    bool: Bool, char: Char, u8: U8, u16: U16, u32: U32, u64: U64, u128: U128, i8: I8, i16: I16, i32: I32, i64: I64,
    i128: I128, f32: F32, f64: F64
);

reflect!([] usize, ValueShape::Usize);
reflect!([] isize, ValueShape::Isize);
reflect!([](), ValueShape::Unit(""));
reflect!([] Entity, ValueShape::Entity);
reflect!([T: 'static] PhantomData<T>, ValueShape::Unit("PhantomData"));

/// Text of a type that is made of a `&str`, and borrowed as one.
macro_rules! text {
    ($($ty:ty),*) => {$(
        reflect!([] $ty, ValueShape::Text(TextType {
            get: |text| ptr::from_ref::<str>(&**text.cast::<$ty>()),
            set: |text, to| to.cast::<$ty>().write(text.to_owned().into()),
        }));
    )*};
}

text!(String, Box<str>, Arc<str>, Cow<'static, str>);

reflect!([T: Reflect] Option<T>, ValueShape::Option(OptionType {
    item: T::value_type,
    get: |option| (*option.cast::<Option<T>>()).as_ref().map_or(ptr::null(), |item| ptr::from_ref(item).cast()),
    set: |item, to| to.cast::<Option<T>>().write(if item.is_null() { None } else { Some(item.cast::<T>().read()) }),
}));

/// A type that is made of the content at an address, and gives its content.
macro_rules! wrapper {
    ($ty:ty, |$item:ident| $make:expr, |$value:ident| $content:expr) => {
        reflect!([T: Reflect] $ty, ValueShape::Wrapper(WrapperType {
            item: T::value_type,
            get: |value| {
                let $value = &*value.cast::<$ty>();
                ptr::from_ref::<T>($content).cast()
            },
            set: |item, to| {
                let $item = item.cast::<T>();
                to.cast::<$ty>().write($make);
            },
        }));
    };
}

wrapper!(
    Box<T>,
    |item| {
        // the content may be larger than the stack
        let mut content = Box::<T>::new_uninit();
        content.as_mut_ptr().copy_from_nonoverlapping(item, 1);
        content.assume_init()
    },
    |value| value
);
wrapper!(Arc<T>, |item| Arc::new(item.read()), |value| value);
wrapper!(Wrapping<T>, |item| Wrapping(item.read()), |value| &value.0);
wrapper!(Reverse<T>, |item| Reverse(item.read()), |value| &value.0);

/// The elements of a list, one by one.
macro_rules! each {
    ($ty:ty) => {
        ElementsType::Each(
            |list, each| {
                (*list.cast::<$ty>()).iter().for_each(|item| each(ptr::from_ref(item).cast(), ptr::null()));
            },
            |list| (*list.cast::<$ty>()).len(),
        )
    };
}

/// A list that is made by adding elements.
macro_rules! list {
    ([$($generics:tt)*] $ty:ty, $elements:expr, $room:ident => $new:expr, $push:ident) => {
        reflect!([$($generics)*] $ty, ValueShape::List(ListType {
            item: T::value_type,
            elements: $elements,
            collection: CollectionType {
                new: |$room, to| to.cast::<$ty>().write($new),
                push: |list, item, _| {
                    (*list.cast::<$ty>()).$push(item.cast::<T>().read());
                },
            },
        }));
    };
}

list!(
    [T: Reflect] Vec<T>,
    ElementsType::Slice(|list| {
        let list = &*list.cast::<Vec<T>>();
        (list.as_ptr().cast(), list.len())
    }),
    room => Vec::with_capacity(room),
    push
);
list!([T: Reflect] VecDeque<T>, each!(VecDeque<T>), room => VecDeque::with_capacity(room), push_back);
list!([T: Reflect + Ord] BTreeSet<T>, each!(BTreeSet<T>), _room => BTreeSet::new(), insert);
list!([T: Reflect + Ord] BinaryHeap<T>, each!(BinaryHeap<T>), room => BinaryHeap::with_capacity(room), push);
list!(
    [T: Reflect + Eq + Hash, S: BuildHasher + Default + 'static] HashSet<T, S>,
    each!(HashSet<T, S>),
    room => HashSet::with_capacity_and_hasher(room, S::default()),
    insert
);

/// A map that is made by inserting entries.
macro_rules! map {
    ([$($generics:tt)*] $ty:ty, $room:ident => $new:expr) => {
        reflect!([$($generics)*] $ty, ValueShape::Map(MapType {
            key: K::value_type,
            value: V::value_type,
            each: |map, each| (*map.cast::<$ty>()).iter().for_each(|(key, value)| {
                each(ptr::from_ref(key).cast(), ptr::from_ref(value).cast());
            }),
            len: |map| (*map.cast::<$ty>()).len(),
            collection: CollectionType {
                new: |$room, to| to.cast::<$ty>().write($new),
                push: |map, key, value| {
                    (*map.cast::<$ty>()).insert(key.cast::<K>().read(), value.cast::<V>().read());
                },
            },
        }));
    };
}

map!([K: Reflect + Ord, V: Reflect] BTreeMap<K, V>, _room => BTreeMap::new());
map!(
    [K: Reflect + Eq + Hash, V: Reflect, S: BuildHasher + Default + 'static] HashMap<K, V, S>,
    room => HashMap::with_capacity_and_hasher(room, S::default())
);

// SAFETY: an array has its elements side by side.
unsafe impl<T: Reflect, const N: usize> Reflect for [T; N] {
    fn value_type() -> &'static ValueType {
        // SAFETY: as above.
        const { &unsafe { ValueType::of::<Self>(ValueShape::Array(T::value_type, N)) } }
    }
}

macro_rules! tuples {
    ($($name:ident $number:tt),+) => {
        // SAFETY: these are all fields, with their offsets.
        unsafe impl<$($name: Reflect),+> Reflect for ($($name,)+) {
            fn value_type() -> &'static ValueType {
                const {
                    // SAFETY: as above.
                    &unsafe {
                        ValueType::of_struct::<Self>("", FieldList::new(
                            Style::Tuple,
                            &[$(stringify!($number)),+],
                            const { &[$(Field::new(stringify!($number), offset_of!(Self, $number), $name::value_type)),+] },
                        ))
                    }
                }
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
