//! Reading exact values.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use serde::de::{self, Error as _, MapAccess as _};

use super::nothing::{self, NothingForm};
use super::{Special, unescaped};
use crate::persist::erased::FormError;
use crate::persist::erased::read::{FormEvent, Hint, MapForm, ReadForm as _, Receiver};
use crate::value::scalar::{Scalar, ScalarType};

/// The way in which a form reads its values.
#[derive(Clone, Copy)]
pub(crate) struct ReadStyle {
    /// Whether text may stand for a number or for a `Some` of nothing.
    pub(crate) is_exact: bool,
    /// Whether all numbers are finite, so that a number is requested, and not any value.
    pub(crate) is_finite: bool,
    /// The number of `Some`s within each other whose content the value is: see [`nothing`].
    pub(crate) somes: u8,
    /// The kind of value that was requested from the format.
    request: Request,
}

/// The kind of value that a type requests from a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    /// An `f32`.
    Float32,
    /// An `f64`.
    Float64,
    /// The name of a field or of a variant.
    Name,
    /// Any value.
    Any,
    /// Another kind of value. Text is a text value of the type.
    Other,
}

impl ReadStyle {
    /// Values are passed on as the format gives them.
    pub(crate) const PLAIN: Self =
        Self { is_exact: false, is_finite: false, somes: 0, request: Request::Other };
    /// Values are exact.
    pub(crate) const EXACT: Self = Self { is_exact: true, ..Self::PLAIN };

    /// The style of a part of the value.
    pub(crate) fn of_part(self) -> Self {
        Self { somes: 0, request: Request::Other, ..self }
    }

    /// The style of the content of a `Some` that any value was requested for, within others.
    pub(super) fn of_content(somes: u8) -> Self {
        Self { somes, ..Self::EXACT }.within_some()
    }

    /// The style of the content of a `Some`.
    pub(crate) fn within_some(self) -> Self {
        Self { somes: self.somes.saturating_add(1), request: Request::Other, ..self }
    }

    /// The style of a value that is requested by a hint.
    pub(crate) fn requested(self, hint: Hint) -> Self {
        let request = match hint {
            Hint::Scalar(ScalarType::F32) => Request::Float32,
            Hint::Scalar(ScalarType::F64) => Request::Float64,
            Hint::Identifier => Request::Name,
            Hint::Any => Request::Any,
            _ => Request::Other,
        };
        Self { request, ..self }
    }

    /// Whether any value is requested from the format in place of a number, since formats return an
    /// error for text if a number is requested.
    pub(crate) fn asks_any(self, hint: Hint) -> bool {
        self.is_exact && !self.is_finite && matches!(hint, Hint::Scalar(ty) if ty.is_float())
    }

    /// Whether a value is requested in whose place there may be the text of a `Some` of nothing.
    pub(crate) fn asks_content(self, hint: Hint) -> bool {
        self.may_be_content() && matches!(hint, Hint::Option | Hint::Unit | Hint::UnitStruct(_))
    }

    /// Whether the value is the content of a `Some`, for which there may be text.
    pub(crate) fn may_be_content(self) -> bool {
        self.is_exact && self.somes > 0
    }

    fn is_float(self) -> bool {
        matches!(self.request, Request::Float32 | Request::Float64)
    }
}

/// Corrects a double rounding: returns the `f32` that was written as a decimal, if it is not the
/// `f32` nearest to `value`, the `f64` nearest to the decimal. This happens if the decimal is close
/// to the middle between two `f32`s: the nearest `f64` may be the middle itself, which is rounded
/// to the wrong `f32`.
#[inline]
pub(super) fn narrow(value: f64) -> Option<f32> {
    let nearest = value as f32;
    if f64::from(nearest) == value {
        return None;
    }
    let in_the_middle =
        |other: &f32| f64::from(*other) + f64::from(nearest) == 2.0 * value && *other != nearest;
    let other = [nearest.next_down(), nearest.next_up()].into_iter().find(in_the_middle)?;
    was_other(value, nearest, other).then_some(other)
}

