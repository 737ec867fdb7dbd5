//! Exact values in human-readable formats: NaN and the infinities are written as text.
//!
//! JSON lacks these numbers: `serde_json` writes `null`, which is not read as a number, or is read
//! as `None`. So they are written as `"$NaN"`, `"$inf"` and `"$-inf"`, and a NaN with other bits as
//! `"$NaN(ffc00000)"`. These texts are read as numbers if the type requests a number or any value
//! (`untagged`, `flatten`). A text value that looks like one of them gets one more `$` in the file.
//!
//! In a type that requests any value, serde stores a decimal as an `f64`, so an `f32` is rounded
//! twice. In tests, one in a thousand million numbers was restored as an adjacent `f32`.
//!
//! Likewise, a `Some` of nothing is written as text ([`nothing`]), because JSON writes it as
//! `None`.
//!
//! Where a number may be text, any value must be requested from the format, which takes more time
//! in RON than the request for a number. So the file says which components have only finite numbers
//! ([`is_finite`](crate::persist::compact::finite::is_finite)), and
//! [`expect_finite`](super::ReadForm::expect_finite) requests numbers for their values.

mod nothing;
mod read;

use alloc::borrow::Cow;
use alloc::format;

use super::FormError;
use super::read::{FormEvent, Receiver};
use super::write::Leaf;
use crate::value::scalar::Scalar;
pub(crate) use nothing::Nothing;
pub(super) use nothing::SomeContent;
pub(crate) use read::{Expecting, ReadStyle};
pub(super) use read::{receive_decimal, receive_map, receive_text};

/// A number that JSON lacks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Special {
    Infinite {
        negative: bool,
    },
    Nan,
    /// A NaN with other bits than `f32::NAN` or `f64::NAN`.
    Nan32(u32),
    Nan64(u64),
}

impl Special {
    /// Parses the text of a special number.
    fn find(text: &str) -> Option<Self> {
        match text.strip_prefix('$')? {
            "NaN" => Some(Self::Nan),
            "inf" => Some(Self::Infinite { negative: false }),
            "-inf" => Some(Self::Infinite { negative: true }),
            rest => {
                let digits = rest.strip_prefix("NaN(")?.strip_suffix(')')?;
                let is_hex = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
                let bits = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
                match digits.len() {
                    8 => Some(Self::Nan32(bits as u32)).filter(|_| f32::from_bits(bits as u32).is_nan()),
                    16 => Some(Self::Nan64(bits)).filter(|_| f64::from_bits(bits).is_nan()),
                    _ => None,
                }
            }
        }
    }

    fn text32(value: f32) -> Cow<'static, str> {
        match value.to_bits() {
            bits if bits == f32::NAN.to_bits() => "$NaN".into(),
            bits if value.is_nan() => format!("$NaN({bits:08x})").into(),
            _ if value < 0.0 => "$-inf".into(),
            _ => "$inf".into(),
        }
    }

    fn text64(value: f64) -> Cow<'static, str> {
        match value.to_bits() {
            bits if bits == f64::NAN.to_bits() => "$NaN".into(),
            bits if value.is_nan() => format!("$NaN({bits:016x})").into(),
            _ if value < 0.0 => "$-inf".into(),
            _ => "$inf".into(),
        }
    }

    /// Passes the number to a receiver; `wide` if an `f64` or any value was requested.
    fn receive(self, wide: bool, to: &mut dyn Receiver<'_>) -> Result<(), FormError> {
        to.receive(FormEvent::Scalar(match self {
            Self::Nan32(bits) => Scalar::F32(f32::from_bits(bits)),
            Self::Nan64(bits) => Scalar::F64(f64::from_bits(bits)),
            Self::Nan if wide => Scalar::F64(f64::NAN),
            Self::Nan => Scalar::F32(f32::NAN),
            Self::Infinite { negative: false } => Scalar::F64(f64::INFINITY),
            Self::Infinite { negative: true } => Scalar::F64(f64::NEG_INFINITY),
        }))
    }
}

/// The text that stands for a leaf in the file; `None` if the leaf is written as it is.
#[inline]
pub(super) fn text_for(leaf: Leaf<'_>) -> Option<Cow<'static, str>> {
    match leaf {
        Leaf::Scalar(Scalar::F32(value)) if !value.is_finite() => Some(Special::text32(value)),
        Leaf::Scalar(Scalar::F64(value)) if !value.is_finite() => Some(Special::text64(value)),
        Leaf::Str(text) if text.starts_with('$') => escaped(text),
        _ => None,
    }
}

/// Text that begins with a `$`, with one more if it may be read as something else.
#[cold]
#[inline(never)]
fn escaped(text: &str) -> Option<Cow<'static, str>> {
    is_escaped(text).then(|| format!("${text}").into())
}

