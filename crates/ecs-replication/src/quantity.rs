//! [`Quantity`]: a number in a few bits, and [`quantize!`](crate::quantize), which sends the fields
//! of a component so.

use std::slice;

/// How the number in a field is sent: its range, and its bits. For [`quantize!`](crate::quantize).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantity {
    bits: u32,
    /// A number that is sent exactly, and its code. Those of the other codes follow in steps.
    origin: f64,
    code: i64,
    step: f64,
    /// The greatest code.
    most: i64,
    /// The numbers in the field.
    count: u32,
}

/// Numbers have at most so many bits.
const MOST_BITS: u32 = 32;

/// The fields of a component have at most so many bits together.
const ALL_BITS: u32 = 128;

impl Quantity {
    /// A number from `low` to `high` in so many bits, 2 to 32. The numbers that are sent are those
    /// in steps of `(high - low) / (2^bits - 2)`: both ends, and the middle, so that 0 stays 0 in
    /// `bits(12, -100.0, 100.0)`. Each number is sent as the nearest of them, and NaN as the middle.
    ///
    /// # Panics
    /// At compile time, in [`quantize!`](crate::quantize): if the range is empty, or has more steps
    /// than the type of the field tells apart.
    #[must_use]
    pub const fn bits(bits: u32, low: f64, high: f64) -> Self {
        assert!(2 <= bits && bits <= MOST_BITS, "a quantity has 2 to 32 bits");
        assert!(low < high && high - low < f64::INFINITY, "a quantity has a range, from low to high");
        let most = (1 << bits) - 2;
        let step = (high - low) / most as f64;
        Self { bits, origin: low + (high - low) / 2.0, code: most / 2, step, most, count: 1 }
    }

    /// A whole number from `low` to `high`, both included, in as few bits as there must be. Others
    /// are sent as the nearest end. A `bool` is `whole(0, 1)`.
    ///
    /// # Panics
    /// At compile time, in [`quantize!`](crate::quantize): if the range is empty, or has more than
    /// 2^32 numbers.
    #[must_use]
    pub const fn whole(low: i64, high: i64) -> Self {
        assert!(
            low < high && high.abs_diff(low) < 1 << MOST_BITS,
            "a quantity has a range of up to 2^32 numbers"
        );
        assert!(low.unsigned_abs() < 1 << 52, "the numbers of a quantity have at most 52 bits");
        let most = high - low;
        let bits = (most as u64).ilog2() + 1;
        Self { bits, origin: low as f64, code: 0, step: 1.0, most, count: 1 }
    }

    /// The distance of successive numbers that are sent: a number changes by at most half of it.
    #[must_use]
    pub const fn step(&self) -> f64 {
        self.step
    }

    /// The quantity of a field of `S`, with the number of its numbers, and checked for their type.
    #[doc(hidden)]
    #[must_use]
    pub const fn of<S, T: Numbers>(self, _: fn(&S) -> T) -> Self {
        let low = self.origin - self.code as f64 * self.step;
        let high = low + self.most as f64 * self.step;
        let [least, greatest] = <T::Number as Number>::RANGE;
        assert!(
            low >= least && high <= greatest,
            "the type of the field has a smaller range than the quantity"
        );
        // a number that was received is sent as the same code again
        let largest = if high.abs() > low.abs() { high.abs() } else { low.abs() };
        let is_fine = match <T::Number as Number>::PRECISION {
            Some(precision) => self.step > largest * precision,
            None => self.step > 1.0 || self.step == 1.0 && self.origin == self.origin.trunc(),
        };
        assert!(is_fine, "the quantity has more steps in its range than the type of the field tells apart");
        Self { count: T::COUNT, ..self }
    }

    /// The bytes of all fields.
    #[doc(hidden)]
    #[must_use]
    pub const fn bytes(all: &[Self]) -> usize {
        let (mut bits, mut at) = (0, 0);
        while at < all.len() {
            bits += all[at].bits * all[at].count;
            at += 1;
        }
        assert!(bits <= ALL_BITS, "the quantities of a component have at most 128 bits");
        bits.div_ceil(8) as usize
    }

