//! Comparisons of values.

use core::cmp::Ordering;

use crate::value::tree::DynamicValue;

/// A comparison of a part of a component with a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `contains`: a list has an element that is equal, a map a key, or a text contains the text.
    Contains,
}

impl Comparison {
    /// Whether the comparison holds.
    pub(super) fn holds(self, value: &DynamicValue, constant: &DynamicValue) -> bool {
        let order = || order(value, constant);
        match self {
            Self::Equal => is_equal(value, constant),
            Self::NotEqual => !is_equal(value, constant),
            Self::Less => order() == Some(Ordering::Less),
            Self::LessOrEqual => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
            Self::Greater => order() == Some(Ordering::Greater),
            Self::GreaterOrEqual => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
            Self::Contains => match (content(value), constant) {
                (DynamicValue::List(list), constant) => list.iter().any(|value| is_equal(value, constant)),
                (DynamicValue::Mapping(entries), constant) => {
                    entries.iter().any(|(key, _)| is_equal(key, constant))
                }
                (DynamicValue::Text(text), DynamicValue::Text(part)) => text.contains(part.as_str()),
                _ => false,
            },
        }
    }
}

/// The value without the `Some` around it.
fn content(value: &DynamicValue) -> &DynamicValue {
    match value {
        DynamicValue::Optional(Some(value)) => content(value),
        value => value,
    }
}

/// The value as text, if it is compared as text.
fn text(value: &DynamicValue) -> Option<&str> {
    match value {
        DynamicValue::Text(text) | DynamicValue::Variant(text, _) => Some(text),
        _ => None,
    }
}

fn is_equal(value: &DynamicValue, constant: &DynamicValue) -> bool {
    match (content(value), content(constant)) {
        (
            DynamicValue::Unit | DynamicValue::Optional(None),
            DynamicValue::Unit | DynamicValue::Optional(None),
        ) => true,
        (DynamicValue::Variant(..), DynamicValue::Variant(_, other)) if **other != DynamicValue::Unit => {
            value == constant
        }
        (value, constant) => match order(value, constant) {
            Some(order) => order == Ordering::Equal,
            None => value == constant,
        },
    }
}

/// The order of two values of the same kind; `None` for others, and for NaN.
fn order(a: &DynamicValue, b: &DynamicValue) -> Option<Ordering> {
    match (content(a), content(b)) {
        (DynamicValue::Bool(a), DynamicValue::Bool(b)) => Some(a.cmp(b)),
        (DynamicValue::Char(a), DynamicValue::Char(b)) => Some(a.cmp(b)),
        (DynamicValue::Char(a), DynamicValue::Text(b)) => Some(core::iter::once(*a).cmp(b.chars())),
        (DynamicValue::EntityId(a), DynamicValue::EntityId(b)) => {
            Some((a.slot(), a.to_bits()).cmp(&(b.slot(), b.to_bits())))
        }
        (a, b) => match (AnyNumber::of(a), AnyNumber::of(b)) {
            (Some(a), Some(b)) => a.order(b),
            _ => Some(text(a)?.cmp(text(b)?)),
        },
    }
}

/// A number of any type.
#[derive(Clone, Copy)]
enum AnyNumber {
    Int(i128),
    /// An integer that is larger than every `i128`.
    Uint(u128),
    Float(f64),
}

impl AnyNumber {
    fn of(value: &DynamicValue) -> Option<Self> {
        Some(match value {
            DynamicValue::Int(value) => Self::Int(*value),
            DynamicValue::Uint(value) => Self::Uint(*value),
            DynamicValue::F32(value) => Self::Float(f64::from(*value)),
            DynamicValue::F64(value) => Self::Float(*value),
            _ => return None,
        })
    }

    fn order(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(&b)),
            (Self::Uint(a), Self::Uint(b)) => Some(a.cmp(&b)),
            (Self::Int(_), Self::Uint(_)) => Some(Ordering::Less),
            (Self::Uint(_), Self::Int(_)) => Some(Ordering::Greater),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(&b),
            (Self::Float(a), b) => b.order(Self::Float(a)).map(Ordering::reverse),
            (Self::Int(a), Self::Float(b)) => order_with_float(a, b),
            (Self::Uint(a), Self::Float(b)) => (a as f64).partial_cmp(&b),
        }
    }
}

