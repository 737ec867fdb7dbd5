//! [`Totals`]: numbers, sums, least and greatest values over all workers, by key.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::sync::Arc;

use ecs::{HasResource, Resource, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::exact_sum::ExactSum;
use crate::hash::has_entity;
use crate::shared::{Link, SharedList, check_listed};
use crate::wire::{read_number, read_part, read_value, write_number, write_part};
use crate::{Model, RunError};

/// The total of the values that all workers have added under one key.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Total<V: Value> {
    /// The number of values.
    pub count: u64,
    /// The sum of the values: of integers an `i128`, which wraps; of floating point numbers the
    /// exact sum, rounded once to the nearest `f64`.
    pub sum: V::Sum,
    /// The least value. Floating point numbers are compared by [`f64::total_cmp`].
    pub min: V,
    /// The greatest value.
    pub max: V,
}

/// A resource with totals over all workers: [`Total`]s of values of type `V`, by keys of type `K`,
/// or by `()`.
///
/// Systems [add](Self::add) values of the entities of their worker. After the tick the workers
/// exchange what they have added, and in the next tick systems of all workers [get](Self::get) the
/// same totals, bit for bit, for each number of workers and in whichever order the values were
/// added: a sum of floating point numbers is exact until it is rounded.
///
/// The model lists the resource in [`Model::Shared`]. Two totals in one world have different keys
/// or values.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_distributed::Totals;
/// # #[derive(Component)] struct Species(u8);
/// # #[derive(Component)] struct Energy(f32);
/// # world! { struct Pasture { components { Species, Energy } resources { energies: Energies = Totals::new() } } }
///
/// /// The energies of all animals, by species.
/// type Energies = Totals<u8, f32>;
///
/// #[system(Pasture)]
/// fn measure(animals: Query<(&Species, &Energy)>, mut energies: ResMut<Energies>) {
///     for (species, energy) in &animals {
///         energies.add(species.0, energy.0);
///     }
/// }
///
/// #[system(Pasture)]
/// fn starve(species: &Species, energy: &mut Energy, energies: Res<Energies>) {
///     // `None` in the first tick, and while there are none of the species
///     if let Some(total) = energies.get(&species.0) {
///         energy.0 -= 0.01 * total.count as f32;
///     }
/// }
/// ```
///
/// # Cost
/// A value of floating point takes some nanoseconds more than an addition, and a key of them half a
/// kilobyte of memory on each worker. Each worker sends the totals of its keys to all others: about
/// 40 bytes for a key. [`add_all`](Self::add_all) looks a key up once for many values.
#[derive(Resource, Clone, Debug)]
#[resource(skip)]
pub struct Totals<K, V: Value> {
    /// The values of this worker since the last tick.
    partial: BTreeMap<K, Partial<V>>,
    /// Behind an `Arc`, so that snapshots share it.
    totals: Arc<BTreeMap<K, Total<V>>>,
    /// Whether a worker exchanges them.
    is_listed: bool,
}

impl<K: Ord + 'static, V: Value> Totals<K, V> {
    /// No totals: the value before the first tick.
    pub fn new() -> Self {
        Self { partial: BTreeMap::new(), totals: Arc::default(), is_listed: false }
    }

    /// Adds a value to the totals that systems get in the next tick.
    ///
    /// # Panics
    /// If a worker runs the system, and its model does not list the resource in
    /// [`Model::Shared`].
    #[track_caller]
    pub fn add(&mut self, key: K, value: V) {
        self.add_all(key, [value]);
    }

    /// Adds several values.
    ///
    /// # Panics
    /// As [`add`](Self::add).
    #[track_caller]
    pub fn add_all(&mut self, key: K, values: impl IntoIterator<Item = V>) {
        check_listed::<Self>(self.is_listed);
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return };
        let partial = self.partial.entry(key).or_insert_with(|| Partial::new(first));
        partial.add(first);
        values.for_each(|value| partial.add(value));
    }

    /// The total of the values that all workers have added under a key in the last tick; `None` if
    /// there was none.
    pub fn get(&self, key: &K) -> Option<&Total<V>> {
        self.totals.get(key)
    }

    /// Iterates over the totals in the order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Total<V>)> {
        self.totals.iter()
    }
}

