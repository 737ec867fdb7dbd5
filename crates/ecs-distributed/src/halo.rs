//! [`Halo`]: read-only copies of the entities of other workers that are within reach.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use ecs::{Component, Has, HasResource, Resource, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shared::{Link, SharedList, check_listed};
use crate::wire::{self, Values};
use crate::{GlobalId, Model, Partition, RunError, Space};

/// The copy of an entity of another worker: some of its components, as they were after the last
/// tick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mirror<T> {
    /// The id of the entity.
    pub id: GlobalId,
    /// The place of the entity.
    pub place: u32,
    /// The values of the components that the halo declares.
    pub value: T,
}

/// A resource with copies of the entities of other workers that are at most `REACH` away from a
/// place of this worker. `T` is a tuple of the components that are copied:
/// `Halo<(Position, Health), 1>`. A system that looks at neighbours names the halo as a parameter,
/// `halo: Res<Halo<(Position, Health), 1>>`, and so says how far it reaches.
///
/// The copies cannot be changed: a halo has shared access only.
///
/// ```compile_fail,E0594
/// # use ecs_distributed::Halo;
/// # use ecs::Component;
/// # #[derive(Component, Clone)] struct Health(u32);
/// fn heal(halo: &mut Halo<(Health,), 1>) {
///     for mirror in halo.iter() {
///         mirror.value.0.0 += 1; // cannot assign: it is behind a `&` reference
///     }
/// }
/// ```
///
/// A worker renews the halo after each tick. Its value is not saved: a run that resumes receives it
/// anew.
///
/// # Panics
/// Its methods panic in a tick of a model that does not list it in [`Model::Shared`], on the thread
/// of the worker: it would always be empty.
#[derive(Resource, Clone, Debug)]
#[resource(skip)]
pub struct Halo<T, const REACH: u32> {
    /// Sorted by place, then by id. Behind an `Arc`, so that snapshots share it.
    mirrors: Arc<Vec<Mirror<T>>>,
    /// Whether a worker has renewed it.
    is_listed: bool,
}

impl<T, const REACH: u32> Halo<T, REACH> {
    /// An empty halo: the value before the first tick.
    pub fn new() -> Self {
        Self { mirrors: Arc::default(), is_listed: false }
    }

    /// Iterates over the copies, in the order of places and of ids within a place.
    #[track_caller]
    pub fn iter(&self) -> std::slice::Iter<'_, Mirror<T>> {
        self.all().iter()
    }

    /// The copies of the entities at one place, in the order of ids.
    #[track_caller]
    pub fn at(&self, place: u32) -> &[Mirror<T>] {
        let mirrors = self.all();
        let begin = mirrors.partition_point(|mirror| mirror.place < place);
        let length = mirrors[begin..].partition_point(|mirror| mirror.place == place);
        &mirrors[begin..begin + length]
    }

    /// The number of copies.
    #[track_caller]
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// Whether there are no copies: always so with one worker.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    #[track_caller]
    fn all(&self) -> &[Mirror<T>] {
        check_listed::<Self>(self.is_listed);
        &self.mirrors
    }
}

impl<T, const REACH: u32> Default for Halo<T, REACH> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'h, T, const REACH: u32> IntoIterator for &'h Halo<T, REACH> {
    type Item = &'h Mirror<T>;
    type IntoIter = std::slice::Iter<'h, Mirror<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Components of world `W` that a [`Halo`] copies: a tuple of one to four components that are
/// `Clone`, `Serialize` and `Deserialize`. An entity is copied if it has all of them.
pub trait Mirrored<W: World, P: 'static>: Send + Sync + Sized + 'static {
    /// Calls `keep` with the place of each entity, and `found` with the values of those that it
    /// keeps.
    #[doc(hidden)]
    fn collect<K>(
        world: &W,
        keep: impl Fn(&P) -> Option<K>,
        found: impl FnMut(K, GlobalId, &mut dyn FnMut(&mut Vec<u8>) -> Result<(), String>) -> Result<(), String>,
    ) -> Result<(), String>;

    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Result<Self, String>;
}

/// An error with the name of its component.
fn of_component<W: World + Has<T>, T: 'static>(error: bincode::Error) -> String {
    format!("component `{}` of world `{}`: {error}", W::COMPONENTS[<W as Has<T>>::INDEX], W::NAME)
}

