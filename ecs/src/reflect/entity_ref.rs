//! `Serialize` of an [`EntityRef`], a map from the names of its components to their values, and the
//! values that its `Debug` prints.

use serde::ser::{Serialize, Serializer};

use super::entry::ReflectedWorld;
use super::erased::ErasedWorld;
use crate::persist::erased::write::FormPart;
use crate::persist::erased::{ErasedSerialize, ExactValue};
use crate::save::human::ValueMap;
use crate::value::tree::DynamicValue;
use crate::world::EntityRef;

/// Writes an entity of a world with `#[derive(Reflect)]`: a map from the names of its components to
/// their values. Hidden components are left out.
impl<W: ReflectedWorld> Serialize for EntityRef<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = values(self.world(), self.id().slot());
        if serializer.is_human_readable() {
            return ExactValue(&values).serialize(serializer);
        }
        let values: &dyn ErasedSerialize = &values;
        values.serialize(serializer)
    }
}

/// The values of the components of an entity, with the names of the components.
fn values(world: &dyn ErasedWorld, slot: u32) -> ValueMap<'_> {
    let held = world.living().columns_of(slot).filter(|&index| world.has_at(index, slot));
    let values = held.filter_map(|index| {
        Some((world.component_names()[index], FormPart::Described(world.value(index, slot)?)))
    });
    ValueMap(values.collect())
}

/// A value that can be printed.
pub type Printed = alloc::boxed::Box<dyn core::fmt::Debug>;

/// The value of a component at a slot, for the `Debug` of [`EntityRef`].
pub fn printed<W: ReflectedWorld>(world: &W, component: usize, slot: u32) -> Option<Printed> {
    let value = DynamicValue::of(&world.value(component, slot)?);
    Some(match value {
        Ok(value) => alloc::boxed::Box::new(value),
        Err(reason) => alloc::boxed::Box::new(reason),
    })
}
