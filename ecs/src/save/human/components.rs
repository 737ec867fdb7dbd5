//! Reading the components of an entity in the human-readable form.
//!
//! A world has a value for each component of each entity, so this is where loading takes its time. The components are found without a
//! search if they are in the same order as in the world.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::{Deserializer, Serialize};

use super::exact::read_finite;
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::persist::memory;
use crate::save::Saved;
use crate::save::draft::Draft;
use crate::save::entry::{SavedComponent, SavedType as _, SavedVisitor};
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;

/// A component as the key of an entity's map.
#[derive(Clone, Copy)]
struct ComponentKey {
    /// The name in files. Former names are not listed: they are searched for in the draft.
    name: &'static str,
    is_saved: bool,
    /// The older type that the values have in the file.
    old: Option<usize>,
    /// Whether the file says that all numbers of the values are finite: see [`read_finite`].
    finite: bool,
    /// The number of the last entity in whose map the key was found, from 1.
    seen: usize,
}

/// The components of a world as keys, by their positions in `Sections::components`.
pub(super) struct ComponentKeys {
    keys: Vec<ComponentKey>,
    /// The number of entities whose maps were begun.
    entities: usize,
}

impl ComponentKeys {
    /// Lists the components, after the section `components` was read.
    pub(super) fn of<W: Saved>(draft: &Draft<'_, W>) -> Self {
        let mut olds = vec![None; draft.sections.components.len()];
        // of two entries in the file, the first one counts
        for (at, old) in draft.table.iter().flatten().rev() {
            olds[*at] = *old;
        }
        let keys =
            draft.sections.components.iter().zip(olds).zip(&draft.finite).map(|((entry, old), finite)| {
                ComponentKey {
                    name: draft.sections.component_names[entry.index()],
                    is_saved: entry.is_saved(),
                    old,
                    finite: *finite,
                    seen: 0,
                }
            });
        Self { keys: keys.collect(), entities: 0 }
    }

    /// Returns the position of the component with this name, by a search that begins at position `from`.
    #[inline]
    fn find(&self, name: &str, from: usize) -> Option<usize> {
        let (before, after) = self.keys.split_at_checked(from)?;
        let is_it = |key: &ComponentKey| key.name == name;
        after.iter().position(is_it).map(|at| from + at).or_else(|| before.iter().position(is_it))
    }
}

/// A key that was read.
enum FoundKey {
    /// The position of the component.
    At(usize),
    /// Another name than those of [`ComponentKeys`].
    Other(String),
}

/// The seed of a key.
struct KeySeed<'k> {
    keys: &'k ComponentKeys,
    /// The position at which the search begins.
    from: usize,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = FoundKey;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FoundKey, D::Error> {
        deserializer.deserialize_string(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = FoundKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<FoundKey, E> {
        memory::was_read(name.len());
        Ok(self.keys.find(name, self.from).map_or_else(|| FoundKey::Other(name.into()), FoundKey::At))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<FoundKey, E> {
        match core::str::from_utf8(name) {
            Ok(name) => self.visit_str(name),
            Err(_) => Err(E::invalid_value(Unexpected::Bytes(name), &self)),
        }
    }
}

/// The seed of the components of one entity, a map from names to values.
pub(super) struct ComponentsSeed<'d, 'o, W: Saved> {
    pub(super) draft: &'d mut Draft<'o, W>,
    pub(super) keys: &'d mut ComponentKeys,
    pub(super) entity: Entity,
}

impl<'de, W: Saved> DeserializeSeed<'de> for ComponentsSeed<'_, '_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, W: Saved> Visitor<'de> for ComponentsSeed<'_, '_, W> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from names to values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { draft, keys, entity } = self;
        keys.entities += 1;
        let mut from = 0;
        while let Some(found) = map.next_key_seed(KeySeed { keys, from })? {
            let (at, former) = match found {
                FoundKey::At(at) => (at, None),
                FoundKey::Other(name) => match draft.component(&name) {
                    Ok(Some(at)) => (at, Some(name)),
                    Ok(None) => {
                        map.next_value_seed(SkipSeed)?;
                        continue;
                    }
                    Err(error) => return map.next_value_seed(RefusedSeed(error.to_string())),
                },
            };
            from = at + 1;
            let key = &mut keys.keys[at];
            let name = former.as_deref().unwrap_or(key.name);
            if core::mem::replace(&mut key.seen, keys.entities) == keys.entities {
                let twice = format!("entity {entity} has component `{name}` twice");
                return map.next_value_seed(RefusedSeed(twice));
            }
            if !key.is_saved {
                map.next_value_seed(SkipSeed)?;
                continue;
            }
            let entry = &draft.sections.components[at];
            let column = &mut **draft.columns[at].get_or_insert_with(|| entry.column());
            let seed = ColumnSeed { entry, column, old: key.old, finite: key.finite, name, entity };
            let read = ReadValue { map: &mut map, seed, file: PhantomData };
            W::__component(entry.index(), read).transpose()?;
        }
        Ok(())
    }
}