    /// A hash of the quantities, by FNV-1a.
    #[doc(hidden)]
    #[must_use]
    pub const fn version(all: &[Self]) -> u64 {
        let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325, 0);
        while at < all.len() {
            let Self { bits, origin, code, step, most, count } = all[at];
            let parts =
                [bits as u64, origin.to_bits(), code as u64, step.to_bits(), most as u64, count as u64];
            let mut part = 0;
            while part < parts.len() {
                let bytes = parts[part].to_le_bytes();
                let mut byte = 0;
                while byte < bytes.len() {
                    hash = (hash ^ bytes[byte] as u64).wrapping_mul(0x0100_0000_01b3);
                    byte += 1;
                }
                part += 1;
            }
            at += 1;
        }
        hash | 1
    }

    fn code_of(&self, number: f64) -> i64 {
        // out of range, the code is that of an end
        let steps = ((number - self.origin) / self.step).round() as i64;
        steps.saturating_add(self.code).clamp(0, self.most)
    }

    fn number_of(&self, code: i64) -> f64 {
        self.origin + (code - self.code) as f64 * self.step
    }
}

/// A type of numbers that a [`Quantity`] is of.
#[doc(hidden)]
pub trait Number: Copy {
    const RANGE: [f64; 2];
    /// Twice the distance of two adjacent numbers, as a part of them; `None` for whole numbers.
    const PRECISION: Option<f64>;
    fn to_f64(self) -> f64;
    fn from_f64(number: f64) -> Self;
}

macro_rules! numbers {
    ($precision:expr, |$number:ident| $from:expr; $($of:ty)*) => {$(
        impl Number for $of {
            const RANGE: [f64; 2] = [<$of>::MIN as f64, <$of>::MAX as f64];
            const PRECISION: Option<f64> = $precision;
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn from_f64($number: f64) -> Self {
                $from as $of
            }
        }
    )*};
}
numbers!(None, |number| number.round(); u8 u16 u32 u64 i8 i16 i32 i64);
numbers!(Some(2.0 * f32::EPSILON as f64), |number| number; f32);
// also for what is lost between code and number
numbers!(Some(8.0 * f64::EPSILON), |number| number; f64);

