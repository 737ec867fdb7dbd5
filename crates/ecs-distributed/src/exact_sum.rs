//! [`ExactSum`]: a sum of floating point numbers without rounding, so that it depends neither on
//! the order of the numbers nor on how they are divided among workers.
//!
//! The sum is a fixed point number with a digit for each 32 bits of the range of `f64`: a number
//! adds to three digits. Radford Neal, "Fast exact summation using small and large
//! superaccumulators", 2015.

use crate::wire::{read_number, write_number};

/// The number of digits: the range of `f64` takes 66, and the last one has what is above.
const DIGITS: usize = 67;
/// The number of additions after which a digit could overflow: each adds less than 2³².
const CARRY_AFTER: u32 = 1 << 30;

/// An exact sum of `f64`.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct ExactSum {
    /// Digit `n` counts for 2 to the power of `32 n - 1074`. They overlap until they are carried.
    digits: [i64; DIGITS],
    /// The additions since digits were carried.
    additions: u32,
    /// The infinities and the NaN that were added, which have no digits: their sum.
    special: Option<f64>,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { digits: [0; DIGITS], additions: 0, special: None }
    }
}

impl ExactSum {
    #[inline]
    pub(crate) fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as usize, bits & ((1 << 52) - 1));
        if exponent == 0x7ff {
            self.add_special(number);
            return;
        }
        // subnormal numbers have no hidden bit, and the exponent of the smallest normal ones
        let (mantissa, shift) =
            if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let wide = u128::from(mantissa) << (shift % 32);
        let sign = if number.is_sign_negative() { -1 } else { 1 };
        for (at, digit) in self.digits[shift / 32..][..3].iter_mut().enumerate() {
            *digit += sign * i64::from((wide >> (32 * at)) as u32);
        }
        self.count();
    }

    fn add_special(&mut self, number: f64) {
        let sum = self.special.map_or(number, |special| special + number);
        // one NaN, since processors choose different bits for theirs
        self.special = Some(if sum.is_nan() { f64::NAN } else { sum });
    }

    fn count(&mut self) {
        self.additions += 1;
        if self.additions >= CARRY_AFTER {
            self.carry();
        }
    }

    /// Makes all digits but the last one numbers from 0 to 2³² - 1.
    fn carry(&mut self) {
        for at in 1..DIGITS {
            let digit = &mut self.digits[at - 1];
            let above = *digit >> 32;
            *digit &= 0xffff_ffff;
            self.digits[at] += above;
        }
        self.additions = 0;
    }

    /// The sign, and the digits of the absolute value.
    fn magnitude(&self) -> (bool, [i64; DIGITS]) {
        let mut sum = self.clone();
        sum.carry();
        let is_negative = sum.digits[DIGITS - 1] < 0;
        if is_negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        (is_negative, sum.digits)
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: &Self) {
        let (is_negative, digits) = other.magnitude();
        self.add_digits(is_negative, &digits);
        if let Some(special) = other.special {
            self.add_special(special);
        }
    }

    fn add_digits(&mut self, is_negative: bool, digits: &[i64; DIGITS]) {
        for (to, digit) in self.digits.iter_mut().zip(digits) {
            *to += if is_negative { -digit } else { *digit };
        }
        self.count();
    }

    /// The nearest `f64`; of two, the even one.
    pub(crate) fn round(&self) -> f64 {
        if let Some(special) = self.special {
            return special;
        }
        let (is_negative, digits) = self.magnitude();
        let rounded = f64::from_bits(round_digits(&digits));
        if is_negative { -rounded } else { rounded }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let (is_negative, digits) = self.magnitude();
        let used = || digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        out.push(u8::from(is_negative) | u8::from(self.special.is_some()) << 1);
        if let Some(special) = self.special {
            out.extend(special.to_le_bytes());
        }
        out.push(used().count() as u8);
        for (at, &digit) in used() {
            out.push(at as u8);
            write_number(digit as u64, out);
        }
    }

    /// Reads what [`write`](Self::write) has written; `None` if the bytes are damaged.
    pub(crate) fn read(input: &mut &[u8]) -> Option<Self> {
        let mut sum = Self::default();
        let flags = *input.split_off_first()?;
        if flags > 3 {
            return None;
        }
        if flags & 2 != 0 {
            let (bytes, rest) = input.split_first_chunk()?;
            *input = rest;
            let special = Some(f64::from_le_bytes(*bytes)).filter(|special| !special.is_finite())?;
            sum.add_special(special);
        }
        let mut digits = [0; DIGITS];
        for _ in 0..*input.split_off_first()? {
            let digit = digits.get_mut(usize::from(*input.split_off_first()?))?;
            // the last digit is 2³² after more additions than there can be
            *digit = i64::from(u32::try_from(read_number(input)?).ok()?);
        }
        sum.add_digits(flags & 1 != 0, &digits);
        Some(sum)
    }
}

