//! The type of a value in a file.

use crate::json::{Entry, Kind, Mistake, Place, Value};

/// The type of a value, before its structs have names.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Bool,
    Integer,
    Float,
    Text,
    List(Box<Shape>),
    /// The first entry of each key, and the shape that all of its values have.
    Object(Vec<(Entry, Shape)>),
}

/// A type that may be incomplete: the element type of an empty list is unknown.
enum Open {
    Known(Shape),
    /// An empty list has no element type; the position of the list.
    List(Option<Box<Open>>, Place),
    Object(Vec<(Entry, Open)>),
}

impl Shape {
    /// Whether it contains an object.
    pub(super) fn has_object(&self) -> bool {
        match self {
            Self::List(element) => element.has_object(),
            Self::Object(_) => true,
            _ => false,
        }
    }
}

/// The shape of the value behind `path`.
pub(super) fn shape_of(value: &Value, path: &str) -> Result<Shape, Mistake> {
    closed(open(value, path)?, path)
}

fn open(value: &Value, path: &str) -> Result<Open, Mistake> {
    Ok(match &value.kind {
        Kind::Null => {
            return Err(value.place.wrong(format!(
                "key `{path}` is `null`, which has no type: give the value that the field begins with"
            )));
        }
        Kind::Bool(_) => Open::Known(Shape::Bool),
        Kind::Text(_) => Open::Known(Shape::Text),
        Kind::Number(digits) => Open::Known(number(digits, value.place, path)?),
        Kind::List(elements) => {
            let mut all: Option<Open> = None;
            for element in elements {
                let next = open(element, path)?;
                all = Some(match all {
                    None => next,
                    Some(all) => both(all, next, element.place, path)?,
                });
            }
            Open::List(all.map(Box::new), value.place)
        }
        Kind::Object(entries) => {
            let shapes = entries
                .iter()
                .map(|entry| Ok((entry.clone(), open(&entry.value, &format!("{path}.{}", entry.key))?)));
            Open::Object(shapes.collect::<Result<_, Mistake>>()?)
        }
    })
}

/// A number with a point or an exponent is a float.
fn number(digits: &str, place: Place, path: &str) -> Result<Shape, Mistake> {
    if digits.contains(['.', 'e', 'E']) {
        let finite = digits.parse().is_ok_and(|number: f64| number.is_finite());
        let out = || place.wrong(format!("key `{path}`: {digits} is out of the range of an `f64`"));
        return if finite { Ok(Shape::Float) } else { Err(out()) };
    }
    match digits.parse::<i64>() {
        Ok(_) => Ok(Shape::Integer),
        Err(_) => Err(place.wrong(format!(
            "key `{path}`: {digits} is out of the range of an `i64`; written with a point it is an `f64`"
        ))),
    }
}

/// The common shape of two elements of a list; the second is at `place`.
fn both(one: Open, two: Open, place: Place, path: &str) -> Result<Open, Mistake> {
    use Shape::{Bool, Float, Integer, Text};
    Ok(match (one, two) {
        (Open::Known(Bool), Open::Known(Bool)) => Open::Known(Bool),
        (Open::Known(Text), Open::Known(Text)) => Open::Known(Text),
        (Open::Known(Integer), Open::Known(Integer)) => Open::Known(Integer),
        (Open::Known(Integer | Float), Open::Known(Integer | Float)) => Open::Known(Float),
        (Open::List(one, at), Open::List(two, _)) => {
            let element = match (one, two) {
                (Some(one), Some(two)) => Some(Box::new(both(*one, *two, place, path)?)),
                (one, two) => one.or(two),
            };
            Open::List(element, at)
        }
        (Open::Object(one), Open::Object(mut two)) => {
            let mut entries = Vec::new();
            for (entry, shape) in one {
                let Some(at) = two.iter().position(|(other, _)| other.key == entry.key) else {
                    return Err(place.wrong(format!(
                        "the objects in the list `{path}` have the same keys, and this one lacks `{}`",
                        entry.key
                    )));
                };
                let (other, second) = two.remove(at);
                let inner = format!("{path}.{}", entry.key);
                entries.push((entry, both(shape, second, other.value.place, &inner)?));
            }
            if let Some((other, _)) = two.first() {
                return Err(other.place.wrong(format!(
                    "the objects in the list `{path}` have the same keys, and only this one has `{}`",
                    other.key
                )));
            }
            Open::Object(entries)
        }
        (one, two) => {
            return Err(place.wrong(format!(
                "the values of list `{path}` have different types: this is {}, and the one before it is {}",
                noun(&two),
                noun(&one)
            )));
        }
    })
}

fn noun(shape: &Open) -> &'static str {
    match shape {
        Open::Known(Shape::Bool) => "a boolean",
        Open::Known(Shape::Text) => "a string",
        Open::Known(_) => "a number",
        Open::List(..) => "a list",
        Open::Object(_) => "an object",
    }
}

/// The shape, if it is complete.
fn closed(shape: Open, path: &str) -> Result<Shape, Mistake> {
    Ok(match shape {
        Open::Known(shape) => shape,
        Open::List(None, place) => {
            return Err(place.wrong(format!(
                "key `{path}` is an empty list, which does not say what it is a list of: give it an element, or write \
                 the component in Rust"
            )));
        }
        Open::List(Some(element), _) => Shape::List(Box::new(closed(*element, path)?)),
        Open::Object(entries) => {
            let closed = entries.into_iter().map(|(entry, shape)| {
                let path = format!("{path}.{}", entry.key);
                Ok((entry, closed(shape, &path)?))
            });
            Shape::Object(closed.collect::<Result<_, Mistake>>()?)
        }
    })
}