/// Returns `true` if the text is that of a special number or of a `Some` of nothing, after any
/// number of `$` that escape it.
fn is_escaped(text: &str) -> bool {
    // A special number begins with the last `$`. A hostile file may have a million of them.
    let marks = text.len() - text.trim_start_matches('$').len();
    marks > 0 && {
        let text = &text[marks - 1..];
        Special::find(text).is_some() || nothing::find(text).is_some()
    }
}

/// Removes the `$` that escapes a text value in a file.
pub(crate) fn unescaped(text: &str) -> &str {
    match text.strip_prefix('$') {
        Some(rest) if is_escaped(rest) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use core::fmt;

    use super::read::narrow;
    use super::*;
    use crate::persist::erased::{ReadForm, read_value};

    #[test]
    fn a_number_that_is_rounded_twice_is_the_one_that_was_written() {
        let written = f32::from_bits(0x15ae_43fd);
        let wide: f64 = format!("{written:e}").parse().unwrap();
        assert_ne!(wide as f32, written);
        assert_eq!((narrow(wide), narrow(-wide)), (Some(written), Some(-written)));
        for other in [0.0, -0.0, 0.1, 16_777_217.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN] {
            assert_eq!(narrow(other), None, "{other}");
        }
    }

    #[test]
    fn a_number_of_the_requested_type_is_received() {
        struct Which(Option<Result<u32, u64>>);
        impl Receiver<'_> for Which {
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn receive(&mut self, event: FormEvent<'_, '_>) -> Result<(), FormError> {
                self.0 = match event {
                    FormEvent::Scalar(Scalar::F32(value)) => Some(Ok(value.to_bits())),
                    FormEvent::Scalar(Scalar::F64(value)) => Some(Err(value.to_bits())),
                    _ => None,
                };
                Ok(())
            }
        }
        let visit = |text: &str, wide| {
            let mut which = Which(None);
            Special::find(text).unwrap().receive(wide, &mut which).unwrap();
            which.0.unwrap()
        };
        assert_eq!(visit("$NaN", false), Ok(f32::NAN.to_bits()));
        assert_eq!(visit("$NaN", true), Err(f64::NAN.to_bits()));
        assert_eq!(visit("$NaN(7fc00001)", true), Ok(0x7fc0_0001));
        assert_eq!(visit("$NaN(fff8000000000000)", false), Err(0xfff8_0000_0000_0000));
        assert_eq!(visit("$-inf", true), Err(f64::NEG_INFINITY.to_bits()));
        assert_eq!(
            (Special::text32(f32::INFINITY), Special::text32(f32::NEG_INFINITY)),
            ("$inf".into(), "$-inf".into())
        );
        assert_eq!(
            (Special::text64(f64::INFINITY), Special::text64(f64::NEG_INFINITY)),
            ("$inf".into(), "$-inf".into())
        );
    }

    /// The feature `arbitrary_precision` of `serde_json` passes a number as a map with one entry.
    #[test]
    fn a_number_that_is_passed_as_a_map_is_read() {
        use serde::Deserialize;
        use serde::de::value::{Error, MapDeserializer};
        fn read<T: for<'de> Deserialize<'de>>(key: &'static str) -> Result<T, FormError> {
            let map = MapDeserializer::<_, Error>::new([(key, "0.1")].into_iter());
            read_value(&mut <dyn ReadForm<'_>>::exact(map))
        }
        assert_eq!(read::<f32>(read::ANY_NUMBER).unwrap(), 0.1);
        assert_eq!(read::<f64>(read::ANY_NUMBER).unwrap(), 0.1);
        assert!(read::<f32>("number").is_err());
    }

    #[test]
    fn text_with_a_million_marks_is_checked_without_recursion() {
        let marks = "$".repeat(1_000_000);
        assert!(!is_escaped(&marks) && is_escaped(&format!("{marks}NaN")));
    }

    #[test]
    fn text_that_reads_like_a_number_has_one_mark_more() {
        for text in ["$NaN", "$inf", "$-inf", "$NaN(7fc00001)", "$NaN(fff8000000000000)", "$$NaN", "$$$-inf"]
        {
            assert!(is_escaped(text), "{text}");
            assert_eq!(unescaped(&format!("${text}")), text);
        }
        let others = [
            "",
            "$",
            "NaN",
            "$nan",
            "$NaN(7f800000)",
            "$NaN(7FC00001)",
            "$NaN(+7fc0000)",
            "$$",
            "x$NaN",
            "$NaN ",
        ];
        for text in others {
            assert!(!is_escaped(text), "{text}");
            assert_eq!(unescaped(text), text);
        }
    }
}