/// A seed that ignores a value.
struct SkipSeed;

impl<'de> DeserializeSeed<'de> for SkipSeed {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match deserializer.deserialize_ignored_any(IgnoredAny) {
            Ok(IgnoredAny) => Ok(()),
            Err(error) => Err(D::Error::custom(error)),
        }
    }
}

/// A seed that returns an error before the value is read.
struct RefusedSeed(String);

impl<'de> DeserializeSeed<'de> for RefusedSeed {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom(self.0))
    }
}

/// The seed of the value of one component of an entity, which is inserted into a column.
struct ColumnSeed<'v, W: Saved> {
    entry: &'v SavedComponent<W>,
    column: &'v mut dyn Any,
    old: Option<usize>,
    /// Whether the file says that all numbers of the values are finite: see [`read_finite`].
    finite: bool,
    name: &'v str,
    entity: Entity,
}

impl<'de, W: Saved> DeserializeSeed<'de> for ColumnSeed<'_, W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { entry, column, old, finite, name, entity } = self;
        let read = entry.read_value(old, column, entity.slot(), |new| new.read(finite, deserializer));
        read.map_err(|error| fail(name, entity, old.is_some(), error))
    }
}

/// Reads the value of one component of an entity.
struct ReadValue<'v, 'de, A, W: Saved> {
    map: &'v mut A,
    seed: ColumnSeed<'v, W>,
    file: PhantomData<&'de ()>,
}

impl<'de, W: Saved, A: MapAccess<'de>> SavedVisitor<W> for ReadValue<'_, 'de, A, W> {
    type Output = Result<(), A::Error>;

    fn typed<T: Component + Serialize + DeserializeOwned>(self, _: SavedComponent<W>) -> Self::Output
    where
        W: Has<T>,
    {
        if self.seed.old.is_some() {
            return self.map.next_value_seed(self.seed);
        }
        self.map.next_value_seed(TypedSeed(self.seed, PhantomData::<T>))
    }

    fn untyped(self, _: SavedComponent<W>) -> Self::Output {
        self.map.next_value_seed(self.seed)
    }
}

/// A [`ColumnSeed`] of a value whose type is known.
struct TypedSeed<'v, W: Saved, T>(ColumnSeed<'v, W>, PhantomData<T>);

impl<'de, W: Saved, T: DeserializeOwned + 'static> DeserializeSeed<'de> for TypedSeed<'_, W, T> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let ColumnSeed { column, finite, name, entity, .. } = self.0;
        let fail = |error: D::Error| fail(name, entity, false, error);
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        let growth = ErasedColumn::of_mut(column).growth(entity.slot(), 1, const { &Column::<T>::SHAPE });
        memory::charge_growth(growth).map_err(|error| fail(D::Error::custom(error)))?;
        let value = match finite {
            true => read_finite(PhantomData::<T>, deserializer),
            false => T::deserialize(deserializer),
        };
        drop(column.insert(entity.slot(), value.map_err(fail)?));
        Ok(())
    }
}

/// The error of a value that cannot be read.
#[cold]
#[inline(never)]
fn fail<E: Error>(name: &str, entity: Entity, is_old: bool, error: impl fmt::Display) -> E {
    let error = error.to_string();
    let changed = ["missing field", "unknown field", "unknown variant"];
    let is_changed = changed.iter().any(|change| error.starts_with(change));
    if is_changed && !is_old {
        return E::custom(format_args!(
            "component `{name}` of entity {entity}: {error}; values of an earlier form of the type are read if it has \
             `#[component(from = Old{name})]`"
        ));
    }
    E::custom(format_args!("component `{name}` of entity {entity}: {error}"))
}