impl Number for bool {
    const RANGE: [f64; 2] = [0.0, 1.0];
    const PRECISION: Option<f64> = None;
    fn to_f64(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_f64(number: f64) -> Self {
        number >= 0.5
    }
}

/// The type of a field: a number, or an array of numbers.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` has no quantity",
    label = "neither a number, nor `bool`, nor an array of these",
    note = "`impl WireForm for ..` by hand sends a component with other fields in any form"
)]
pub trait Numbers: Copy {
    type Number: Number;
    const COUNT: u32;
    fn put(self, one: impl FnMut(Self::Number));
    fn take(one: impl FnMut() -> Result<Self::Number, &'static str>) -> Result<Self, &'static str>;
}

#[diagnostic::do_not_recommend]
impl<T: Number> Numbers for T {
    type Number = T;
    const COUNT: u32 = 1;
    fn put(self, mut one: impl FnMut(T)) {
        one(self);
    }
    fn take(mut one: impl FnMut() -> Result<T, &'static str>) -> Result<Self, &'static str> {
        one()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Number + Default, const N: usize> Numbers for [T; N] {
    type Number = T;
    const COUNT: u32 = N as u32;
    fn put(self, one: impl FnMut(T)) {
        self.into_iter().for_each(one);
    }
    fn take(mut one: impl FnMut() -> Result<T, &'static str>) -> Result<Self, &'static str> {
        let mut numbers = [T::default(); N];
        numbers.iter_mut().try_for_each(|number| one().map(|read| *number = read))?;
        Ok(numbers)
    }
}

/// The bits of a component, the first number in the lowest ones.
#[doc(hidden)]
#[derive(Debug)]
pub struct Bits<'q> {
    quantities: slice::Iter<'q, Quantity>,
    bits: u128,
    /// The number of bits that were written or read.
    at: u32,
}

impl<'q> Bits<'q> {
    #[must_use]
    pub fn new(quantities: &'q [Quantity]) -> Self {
        Self { quantities: quantities.iter(), bits: 0, at: 0 }
    }

    #[must_use]
    pub fn of(quantities: &'q [Quantity], bytes: &[u8]) -> Self {
        let mut all = [0; ALL_BITS as usize / 8];
        all[..bytes.len()].copy_from_slice(bytes);
        Self { quantities: quantities.iter(), bits: u128::from_le_bytes(all), at: 0 }
    }

    /// Writes the next field.
    pub fn put<T: Numbers>(&mut self, value: T) {
        let Some(quantity) = self.quantities.next() else { return };
        value.put(|number| {
            self.bits |= (quantity.code_of(number.to_f64()) as u128) << self.at;
            self.at += quantity.bits;
        });
    }

    /// The bytes of what was written.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.bits.to_le_bytes()[..N]);
        bytes
    }

    /// Reads the next field.
    ///
    /// # Errors
    /// If the bits are those of no number in the range.
    pub fn take<T: Numbers>(&mut self) -> Result<T, &'static str> {
        let quantity = self.quantities.next().ok_or("a field without a quantity")?;
        T::take(|| {
            let code = (self.bits >> self.at) as i64 & ((1 << quantity.bits) - 1);
            self.at += quantity.bits;
            let number = (code <= quantity.most).then(|| T::Number::from_f64(quantity.number_of(code)));
            number.ok_or("the bits of a number that is out of its range")
        })
    }

    /// Checks that the bits after the last field are 0.
    ///
    /// # Errors
    /// If they are not.
    pub fn end(&self) -> Result<(), &'static str> {
        let rest = self.bits.checked_shr(self.at).unwrap_or(0);
        if rest == 0 { Ok(()) } else { Err("bits after the last number") }
    }
}

/// Implements [`WireForm`](crate::WireForm) for components whose fields are numbers, `bool`s or
/// arrays of them: [`Wire`](crate::Wire) then sends each field in the bits of its [`Quantity`], side
/// by side, with no gaps between fields. A component has at most 128 bits.
///
/// Server and client compare hashes of what is sent, so that the client's values need not be equal
/// to the server's; they are those of the nearest steps. A value that changes by less than a step
/// is mostly not sent. The server computes with its own values, and saves them as they are.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::save::{Replica, Selection};
/// use ecs_replication::{Client, ClientId, Limits, Quantity, Server, Wire, quantize};
/// use std::f64::consts::TAU;
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Body {
///     place: [f32; 2],
///     facing: f32,
///     health: u8,
///     is_hurt: bool,
/// }
/// const PLACE: Quantity = Quantity::bits(16, -200.0, 200.0);
/// // 16 + 16 + 8 + 7 + 1 bits: 6 bytes in place of 14
/// quantize! {
///     Body {
///         place: PLACE,
///         facing: Quantity::bits(8, 0.0, TAU),
///         health: Quantity::whole(0, 100),
///         is_hurt: Quantity::whole(0, 1),
///     }
/// }
///
/// world! { #[derive(Clone)] struct Game { components { Body } } }
///
/// let mut game = Game::new();
/// let hero = game.spawn(Body { place: [1.2345, 0.0], facing: 1.0, health: 77, is_hurt: true });
/// let mut server = Server::<Game, ()>::new(1, Limits::default());
/// server.connect(ClientId(1));
/// let mut copy = Game::new();
/// let mut client = Client::<Game, ()>::new::<Wire<Body>>(Replica::new(), 1 << 20);
/// for (_, message) in server.messages(&mut game, 1, |_, _| Selection::of::<Wire<Body>>())? {
///     client.receive(&mut copy, &message)?;
/// }
/// let seen: &Body = copy.get(client.replica().get(hero).unwrap()).unwrap();
/// assert!((seen.place[0] - 1.2345).abs() <= PLACE.step() as f32 / 2.0);
/// assert_eq!((seen.place[1], seen.health, seen.is_hurt), (0.0, 77, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A quantity that the type of its field cannot tell apart does not compile:
///
/// ```compile_fail
/// # use ecs::prelude::*;
/// # use ecs_replication::{Quantity, quantize};
/// #[derive(Component)]
/// struct Far(f32);
/// quantize! { Far { 0: Quantity::bits(24, 0.0, 1e9) } } // steps of 60, and `f32` has steps of 64 there
/// ```
///
/// The fields of a tuple are named `0`, `1`, and so on. All fields have a quantity. A component with
/// fields of other types, such as vectors of a library, has an `impl` of
/// [`WireForm`](crate::WireForm), whose `Form` may be a struct with `quantize!` of its own.
#[macro_export]
macro_rules! quantize {
    ($($of:ident { $($field:tt: $quantity:expr),+ $(,)? })+) => {$(
        const _: () = {
            const ALL: &[$crate::Quantity] =
                &[$($crate::Quantity::of($quantity, |value: &$of| value.$field)),+];
            impl $crate::WireForm for $of {
                type Form = [u8; $crate::Quantity::bytes(ALL)];
                const VERSION: u64 = $crate::Quantity::version(ALL);
                fn to_form(&self) -> Self::Form {
                    let mut bits = $crate::Bits::new(ALL);
                    $(bits.put(self.$field);)+
                    bits.bytes()
                }
                fn from_form(form: Self::Form) -> ::core::result::Result<Self, &'static str> {
                    let mut bits = $crate::Bits::of(ALL, &form);
                    let value = Self { $($field: bits.take()?),+ };
                    bits.end().map(|()| value)
                }
            }
        };
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of each number that is sent is its own again, so that hashes of sender and receiver
    /// are equal, and a number is sent as the nearest one.
    fn check<T: Number>(quantity: Quantity) {
        fn same<T: Number>(value: &T) -> T {
            *value
        }
        let quantity = quantity.of(same::<T>);
        let stride = (quantity.most / 5_000).max(1);
        let codes = (0..=quantity.most).step_by(stride as usize).chain([quantity.most]);
        for code in codes {
            let number = T::from_f64(quantity.number_of(code));
            assert_eq!(quantity.code_of(number.to_f64()), code, "{quantity:?}");
            // a little beside it
            let beside = number.to_f64() + quantity.step * 0.4;
            assert_eq!(quantity.code_of(beside), code);
        }
        for beyond in [f64::INFINITY, 1e300] {
            assert_eq!([quantity.code_of(-beyond), quantity.code_of(beyond)], [0, quantity.most]);
        }
        assert_eq!(quantity.code_of(f64::NAN), quantity.code);
    }

    #[test]
    fn a_number_that_was_received_is_sent_as_the_same_bits() {
        for bits in 2..=20 {
            check::<f32>(Quantity::bits(bits, -100.0, 100.0));
            check::<f32>(Quantity::bits(bits, 0.0, std::f64::consts::TAU));
        }
        (2..=18).for_each(|bits| check::<f32>(Quantity::bits(bits, 5.0, 5.7)));
        check::<f32>(Quantity::bits(21, -1000.0, 1000.0));
        for bits in 2..=32 {
            check::<f64>(Quantity::bits(bits, -1e7, 3e6));
            check::<f64>(Quantity::bits(bits, 1e5, 1e5 + 1.0));
        }
        check::<u8>(Quantity::whole(0, 255));
        check::<i16>(Quantity::whole(-300, 301));
        check::<u64>(Quantity::whole(1 << 40, (1 << 40) + 7));
        check::<i32>(Quantity::whole(i32::MIN.into(), i32::MAX.into()));
        check::<u32>(Quantity::bits(7, 0.0, 100_000.0));
    }

    #[test]
    fn ends_and_the_middle_are_exact_and_signs_alike() {
        for bits in 2..=16 {
            let quantity = Quantity::bits(bits, -0.7, 0.7);
            let sent = |number: f64| quantity.number_of(quantity.code_of(number));
            assert_eq!(sent(0.0), 0.0);
            assert!((sent(0.7) - 0.7).abs() < 1e-15);
            for number in [0.01, 0.3, 0.699] {
                assert_eq!(sent(-number), -sent(number));
            }
        }
    }

    #[test]
    fn impossible_bits_are_errors() {
        // 12 bits and 2 of 0, 1, 2; the last 2 of 16 are 0
        const ALL: &[Quantity] = &[Quantity::bits(12, -1.0, 1.0), Quantity::whole(0, 2)];
        let mut accepted = 0;
        for form in 0..=u16::MAX {
            let bytes = form.to_le_bytes();
            let mut bits = Bits::of(ALL, &bytes);
            let mut read = || {
                let numbers: (f32, u8) = (bits.take()?, bits.take()?);
                bits.end().map(|()| numbers)
            };
            let Ok((number, small)) = read() else { continue };
            let mut again = Bits::new(ALL);
            again.put(number);
            again.put(small);
            assert_eq!(again.bytes::<2>(), bytes);
            accepted += 1;
        }
        assert_eq!(accepted, 4_095 * 3);
    }

    #[test]
    fn all_bits_may_be_used() {
        const ALL: &[Quantity] = &[Quantity { count: 4, ..Quantity::whole(0, u32::MAX as i64) }];
        assert_eq!(Quantity::bytes(ALL), 16);
        let mut bits = Bits::new(ALL);
        bits.put([1_u32, u32::MAX, 7, u32::MAX]);
        let bytes = bits.bytes::<16>();
        let mut bits = Bits::of(ALL, &bytes);
        assert_eq!(bits.take(), Ok([1_u32, u32::MAX, 7, u32::MAX]));
        assert_eq!(bits.end(), Ok(()));
    }
}
