//! [`Vec2`], a point or a direction in two dimensions.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A point or a direction in two dimensions.
///
/// Its methods use addition, subtraction, multiplication, division and the square root only, in a
/// fixed order. IEEE 754 defines each of them to the last bit, so that the results are the same on
/// every machine, whatever features other crates turn on. (Rust does not promise this for 32-bit
/// x86 without SSE2.) Crates for geometry convert to and from arrays:
/// `glam::Vec2::from_array(velocity.into())`.
///
/// ```
/// use ecs_mechanics::movement::Vec2;
///
/// let way = Vec2::new(3.0, 4.0) - Vec2::ZERO;
/// assert_eq!((way.length(), way.unit()), (5.0, Some(Vec2::new(0.6, 0.8))));
/// assert_eq!(Vec2::from([1.0, 2.0]) * 2.0, Vec2::new(2.0, 4.0));
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Vec2 {
    /// The coordinate to the right.
    pub x: f32,
    /// The other coordinate: upwards or downwards, as the program chooses.
    pub y: f32,
}

impl Vec2 {
    /// The origin: both coordinates are zero.
    pub const ZERO: Self = Self::new(0.0, 0.0);

    /// The vector with these coordinates.
    #[must_use]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The sum of the products of the coordinates.
    #[must_use]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// The length, rounded from 64 bits.
    #[must_use]
    pub fn length(self) -> f32 {
        self.wide_length() as f32
    }

    /// The vector with the same direction and the length 1; `None` for a vector that is zero or not
    /// finite.
    #[must_use]
    pub fn unit(self) -> Option<Self> {
        // with 64 bits, no square of a coordinate is too great or too small
        let length = self.wide_length();
        let scaled = |at: f32| (f64::from(at) / length) as f32;
        (length > 0.0 && length.is_finite()).then(|| Self::new(scaled(self.x), scaled(self.y)))
    }

    /// The vector, shortened to this length if it is longer.
    #[must_use]
    pub fn at_most(self, length: f32) -> Self {
        if self.wide_length() > f64::from(length) { self.unit().unwrap_or_default() * length } else { self }
    }

    /// Whether neither coordinate is infinite or NaN.
    #[must_use]
    pub const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    fn wide_length(self) -> f64 {
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        (x * x + y * y).sqrt()
    }
}

impl From<[f32; 2]> for Vec2 {
    fn from([x, y]: [f32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Vec2> for [f32; 2] {
    fn from(Vec2 { x, y }: Vec2) -> Self {
        [x, y]
    }
}

impl Add for Vec2 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vec2 {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl Div<f32> for Vec2 {
    type Output = Self;
    fn div(self, divisor: f32) -> Self {
        Self::new(self.x / divisor, self.y / divisor)
    }
}

impl Neg for Vec2 {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl AddAssign for Vec2 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Vec2 {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