/// Returns `true` if a decimal whose nearest `f64` is `value` was written for `other`, not for
/// `nearest`.
#[cold]
#[inline(never)]
fn was_other(value: f64, nearest: f32, other: f32) -> bool {
    let is_written = |narrow: f32| format!("{narrow:e}").parse() == Ok(value);
    is_written(other) && !is_written(nearest)
}

/// The key of the map with one entry as which `serde_json` passes a number, with the text of the
/// number as its value (feature `arbitrary_precision`).
pub(super) const ANY_NUMBER: &str = "$serde_json::private::Number";

/// Passes a decimal to a receiver.
#[inline]
pub(crate) fn receive_decimal(
    style: ReadStyle,
    value: f64,
    to: &mut dyn Receiver<'_>,
) -> Result<(), FormError> {
    let narrow = if style.is_exact && style.request == Request::Float32 { narrow(value) } else { None };
    to.receive(FormEvent::Scalar(narrow.map_or(Scalar::F64(value), Scalar::F32)))
}

/// Passes text to a receiver, or what it stands for. The event is one with text.
pub(crate) fn receive_text<'de>(
    style: ReadStyle,
    event: FormEvent<'_, 'de>,
    to: &mut dyn Receiver<'de>,
) -> Result<(), FormError> {
    let Some(text) = event.text() else { return to.receive(event) };
    if !style.is_exact || (!style.is_float() && !text.starts_with('$')) {
        return to.receive(event);
    }
    match style.request {
        Request::Float32 | Request::Float64 => return receive_number(style, text, to),
        Request::Any => {
            if let Some(others) = nothing::find(text) {
                return NothingForm(others + usize::from(style.somes == 0)).read(Hint::Any, to);
            }
            if Special::find(text).is_some() {
                return receive_number(style, text, to);
            }
        }
        Request::Name => return to.receive(event),
        Request::Other => {}
    }
    match event {
        FormEvent::BorrowedStr(text) => to.receive(FormEvent::BorrowedStr(unescaped(text))),
        FormEvent::Str(text) => to.receive(FormEvent::Str(unescaped(text))),
        FormEvent::String(text) if unescaped(&text).len() < text.len() => {
            to.receive(FormEvent::Str(unescaped(&text)))
        }
        event => to.receive(event),
    }
}

/// Passes the number in a text to a receiver: a special number, the key of a map in JSON, or any
/// number in a format without numbers.
fn receive_number(style: ReadStyle, text: &str, to: &mut dyn Receiver<'_>) -> Result<(), FormError> {
    let number = match (style.request, Special::find(text)) {
        (Request::Float32, Some(Special::Nan64(_))) | (Request::Float64, Some(Special::Nan32(_))) => {
            return Err(FormError::custom(format_args!("`{text}` has the bits of another type of number")));
        }
        (request, Some(special)) => return special.receive(request != Request::Float32, to),
        (Request::Float32, None) => text.parse().ok().map(Scalar::F32),
        (_, None) => text.parse().ok().map(Scalar::F64),
    };
    match number {
        Some(number) => to.receive(FormEvent::Scalar(number)),
        None => Err(FormError::invalid_type(de::Unexpected::Str(text), &Expecting(to))),
    }
}

/// Passes a map to a receiver, or the number that it stands for.
pub(crate) fn receive_map<'de>(
    style: ReadStyle,
    mut entries: &mut (dyn MapForm<'de> + '_),
    to: &mut dyn Receiver<'de>,
) -> Result<(), FormError> {
    if !style.is_exact || !style.is_float() {
        return to.receive(FormEvent::Map(entries));
    }
    match entries.next_key::<Cow<'_, str>>()?.as_deref() {
        Some(ANY_NUMBER) => receive_number(style, &entries.next_value::<String>()?, to),
        _ => Err(FormError::invalid_type(de::Unexpected::Map, &Expecting(to))),
    }
}

/// The value that a receiver expects, for an error.
pub(crate) struct Expecting<'r, 'de>(pub(crate) &'r dyn Receiver<'de>);

impl de::Expected for Expecting<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.expecting(f)
    }
}
