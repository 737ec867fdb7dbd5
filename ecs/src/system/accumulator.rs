//! [`Accumulator`]: adds values to a resource, in the order of the entities, also from several
//! threads.

use alloc::vec::Vec;

use super::ResMut;

/// A resource to which an [`Accumulator`] adds values: a sum, a maximum, a histogram, a list.
#[diagnostic::on_unimplemented(
    message = "no values can be added to `{Self}`",
    label = "does not implement `Accumulate`",
    note = "implement `Accumulate` for `{Self}`: `type Value` is what the system adds, and `accumulate` adds one value"
)]
pub trait Accumulate {
    /// A value that is added.
    type Value: Send + 'static;
    /// Adds a value.
    fn accumulate(&mut self, value: Self::Value);
}

/// System parameter: adds values to the resource `R`, also in a system that is marked `par`.
///
/// The values are added one after the other, in the order of the slots of the entities for which
/// they were given. So even a sum of floating point numbers is the same, bit for bit, for any
/// number of threads. If the system panics on several threads or on one, no value of a system that
/// is marked `par` is added.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::{Accumulate, Accumulator};
///
/// #[derive(Component)] struct Heat(f64);
/// #[derive(Resource, Default)] struct Radiated(f64);
///
/// impl Accumulate for Radiated {
///     type Value = f64;
///     fn accumulate(&mut self, heat: f64) { self.0 += heat; }
/// }
///
/// world! {
///     struct Oven { components { Heat } resources { Radiated } }
///     schedule tick { cool }
/// }
///
/// #[system(Oven, par)]
/// fn cool(heat: &mut Heat, mut radiated: Accumulator<Radiated>) {
///     radiated.add(heat.0 * 0.1);
///     heat.0 *= 0.9;
/// }
///
/// let mut oven = Oven::default();
/// oven.spawn_batch((1..=4).map(|heat| Heat(f64::from(heat))));
/// oven.tick();
/// assert!((oven.resource::<Radiated>().0 - 1.0).abs() < 1e-9);
/// ```
///
/// Cost: in a system that is marked `par`, a value is pushed to a `Vec`, and added when all
/// entities are visited.
pub struct Accumulator<'w, R: Accumulate>(SumTarget<'w, R>);

/// The place to which values are added.
enum SumTarget<'w, R: Accumulate> {
    /// The resource itself.
    Resource(ResMut<'w, R>),
    /// The values for a run of entities.
    Apart(&'w mut PendingValues<R>),
}

/// Values that are not yet added to a resource.
pub(crate) struct PendingValues<R: Accumulate>(Vec<R::Value>);

impl<R: Accumulate> Default for PendingValues<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'w, R: Accumulate> Accumulator<'w, R> {
    /// An accumulator that adds to a resource, to call a system as a plain function.
    pub const fn new(resource: &'w mut R) -> Self {
        Self(SumTarget::Resource(ResMut::new(resource)))
    }

    /// Adds to the resource at once.
    #[inline(always)]
    pub(super) const fn of(resource: ResMut<'w, R>) -> Self {
        Self(SumTarget::Resource(resource))
    }

    /// The parameter for one call of a system's function.
    #[inline(always)]
    pub(super) const fn reborrow(&mut self) -> Accumulator<'_, R> {
        Accumulator(match &mut self.0 {
            SumTarget::Resource(resource) => SumTarget::Resource(resource.reborrow()),
            SumTarget::Apart(values) => SumTarget::Apart(values),
        })
    }

    /// An accumulator whose values are [joined](Self::join) later.
    pub(crate) const fn apart(values: &'w mut PendingValues<R>) -> Self {
        Self(SumTarget::Apart(values))
    }

    /// Adds values that were given apart.
    pub(crate) fn join(&mut self, values: &mut PendingValues<R>) {
        values.0.drain(..).for_each(|value| self.add(value));
    }

    /// Adds a value.
    pub fn add(&mut self, value: R::Value) {
        match &mut self.0 {
            SumTarget::Resource(resource) => resource.accumulate(value),
            SumTarget::Apart(values) => values.0.push(value),
        }
    }
}

impl<R: Accumulate> Extend<R::Value> for Accumulator<'_, R> {
    fn extend<I: IntoIterator<Item = R::Value>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

debug!([R: Accumulate] Accumulator<'_, R>, |_, f| f.debug_struct("Accumulator").finish_non_exhaustive());