/// Compares exactly, where a conversion to `f64` would round the integer.
fn order_with_float(a: i128, b: f64) -> Option<Ordering> {
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0; // 2^127
    if b.is_nan() {
        return None;
    }
    if b >= LIMIT {
        return Some(Ordering::Less);
    }
    if b < -LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = b as i128;
    Some(a.cmp(&whole).then_with(|| 0.0_f64.partial_cmp(&(b - whole as f64)).unwrap_or(Ordering::Equal)))
}

/// The order of rows: by their keys, each in its direction. A missing key is the last one in both
/// directions, before it a value that compares with no other.
pub(super) fn keys(
    a: &[Option<DynamicValue>],
    b: &[Option<DynamicValue>],
    descending: impl Iterator<Item = bool>,
) -> Ordering {
    for ((a, b), descending) in a.iter().zip(b).zip(descending) {
        let order = match (a, b) {
            (Some(a), Some(b)) => match (rank(a), rank(b)) {
                (x, y) if x != y => x.cmp(&y),
                _ => {
                    let order = order(a, b).unwrap_or(Ordering::Equal);
                    if descending { order.reverse() } else { order }
                }
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// The order of the kinds of values that are compared with their own kind only.
fn rank(value: &DynamicValue) -> u8 {
    match content(value) {
        DynamicValue::F32(value) if value.is_nan() => 5,
        DynamicValue::F64(value) if value.is_nan() => 5,
        DynamicValue::Int(_) | DynamicValue::Uint(_) | DynamicValue::F32(_) | DynamicValue::F64(_) => 0,
        DynamicValue::Text(_) | DynamicValue::Variant(..) => 1,
        DynamicValue::Bool(_) => 2,
        DynamicValue::Char(_) => 3,
        DynamicValue::EntityId(_) => 4,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::entity::Entity;

    fn id(slot: u32) -> DynamicValue {
        DynamicValue::EntityId(Entity::from_bits((1 << 32) | u64::from(slot)).unwrap())
    }

    #[test]
    fn kinds_of_keys_have_an_order() {
        // two of each kind, in ascending order
        let kinds: [[DynamicValue; 2]; 7] = [
            [DynamicValue::Int(-1), DynamicValue::F32(0.5)],
            [DynamicValue::Text("a".into()), DynamicValue::Variant("b".into(), Box::new(DynamicValue::Unit))],
            [DynamicValue::Bool(false), DynamicValue::Bool(true)],
            [DynamicValue::Char('a'), DynamicValue::Char('b')],
            [id(1), id(2)],
            [DynamicValue::F32(f32::NAN), DynamicValue::F64(f64::NAN)],
            [DynamicValue::Unit, DynamicValue::List(vec![])],
        ];
        let compared = |a: &DynamicValue, b: &DynamicValue, descending| {
            keys(&[Some(a.clone())], &[Some(b.clone())], [descending].into_iter())
        };
        for (number, [a, b]) in kinds.iter().enumerate() {
            let order = if number < 5 { Ordering::Less } else { Ordering::Equal };
            assert_eq!((compared(a, b, false), compared(a, b, true)), (order, order.reverse()), "{a}, {b}");
            for later in kinds[number + 1..].iter().flatten() {
                // the kinds have one order in both directions
                assert_eq!(compared(b, later, false), Ordering::Less, "{b}, {later}");
                assert_eq!(compared(b, later, true), Ordering::Less, "{b}, {later}");
                assert_eq!(compared(later, b, true), Ordering::Greater, "{b}, {later}");
            }
            let missing = keys(&[Some(a.clone())], &[None], [true].into_iter());
            assert_eq!(missing, Ordering::Less, "a missing key is the last one");
        }
    }

    #[test]
    fn a_variant_equals_its_name() {
        let dragon = |heads: Option<i128>| {
            let content = heads.map_or(DynamicValue::Unit, DynamicValue::Int);
            DynamicValue::Variant("Dragon".into(), Box::new(content))
        };
        assert!(is_equal(&dragon(Some(3)), &dragon(None)) && is_equal(&dragon(Some(3)), &dragon(Some(3))));
        assert!(!is_equal(&dragon(Some(3)), &dragon(Some(4))));
        assert!(is_equal(&dragon(Some(3)), &DynamicValue::Text("Dragon".into())));
        let all: Vec<_> = [None, Some(1)].map(dragon).into();
        assert!(all.iter().all(|value| !is_equal(value, &DynamicValue::Text("Wolf".into()))));
    }
}
