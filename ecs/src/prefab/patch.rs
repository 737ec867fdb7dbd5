//! [`Patch`]: an override as a prefab stores it, the overridden fields by name, with the trees of
//! their values.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overlay::Overridden;
use crate::persist::compact::read::MapId;
use crate::persist::erased::ReadForm;
use crate::save::entry::{SavedComponent, ValuePlace};
use crate::value::tree::{DynamicValue, exact_tree_of, read_exact_tree};

/// An override of a value. Ids in it are numbers of entities of the prefab.
#[derive(Debug)]
pub(super) enum Patch {
    /// The whole value.
    Whole(DynamicValue),
    /// Some fields of the value, by name.
    Fields(Vec<(String, Patch)>),
}

impl Patch {
    /// Makes the patch of the parts in `overridden`, from the value after they were overridden.
    pub(super) fn of(overridden: Overridden, value: DynamicValue) -> Result<Self, String> {
        let Overridden::Fields(fields) = overridden else { return Ok(Self::Whole(value)) };
        let mut values = match value {
            DynamicValue::Struct(values) => values,
            _ => Vec::new(),
        };
        let patches = fields.into_iter().map(|(name, overridden)| {
            match values.iter().position(|(field, _)| *field == name) {
                Some(at) => Ok((name, Self::of(overridden, values.swap_remove(at).1)?)),
                None => Err(format!(
                    "`Serialize` does not write field `{name}` for this value, so the file cannot override it"
                )),
            }
        });
        patches.collect::<Result<_, _>>().map(Self::Fields)
    }

    /// Overrides the value of a component. After an error the value is unchanged. `map` maps
    /// numbers of entities to ids.
    pub(super) fn apply(
        &self,
        entry: &SavedComponent,
        place: ValuePlace<'_>,
        map: MapId<'_>,
    ) -> Result<(), String> {
        let value = match (self, &place) {
            (Self::Whole(_), _) => None,
            (_, ValuePlace::World(world, entity)) => entry.value(&**world, entity.slot()),
            (_, ValuePlace::Column(column, slot)) => entry.value_in(&**column, *slot),
        };
        let mut tree = match value {
            Some(value) => exact_tree_of(value.erased())?.0,
            None => DynamicValue::Unit,
        };
        self.change(&mut tree, map)?;
        let mut place = Some(place);
        let mut read = |form: &mut dyn ReadForm<'_>| {
            place.take().map_or(Ok(()), |place| entry.read_one(None, place, form))
        };
        read_exact_tree(&tree, &mut read)
    }

    /// Overrides the parts of a tree.
    fn change(&self, tree: &mut DynamicValue, map: MapId<'_>) -> Result<(), String> {
        match (self, tree) {
            (Self::Whole(value), tree) => {
                *tree = value.clone();
                tree.map_ids(&mut |id| map(id)).map_err(|fault| fault.to_string())
            }
            (Self::Fields(patches), DynamicValue::Struct(fields)) => {
                patches.iter().try_for_each(|(name, patch)| {
                    let at = fields.iter().position(|(field, _)| field == name);
                    // a field that `Serialize` omits has its defaults beside those of the patch
                    let at = at.unwrap_or_else(|| {
                        fields.push((name.clone(), DynamicValue::Struct(Vec::new())));
                        fields.len() - 1
                    });
                    patch.change(&mut fields[at].1, map)
                })
            }
            _ => Err("the value was a struct when the prefab was read, and is none now".into()),
        }
    }
}
