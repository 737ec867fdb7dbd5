//! The serializer of a small value into a window: [`Start`] stands at the beginning of the window.
//!
//! A [`Writer`] knows its position at run time only, because the function that a type's `Serialize`
//! is compiled to gets it by reference, and is too long to be inlined if it masks the position of
//! each number. A `Start` has no position. The function makes the writer itself, so that all
//! positions in it are constants: an array of 16 numbers is four wide stores instead of 78
//! instructions, and is inlined.

use serde::ser::{Serialize, Serializer};

use super::DEPTH;
use super::write::{Sink as _, Window, Writer, WrittenParts, skipped};
use crate::persist::erased::FormError;
use crate::persist::erased::write::PartPlace;
use crate::persist::serialized_parts::{begins_parts, serializes_parts};

/// The serializer of a value at the beginning of a window. It returns the number of bytes of the
/// value, including those that did not fit: the value is in the window if these are not more than
/// [`Window::ROOM`].
pub(crate) struct Start<'b, const N: usize> {
    bytes: &'b mut [u8; N],
    depth: u32,
}

impl<'b, const N: usize> Start<'b, N> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, depth: 0 }
    }

    #[inline(always)]
    fn writer(self) -> Writer<Window<'b, N>> {
        Writer { sink: Window::new(self.bytes), depth: self.depth }
    }

    /// Writes a value that has no parts, or whose parts are written by the writer.
    #[inline(always)]
    fn whole(
        self,
        write: impl FnOnce(&mut Writer<Window<'b, N>>) -> Result<(), FormError>,
    ) -> Result<usize, FormError> {
        let mut writer = self.writer();
        write(&mut writer)?;
        Ok(writer.sink.at())
    }

    /// Begins the parts of a value.
    #[inline(always)]
    fn parts(
        self,
        begin: impl FnOnce(&mut Writer<Window<'b, N>>) -> Result<WrittenParts, FormError>,
    ) -> Result<StartedWriter<'b, N>, FormError> {
        let mut writer = self.writer();
        let parts = begin(&mut writer)?;
        Ok(StartedWriter { writer, parts })
    }

    #[inline(always)]
    fn counted(self, length: Option<usize>) -> Result<StartedWriter<'b, N>, FormError> {
        self.parts(|writer| writer.begin_counted(length))
    }

    #[inline(always)]
    fn uncounted(self) -> Result<StartedWriter<'b, N>, FormError> {
        self.parts(|writer| writer.begin(None))
    }

    #[inline(always)]
    fn of_variant(self, index: u32) -> Result<StartedWriter<'b, N>, FormError> {
        self.parts(|writer| writer.begin_variant(index))
    }
}

/// Writes values one after the other, until less of the buffer is left than the window for values
/// of this size, or a value is longer, or cannot be serialized. Returns the number of values and
/// that of bytes.
pub(crate) fn write_small<T: Serialize>(values: &[T], to: &mut [u8]) -> (usize, usize) {
    #[inline(always)]
    fn write<const N: usize, T: Serialize>(values: &[T], mut rest: &mut [u8]) -> (usize, usize) {
        let (room, mut count) = (rest.len(), 0);
        for value in values {
            let Some(window) = rest.first_chunk_mut::<N>() else { break };
            let written = value.serialize(Start::new(window)).ok();
            let Some(written) = written.filter(|written| *written <= Window::<N>::ROOM) else { break };
            rest = &mut rest[written..];
            count += 1;
        }
        (count, room - rest.len())
    }
    match const { window(size_of::<T>()) } {
        Some(SMALL) => write::<SMALL, T>(values, to),
        Some(MEDIUM) => write::<MEDIUM, T>(values, to),
        Some(_) => write::<LARGE, T>(values, to),
        None => (0, 0),
    }
}

/// The sizes of windows: a power of two that most values of a size fit into, and 16 bytes for the
/// longest number.
const SMALL: usize = 32 + 16;
const MEDIUM: usize = 128 + 16;
const LARGE: usize = 512 + 16;

/// The size of the window for values that have this size in memory; `None` for values that are
/// written without a window.
pub(crate) const fn window(size: usize) -> Option<usize> {
    match size {
        0..=16 => Some(SMALL),
        17..=64 => Some(MEDIUM),
        65..=256 => Some(LARGE),
        _ => None,
    }
}

macro_rules! whole {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $ty),*) -> Result<usize, FormError> {
            self.whole(|writer| writer.$name($($argument),*))
        }
    )*};
}