macro_rules! mirrored {
    ($($name:ident $value:ident),+) => {
        impl<W, P, $($name),+> Mirrored<W, P> for ($($name,)+)
        where
            P: Component,
            W: World + Has<GlobalId> + Has<P> $(+ Has<$name>)+,
            $($name: Component + Serialize + DeserializeOwned + Send + Sync,)+
        {
            fn collect<K>(
                world: &W,
                keep: impl Fn(&P) -> Option<K>,
                mut found: impl FnMut(K, GlobalId, &mut dyn FnMut(&mut Vec<u8>) -> Result<(), String>) -> Result<(), String>,
            ) -> Result<(), String> {
                // slices: of most entities only the place is read
                for (ids, places, $($value),+) in
                    world.query::<(&GlobalId, &P, $(&$name),+)>().into_query().chunks_mut()
                {
                    for (at, place) in places.iter().enumerate() {
                        if let Some(kept) = keep(place) {
                            found(kept, ids[at], &mut |bytes| {
                                $(bincode::serialize_into(&mut *bytes, &$value[at]).map_err(of_component::<W, $name>)?;)+
                                Ok(())
                            })?;
                        }
                    }
                }
                Ok(())
            }

            fn read(mut bytes: &[u8]) -> Result<Self, String> {
                let all = ($(wire::read_value::<$name>(&mut bytes).map_err(of_component::<W, $name>)?,)+);
                if bytes.is_empty() { Ok(all) } else { Err("bytes remain after a value".to_owned()) }
            }
        }
    };
}
mirrored!(A a);
mirrored!(A a, B b);
mirrored!(A a, B b, C c);
mirrored!(A a, B b, C c, D d);

impl<M: Model, T: Mirrored<M::World, M::Place>, const REACH: u32> SharedList<M> for Halo<T, REACH>
where
    M::World: HasResource<Halo<T, REACH>>,
{
    fn links(links: &mut Vec<Box<dyn Link<M>>>) {
        links.push(Box::new(HaloLink::<T, REACH> {
            border: Border::default(),
            places: Vec::new(),
            sent: Vec::new(),
            received: Vec::new(),
            of: PhantomData,
        }));
    }
}

/// The workers that own places near to the places of this worker.
#[derive(Default)]
struct Border {
    first: u32,
    /// For each place of this worker the number of a set of workers; 0 is the empty set.
    sets: Vec<u32>,
    /// The longest range of places whose set is empty, which spares most look-ups.
    inner: std::ops::Range<u32>,
    workers: Vec<Vec<usize>>,
}

impl Border {
    fn new(space: &impl Space, reach: u32, partition: &Partition, own: usize) -> Self {
        let (range, whole) = (partition.of(own), partition.whole(own));
        let (first, workers) = (range.start, vec![Vec::new()]);
        let mut border = Self { first, sets: Vec::new(), inner: first..first, workers };
        let (mut near, mut known) = (Vec::new(), HashMap::new());
        for place in range.clone() {
            near.clear();
            let mut add = |other| {
                if !whole.contains(&other) {
                    near.extend(partition.owners(other).filter(|&owner| owner != own));
                }
            };
            // a place that is divided is near to itself
            add(place);
            space.near(place, reach, &mut add);
            near.sort_unstable();
            near.dedup();
            if near.is_empty() {
                border.sets.push(0);
            } else if let Some(&set) = known.get(&near) {
                border.sets.push(set);
            } else {
                // there are fewer sets than places
                let set = border.workers.len() as u32;
                border.workers.push(near.clone());
                border.sets.push(set);
                known.insert(near.clone(), set);
            }
        }
        let mut begin = first;
        for run in border.sets.chunk_by(|a, b| (*a > 0) == (*b > 0)) {
            let end = begin + run.len() as u32;
            if run[0] == 0 && run.len() > border.inner.len() {
                border.inner = begin..end;
            }
            begin = end;
        }
        border
    }

    /// The number of the place's set of workers, unless it is empty.
    #[inline]
    fn set(&self, place: u32) -> Option<u32> {
        if self.inner.contains(&place) {
            return None;
        }
        let at = place.checked_sub(self.first)? as usize;
        self.sets.get(at).copied().filter(|&set| set > 0)
    }
}

/// The two ends of one halo: the values that this worker has sent, and those that it has received.
struct HaloLink<T, const REACH: u32> {
    border: Border,
    /// The places of each worker.
    places: Vec<std::ops::Range<u32>>,
    /// For each worker the values that it has.
    sent: Vec<Values>,
    /// The values of each worker.
    received: Vec<Values>,
    of: PhantomData<fn() -> T>,
}