impl<K: Ord + 'static, V: Value> Default for Totals<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

/// A type of which there are [`Totals`]: `f32`, `f64`, and the integers up to 64 bits.
pub trait Value: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The type of a sum: `f64` or `i128`.
    type Sum: Copy + PartialEq + Debug + Send + Sync + 'static;
    #[doc(hidden)]
    type PartialSum: PartialSum<Self::Sum>;
    #[doc(hidden)]
    fn to_sum(self) -> Self::Sum;
    #[doc(hidden)]
    fn is_below(self, other: Self) -> bool;
    #[doc(hidden)]
    fn to_bits(self) -> u64;
    #[doc(hidden)]
    fn from_bits(bits: u64) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl Value for $type {
            type Sum = i128;
            type PartialSum = i128;

            fn to_sum(self) -> i128 {
                self.into()
            }
            fn is_below(self, other: Self) -> bool {
                self < other
            }
            fn to_bits(self) -> u64 {
                self as u64
            }
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        })*
    };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! floats {
    ($($type:ty, $bits:ty);*) => {
        $(impl Value for $type {
            type Sum = f64;
            type PartialSum = ExactSum;

            fn to_sum(self) -> f64 {
                self.into()
            }
            fn is_below(self, other: Self) -> bool {
                self.total_cmp(&other).is_lt()
            }
            fn to_bits(self) -> u64 {
                <$type>::to_bits(self).into()
            }
            fn from_bits(bits: u64) -> Self {
                <$type>::from_bits(bits as $bits)
            }
        })*
    };
}
floats!(f32, u32; f64, u64);

/// A sum that is not yet that of all workers.
#[doc(hidden)]
pub trait PartialSum<S>: Clone + Default + Debug + Send + Sync + 'static {
    fn add(&mut self, number: S);
    fn merge(&mut self, other: &Self);
    fn finish(&self) -> S;
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut &[u8]) -> Option<Self>;
}

impl PartialSum<f64> for ExactSum {
    #[inline]
    fn add(&mut self, number: f64) {
        self.add(number);
    }
    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
    fn finish(&self) -> f64 {
        self.round()
    }
    fn write(&self, out: &mut Vec<u8>) {
        self.write(out);
    }
    fn read(input: &mut &[u8]) -> Option<Self> {
        Self::read(input)
    }
}

impl PartialSum<i128> for i128 {
    #[inline]
    fn add(&mut self, number: i128) {
        *self = self.wrapping_add(number);
    }
    fn merge(&mut self, other: &Self) {
        self.add(*other);
    }
    fn finish(&self) -> i128 {
        *self
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
    fn read(input: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = input.split_first_chunk()?;
        *input = rest;
        Some(Self::from_le_bytes(*bytes))
    }
}

/// The total of the values of some workers.
#[derive(Clone, Debug)]
struct Partial<V: Value> {
    count: u64,
    sum: V::PartialSum,
    min: V,
    max: V,
}

impl<V: Value> Partial<V> {
    /// The total of no values, before the first one is added.
    fn new(first: V) -> Self {
        Self { count: 0, sum: V::PartialSum::default(), min: first, max: first }
    }

    /// The partial total of which a total was made, with its rounded sum.
    fn of(total: &Total<V>) -> Self {
        let mut partial = Self { count: total.count, max: total.max, ..Self::new(total.min) };
        partial.sum.add(total.sum);
        partial
    }

    #[inline]
    fn add(&mut self, value: V) {
        self.count += 1;
        self.sum.add(value.to_sum());
        self.extend(value);
    }