/// The bits of the `f64` that is nearest to carried digits.
fn round_digits(digits: &[i64; DIGITS]) -> u64 {
    let Some(high) = digits.iter().rposition(|&digit| digit != 0) else { return 0 };
    if high == DIGITS - 1 {
        return f64::INFINITY.to_bits();
    }
    // the three highest digits have the 53 bits of the result, and at least twelve below them
    let digit = |below: usize| high.checked_sub(below).map_or(0, |at| digits[at] as u128);
    let window = digit(0) << 64 | digit(1) << 32 | digit(2);
    let top = window.ilog2() as usize; // 64 to 95
    let shift = top - 52;
    // numbers up to 2⁵³ units of the smallest one are exact: their bits count the units
    let Some(exponent) = (32 * high + top).checked_sub(64 + 52) else {
        return (window >> (64 - 32 * high)) as u64;
    };
    let (mantissa, rest, half) = ((window >> shift) as u64, window & ((1 << shift) - 1), 1 << (shift - 1));
    let is_exact = digits[..high.saturating_sub(2)].iter().all(|&digit| digit == 0);
    let rounds_up = rest > half || rest == half && (!is_exact || mantissa & 1 == 1);
    // the hidden bit adds one to the exponent, as does a mantissa that is rounded up to 2⁵³
    let bits = ((exponent as u64) << 52) + mantissa + u64::from(rounds_up);
    bits.min(f64::INFINITY.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::global_id::mix;

    /// Finite numbers of all exponents, or of a few, of which some cancel each other.
    fn numbers(seed: u64, count: u64) -> Vec<f64> {
        let of = |at: u64| {
            let bits = mix(mix(seed) ^ at);
            let bits = match seed % 3 {
                0 => bits,
                1 => bits & !(0x7ff << 52) | (1000 + bits % 60) << 52,
                _ => bits & !(0x7f0 << 52), // subnormal and nearly so
            };
            Some(f64::from_bits(bits)).filter(|number| number.is_finite()).unwrap_or(1.0)
        };
        (0..count).map(|at| if at % 5 == 4 { -of(at - 3) } else { of(at) }).collect()
    }

    fn sum(numbers: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|&number| sum.add(number));
        sum
    }

    /// The addition of two numbers of the processor is exact and rounded once.
    #[test]
    fn the_sum_of_two_numbers_is_that_of_the_processor() {
        for seed in 0..3000 {
            let two = numbers(seed, 2);
            let same = if two[0] + two[1] == 0.0 { 0.0 } else { two[0] + two[1] };
            assert_eq!(sum(&two).round().to_bits(), same.to_bits(), "{two:?}");
        }
        for (two, expected) in [
            ([f64::MAX, f64::MAX], f64::INFINITY),
            ([f64::MIN, -f64::MAX / 4.0], f64::NEG_INFINITY),
            ([f64::MAX, f64::MIN], 0.0),
            ([5e-324, -1e-323], -5e-324),
            ([f64::MIN_POSITIVE, -5e-324], f64::MIN_POSITIVE - 5e-324),
            ([1.0, f64::EPSILON / 2.0], 1.0),
            ([1.0 + f64::EPSILON, f64::EPSILON / 2.0], 1.0 + 2.0 * f64::EPSILON),
            ([-0.0, -0.0], 0.0),
        ] {
            assert_eq!(sum(&two).round().to_bits(), expected.to_bits(), "{two:?}");
        }
    }

    #[test]
    fn a_sum_is_rounded_once() {
        assert_eq!(sum(&[1e100, 1.0, -1e100]).round(), 1.0);
        assert_eq!(sum(&[f64::MAX, f64::MAX, f64::MIN, f64::MIN, 3.0]).round(), 3.0);
        // a half, and something far below it
        assert_eq!(sum(&[1.0, f64::EPSILON / 2.0, 5e-324]).round(), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[-1.0, -f64::EPSILON / 2.0, 5e-324]).round(), -1.0);
        let mut tenths = ExactSum { additions: CARRY_AFTER - 2, ..ExactSum::default() };
        (0..10).for_each(|_| tenths.add(0.1));
        assert_eq!(tenths.round(), 1.0);
        // numbers of one magnitude as integers
        for seed in 0..300 {
            let integers: Vec<i64> = (0..40).map(|at| mix(seed ^ mix(at)) as i64 >> 12).collect();
            let floats: Vec<f64> = integers.iter().map(|&number| number as f64).collect();
            assert_eq!(sum(&floats).round(), integers.iter().sum::<i64>() as f64);
        }
    }

    #[test]
    fn order_groups_and_messages_do_not_matter() {
        for seed in 0..300 {
            let numbers = numbers(seed, 50);
            let expected = sum(&numbers).round().to_bits();
            let mut merged = ExactSum::default();
            for group in numbers.chunks(1 + seed as usize % 9).rev() {
                let mut bytes = Vec::new();
                sum(group).write(&mut bytes);
                let mut input = bytes.as_slice();
                merged.merge(&ExactSum::read(&mut input).expect("whole"));
                assert!(input.is_empty());
            }
            assert_eq!(merged.round().to_bits(), expected, "{numbers:?}");
        }
    }

    #[test]
    fn infinities_and_nan_are_as_in_any_order() {
        let (infinity, nan) = (f64::INFINITY, f64::NAN.to_bits());
        assert_eq!(sum(&[1.0, infinity, infinity]).round(), infinity);
        assert_eq!(sum(&[-infinity, f64::MAX]).round(), -infinity);
        for numbers in [[infinity, -infinity, 1.0], [-infinity, 1.0, infinity], [1.0, -f64::NAN, infinity]] {
            assert_eq!(sum(&numbers).round().to_bits(), nan);
        }
    }

    #[test]
    fn damaged_bytes_are_errors_or_other_sums_and_no_panics() {
        for seed in 0..100 {
            let mut bytes = Vec::new();
            sum(&numbers(seed, 6)).write(&mut bytes);
            for at in 0..bytes.len() {
                assert!(ExactSum::read(&mut &bytes[..at]).is_none());
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (mix(seed ^ at as u64) % 8);
                let _ = ExactSum::read(&mut damaged.as_slice()).map(|sum| sum.round());
            }
        }
        assert!(ExactSum::read(&mut [4, 0].as_slice()).is_none());
        assert!(ExactSum::read(&mut [0, 1, 67, 1].as_slice()).is_none());
        assert!(ExactSum::read(&mut [0, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x10].as_slice()).is_none());
    }
}