impl<M: Model, T: Mirrored<M::World, M::Place>, const REACH: u32> Link<M> for HaloLink<T, REACH>
where
    M::World: HasResource<Halo<T, REACH>>,
{
    fn reset(&mut self, model: &M, partition: &Partition, own: usize) {
        self.border = Border::new(model.space(), REACH, partition, own);
        self.places = (0..partition.workers()).map(|worker| partition.of(worker)).collect();
        self.sent = vec![Values::default(); partition.workers()];
        self.received = vec![Values::default(); partition.workers()];
    }

    fn write(&mut self, model: &M, world: &mut M::World, out: &mut [Vec<u8>]) -> Result<(), RunError> {
        let mut bytes = Vec::new();
        let mut found: Vec<(u32, u64, usize, usize)> = Vec::new();
        // serialize each entity of the border once, however many workers mirror it
        if self.border.workers.len() > 1 {
            let keep = |place: &M::Place| {
                let place = model.place(place);
                Some((self.border.set(place)?, place))
            };
            let collected = T::collect(world, keep, |(set, place), id, write| {
                let begin = bytes.len();
                bytes.extend_from_slice(&place.to_le_bytes());
                write(&mut bytes)?;
                found.push((set, id.0, begin, bytes.len()));
                Ok(())
            });
            collected.map_err(|error| RunError::System(format!("a halo cannot be sent: {error}")))?;
        }
        // differences compare lists in the order of ids, which must be unique among the workers
        found.sort_unstable_by_key(|&(_, id, ..)| id);
        if let Some(twice) = found.windows(2).find(|pair| pair[0].1 == pair[1].1) {
            return Err(RunError::System(format!("two entities have the global id {}", twice[0].1)));
        }
        // each worker gets what has changed since the last message to it
        for (worker, out) in out.iter_mut().enumerate() {
            let mut new = Values::default();
            for &(set, id, begin, end) in &found {
                if self.border.workers[set as usize].contains(&worker) {
                    new.push(id, |out| out.extend_from_slice(&bytes[begin..end]));
                }
            }
            wire::write_difference(&self.sent[worker], &new, out);
            self.sent[worker] = new;
        }
        Ok(())
    }

    fn read(&mut self, from: usize, input: &mut &[u8]) -> Result<(), RunError> {
        let new = wire::read_difference(&self.received[from], input);
        self.received[from] = new.ok_or_else(|| RunError::damaged(from, "mirrored values"))?;
        Ok(())
    }

    fn install(&mut self, world: &mut M::World) -> Result<usize, RunError> {
        let mut mirrors = Vec::with_capacity(self.received.iter().map(Values::len).sum());
        for (from, values) in self.received.iter().enumerate() {
            for (id, mut bytes) in values.iter() {
                let place = wire::read_bytes(&mut bytes, 4).and_then(|bytes| bytes.try_into().ok());
                let place = place.ok_or_else(|| RunError::damaged(from, "a mirrored value without place"))?;
                let place = u32::from_le_bytes(place);
                // systems may use it as an index
                if !self.places[from].contains(&place) {
                    let text = format!("a mirrored value has place {place}, which the worker does not own");
                    return Err(RunError::damaged(from, text));
                }
                let value = T::read(bytes).map_err(|error| RunError::damaged(from, error))?;
                mirrors.push(Mirror { id: GlobalId(id), place, value });
            }
        }
        mirrors.sort_unstable_by_key(|mirror| (mirror.place, mirror.id));
        let count = mirrors.len();
        *world.resource_mut::<Halo<T, REACH>>() = Halo { mirrors: Arc::new(mirrors), is_listed: true };
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of the first worker are near to the first places of other workers: place `n` to
    /// that of worker `b + 1` if bit `b` of `n` is 1.
    struct Star {
        workers: u32,
        each: u32,
    }

    impl Space for Star {
        fn places(&self) -> u32 {
            self.workers * self.each
        }

        fn near(&self, place: u32, _: u32, f: &mut dyn FnMut(u32)) {
            let bits = 0..self.workers - 1;
            if place < self.each {
                bits.filter(|bit| place >> bit & 1 == 1).for_each(|bit| f((bit + 1) * self.each));
            } else if place.is_multiple_of(self.each) {
                let bit = place / self.each - 1;
                (0..self.each).filter(|place| place >> bit & 1 == 1).for_each(f);
            }
        }
    }

    #[test]
    fn a_space_may_have_more_sets_of_near_workers_than_sixteen_bits() {
        let star = Star { workers: 18, each: 70_000 };
        let border = Border::new(&star, 1, &Partition::equal(star.places(), 18), 0);
        for place in 0..star.each {
            let expected: Vec<usize> =
                (0..17).filter(|bit| place >> bit & 1 == 1).map(|bit| bit + 1).collect();
            let found = border.set(place).map_or(&[][..], |set| &border.workers[set as usize]);
            assert_eq!(found, expected, "place {place}");
        }
    }
}