impl<'b, const N: usize> Serializer for Start<'b, N> {
    type Ok = usize;
    type Error = FormError;
    begins_parts!(StartedWriter<'b, N>, FormError);

    whole! {
        serialize_bool(value: bool); serialize_char(value: char); serialize_str(value: &str); serialize_bytes(value: &[u8]);
        serialize_u8(value: u8); serialize_u16(value: u16); serialize_u32(value: u32); serialize_u64(value: u64);
        serialize_i8(value: i8); serialize_i16(value: i16); serialize_i32(value: i32); serialize_i64(value: i64);
        serialize_u128(value: u128); serialize_i128(value: i128); serialize_f32(value: f32); serialize_f64(value: f64);
        serialize_none(); serialize_unit(); serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    #[inline(always)]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<usize, FormError> {
        self.whole(|writer| writer.serialize_some(value))
    }

    /// The content begins where the value begins.
    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<usize, FormError> {
        if self.depth == DEPTH {
            return Err(FormError::depth());
        }
        value.serialize(Self { depth: self.depth + 1, ..self })
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<usize, FormError> {
        self.whole(|writer| writer.serialize_newtype_variant(name, index, variant, value))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The serializer of the elements or fields of a value at the beginning of a window. It has the
/// writer, so that the optimizer knows the position.
pub(crate) struct StartedWriter<'b, const N: usize> {
    writer: Writer<Window<'b, N>>,
    parts: WrittenParts,
}

serializes_parts!([#[inline(always)]] [const N: usize] StartedWriter<'_, N>: usize, FormError;
    (|started, place, value| match place {
        PartPlace::Value => value.serialize(&mut started.writer),
        _ => started.parts.element(&mut started.writer, value),
    })
    (|started| {
        let StartedWriter { mut writer, parts } = started;
        parts.done(&mut writer)?;
        Ok(writer.sink.at())
    })
    (|_started, name| Err(skipped(name)))
);

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::string::String;
    use alloc::vec::Vec;

    use serde::Serialize;

    use super::*;
    use crate::persist::compact::write::to_vec;

    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Newtype<T>(T);
    #[derive(Serialize)]
    struct Pair<T>(u8, T);
    #[derive(Serialize)]
    struct Fields<T> {
        text: &'static str,
        value: T,
    }
    #[derive(Serialize)]
    enum Shape<T> {
        Nothing,
        One(T),
        Two(u16, T),
        Named { value: T, letter: char },
    }

    fn same<T: Serialize>(value: &T) {
        let expected = to_vec(value).unwrap();
        let mut window = [0xff; 128 + 16];
        let written = value.serialize(Start::new(&mut window)).unwrap();
        assert_eq!(window[..written], expected);
        // too small a window: the length is right, or sequences and text stop early
        let mut small = [0xff; 4 + 16];
        let written = value.serialize(Start::new(&mut small));
        match written {
            Ok(written) if written <= 4 => assert_eq!(small[..written], expected),
            Ok(written) => assert_eq!(written, expected.len()),
            Err(_) => assert!(expected.len() > 4),
        }
    }

    fn same_within<T: Serialize + Clone>(value: T) {
        same(&value);
        same(&Newtype(Newtype(value.clone())));
        same(&Pair(1, value.clone()));
        same(&Fields { text: "x", value: value.clone() });
        same(&[Shape::One(value.clone()), Shape::Two(7, value.clone()), Shape::Nothing]);
        same(&Shape::Named { value: value.clone(), letter: 'ß' });
        same(&Shape::One(value.clone()));
        same(&Shape::Two(3, value.clone()));
        same(&Some(value.clone()));
        same(&alloc::vec![value.clone(), value.clone()]);
        same(&BTreeMap::from([(1_u8, value)]));
    }

    #[test]
    fn a_value_is_written_as_by_a_writer() {
        same_within(1_u8);
        same_within(-2.5_f32);
        same_within(f64::NAN);
        same_within(u128::MAX);
        same_within((true, 'x', -3_i64));
        same_within([1_u16, 2, 3, 4]);
        same_within(String::from("text"));
        same_within(Vec::<u8>::new());
        same_within(None::<u8>);
        same_within(());
        same(&Unit);
        same(&Shape::<u8>::Nothing);
    }

    #[test]
    fn newtypes_count_as_nested() {
        struct Deep(u32);
        impl Serialize for Deep {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.0 {
                    0 => serializer.serialize_u8(1),
                    depth => serializer.serialize_newtype_struct("Deep", &Self(depth - 1)),
                }
            }
        }
        for depth in [DEPTH - 1, DEPTH, DEPTH + 1] {
            let mut window = [0; 32];
            let written = Deep(depth).serialize(Start::new(&mut window));
            assert_eq!(written.is_ok(), to_vec(&Deep(depth)).is_ok(), "{depth}");
        }
    }
}
