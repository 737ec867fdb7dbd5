//! Reading the components of an entity in the human-readable form.
//!
//! A world has a value for each component of each entity, so this is where loading takes its time.
//! The components are found without a search if they are in the same order as in the world.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::de::{Error, IgnoredAny, MapAccess as _};

use crate::entity::Entity;
use crate::persist::erased::FormError;
use crate::persist::erased::read::{Hint, ReadForm, read_map, read_text};
use crate::persist::memory;
use crate::save::draft::Draft;
use crate::save::entry::ValuePlace;

/// A component as the key of an entity's map.
#[derive(Clone, Copy)]
struct ComponentKey {
    /// The name in files. Former names are not listed: they are searched for in the draft.
    name: &'static str,
    is_saved: bool,
    /// The older type that the values have in the file.
    old: Option<usize>,
    /// Whether the file says that all numbers of the values are finite: see
    /// [`expect_finite`](ReadForm::expect_finite).
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
    pub(super) fn of(draft: &Draft<'_>) -> Self {
        let mut olds = vec![None; draft.sections.components.len()];
        // of two entries in the file, the first one counts
        for (at, old) in draft.table.iter().flatten().rev() {
            olds[*at] = *old;
        }
        let keys =
            draft.sections.components.iter().zip(olds).zip(&draft.finite).map(|((entry, old), finite)| {
                ComponentKey { name: entry.name, is_saved: entry.is_saved(), old, finite: *finite, seen: 0 }
            });
        Self { keys: keys.collect(), entities: 0 }
    }

    /// Returns the position of the component with this name, by a search that begins at position
    /// `from`.
    #[inline]
    fn find(&self, name: &str, from: usize) -> Option<usize> {
        let (before, after) = self.keys.split_at_checked(from)?;
        let is_it = |key: &ComponentKey| key.name == name;
        after.iter().position(is_it).map(|at| from + at).or_else(|| before.iter().position(is_it))
    }
}

/// Reads the components of one entity, a map from names to values.
pub(super) fn read_components(
    draft: &mut Draft<'_>,
    keys: &mut ComponentKeys,
    entity: Entity,
    form: &mut dyn ReadForm<'_>,
) -> Result<(), FormError> {
    read_map(form, Hint::Map, &"a map from names to values", &mut |mut map| {
        keys.entities += 1;
        let mut from = 0;
        // the position of the next component, or a name that is not listed
        let mut found: Result<usize, String> = Ok(0);
        while map.key_by(|form| {
            read_text(form, Hint::String, &"a string", &mut |name| {
                memory::was_read(name.len());
                found = keys.find(name, from).ok_or_else(|| name.into());
            })
        })? {
            let (at, former) = match core::mem::replace(&mut found, Ok(0)) {
                Ok(at) => (at, None),
                Err(name) => match draft.component(&name) {
                    Ok(Some(at)) => (at, Some(name)),
                    Ok(None) => {
                        map.next_value::<IgnoredAny>()?;
                        continue;
                    }
                    Err(error) => return map.value_by(|_| Err(FormError::custom(&error))),
                },
            };
            from = at + 1;
            let key = &mut keys.keys[at];
            let name = former.as_deref().unwrap_or(key.name);
            if core::mem::replace(&mut key.seen, keys.entities) == keys.entities {
                let twice = format!("entity {entity} has component `{name}` twice");
                return map.value_by(|_| Err(FormError::custom(&twice)));
            }
            if !key.is_saved {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let entry = &draft.sections.components[at];
            let column = &mut **draft.columns[at].get_or_insert_with(|| entry.column());
            map.value_by(|form| {
                if key.finite {
                    form.expect_finite();
                }
                let read = entry.read_one(key.old, ValuePlace::Column(column, entity.slot()), form);
                read.map_err(|error| fail(name, entity, key.old.is_some(), error))
            })?;
        }
        Ok(())
    })
}

/// The error of a value that cannot be read.
#[cold]
#[inline(never)]
fn fail(name: &str, entity: Entity, is_old: bool, error: FormError) -> FormError {
    let error = error.to_string();
    let changed = ["missing field", "unknown field", "unknown variant"];
    let is_changed = changed.iter().any(|change| error.starts_with(change));
    if is_changed && !is_old {
        return FormError::custom(format_args!(
            "component `{name}` of entity {entity}: {error}; values of an earlier form of the type are read if it has \
             `#[component(from = Old{name})]`"
        ));
    }
    FormError::custom(format_args!("component `{name}` of entity {entity}: {error}"))
}