    #[inline]
    fn extend(&mut self, value: V) {
        if value.is_below(self.min) {
            self.min = value;
        }
        if self.max.is_below(value) {
            self.max = value;
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count = self.count.wrapping_add(other.count);
        self.sum.merge(&other.sum);
        self.extend(other.min);
        self.extend(other.max);
    }

    fn finish(&self) -> Total<V> {
        Total { count: self.count, sum: self.sum.finish(), min: self.min, max: self.max }
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_number(self.count, out);
        write_number(self.min.to_bits(), out);
        write_number(self.max.to_bits(), out);
        self.sum.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let count = read_number(input)?;
        let (min, max) = (V::from_bits(read_number(input)?), V::from_bits(read_number(input)?));
        Some(Self { count, sum: V::PartialSum::read(input)?, min, max })
    }
}

impl<M: Model, K, V: Value> SharedList<M> for Totals<K, V>
where
    K: Ord + Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    M::World: HasResource<Totals<K, V>>,
{
    fn links(links: &mut Vec<Box<dyn Link<M>>>) {
        links.push(Box::new(TotalsLink::<K, V> { merged: BTreeMap::new(), of: PhantomData }));
    }
}

/// The exchange of [`Totals`].
struct TotalsLink<K, V: Value> {
    /// Those of the workers whose messages were read.
    merged: BTreeMap<K, Partial<V>>,
    of: PhantomData<fn() -> K>,
}

impl<K: Ord + Serialize + DeserializeOwned, V: Value> TotalsLink<K, V> {
    fn write_all(partials: &BTreeMap<K, Partial<V>>, out: &mut Vec<u8>) -> Result<(), RunError> {
        write_number(partials.len() as u64, out);
        let mut bytes = Vec::new();
        for (key, partial) in partials {
            let fail = |error: &dyn fmt::Display| {
                RunError::System(format!("a key of totals cannot be sent: {error}"))
            };
            // its id would be that of another entity on another worker
            if has_entity(key) {
                return Err(fail(&"it contains an `Entity`: use the `GlobalId` of the entity"));
            }
            bytes.clear();
            bincode::serialize_into(&mut bytes, key).map_err(|error| fail(&error))?;
            write_part(&bytes, out);
            partial.write(out);
        }
        Ok(())
    }

    fn read_all(&mut self, input: &mut &[u8]) -> Option<()> {
        for _ in 0..read_number(input)? {
            let key: K = read_value(&mut read_part(input)?).ok()?;
            let partial = Partial::read(input)?;
            self.merged.entry(key).and_modify(|merged| merged.merge(&partial)).or_insert(partial);
        }
        Some(())
    }
}

impl<M: Model, K, V: Value> Link<M> for TotalsLink<K, V>
where
    K: Ord + Clone + Serialize + DeserializeOwned + Send + Sync + 'static,
    M::World: HasResource<Totals<K, V>>,
{
    fn write(&mut self, _: &M, world: &mut M::World, out: &mut [Vec<u8>]) -> Result<(), RunError> {
        let partials = std::mem::take(&mut world.resource_mut::<Totals<K, V>>().partial);
        let mut message = Vec::new();
        Self::write_all(&partials, &mut message)?;
        out.iter_mut().for_each(|out| out.extend_from_slice(&message));
        Ok(())
    }

    fn read(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError> {
        self.read_all(input).ok_or_else(|| RunError::damaged(from, "totals"))
    }

    fn install(&mut self, world: &mut M::World) -> Result<usize, RunError> {
        let merged = std::mem::take(&mut self.merged);
        let totals = merged.into_iter().map(|(key, partial)| (key, partial.finish())).collect();
        let resource = world.resource_mut::<Totals<K, V>>();
        (resource.totals, resource.is_listed) = (Arc::new(totals), true);
        Ok(0)
    }

    fn saved_name(&self) -> Option<&'static str> {
        Some(std::any::type_name::<Totals<K, V>>())
    }

    fn save(&self, world: &M::World, own: usize, out: &mut Vec<u8>) -> Result<(), RunError> {
        // all workers have the same totals: those of one of them suffice
        let totals = &world.resource::<Totals<K, V>>().totals;
        let kept = totals.iter().filter(|_| own == 0);
        let partials = kept.map(|(key, total)| (key.clone(), Partial::of(total))).collect();
        Self::write_all(&partials, out)
    }

    fn restore(&mut self, world: &mut M::World, input: &mut &[u8]) -> Option<()> {
        self.read_all(input)?;
        // the first exchange gives it to all workers again
        world.resource_mut::<Totals<K, V>>().partial.append(&mut self.merged);
        Some(())
    }
}
