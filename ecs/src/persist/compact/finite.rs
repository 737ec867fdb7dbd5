//! Whether all floating point numbers of a value are finite, and none of them may be written as
//! text.

use crate::persist::erased::FormError;
use crate::persist::erased::write::{
    Composite, ErasedSerialize, FormPart, Leaf, PartPlace, Wrapper, WriteForm, writes_parts_alike,
};
use crate::value::scalar::Scalar;

/// Returns `true` if all floating point numbers of a value are finite, and no text of the value
/// reads as a number: a `Serialize` that is written by hand may write text where `Deserialize`
/// requests a number, which a format refuses. Returns `false` also if the `Serialize` returns an
/// error, which is reported when the value is written.
pub(crate) fn is_finite(value: &dyn ErasedSerialize) -> bool {
    value.write(&mut FiniteCheck).is_ok()
}

/// The form that returns an error for a number that is not finite, or is text.
struct FiniteCheck;

impl FiniteCheck {
    fn part(&mut self, _: PartPlace, part: FormPart<'_>) -> Result<(), FormError> {
        part.write(self)
    }
}

impl WriteForm for FiniteCheck {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        let is_finite = match leaf {
            Leaf::Scalar(Scalar::F32(value)) => value.is_finite(),
            Leaf::Scalar(Scalar::F64(value)) => value.is_finite(),
            Leaf::Str(text) | Leaf::UnitVariant(_, _, text) => !is_number(text),
            Leaf::Scalar(Scalar::Char(value)) => !is_number(value.encode_utf8(&mut [0; 4])),
            _ => true,
        };
        if is_finite { Ok(()) } else { Err(FormError::text("a number is not finite, or is text")) }
    }

    fn wrap(&mut self, _: Wrapper, part: FormPart<'_>) -> Result<(), FormError> {
        part.write(self)
    }

    fn begin(&mut self, _: Composite) -> Result<(), FormError> {
        Ok(())
    }

    writes_parts_alike!();

    fn end(&mut self) -> Result<(), FormError> {
        Ok(())
    }
}

/// Whether text reads as a number.
fn is_number(text: &str) -> bool {
    // most texts begin with a byte with which no number begins
    let may_be = text.as_bytes().first().is_some_and(|first| b"+-.0123456789iInN".contains(first));
    may_be && text.parse::<f64>().is_ok()
}
