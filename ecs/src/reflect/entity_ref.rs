//! `Serialize` of an [`EntityRef`], a map from the names of its components to their values, and the values that its `Debug` prints.

use serde::ser::{Serialize, Serializer};

use super::entry::ReflectedWorld;
use super::erased::ErasedWorld;
use super::value::DynamicValue;
use crate::save::human::Exact;
use crate::world::EntityRef;

/// Writes an entity of a world with `#[derive(Reflect)]`: a map from the names of its components to their values. Hidden components are
/// left out.
impl<W: ReflectedWorld> Serialize for EntityRef<'_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return write(*self, Exact(serializer));
        }
        write(*self, serializer)
    }
}

fn write<W: ReflectedWorld, S: Serializer>(
    entity: EntityRef<'_, W>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (world, slot) = (entity.world(), entity.id().slot());
    let held = world.living().columns_of(slot).filter(|&index| world.has_at(index, slot));
    let values = held.filter_map(|index| Some((world.component_names()[index], world.value(index, slot)?)));
    // a format that is not for people needs the number of entries
    let values: alloc::vec::Vec<_> = values.collect();
    serializer.collect_map(values)
}

/// A value that can be printed.
pub type Printed = alloc::boxed::Box<dyn core::fmt::Debug>;

/// The value of a component at a slot, for the `Debug` of [`EntityRef`].
pub fn printed<W: ReflectedWorld>(world: &W, component: usize, slot: u32) -> Option<Printed> {
    let value = DynamicValue::of(world.value(component, slot)?);
    Some(match value {
        Ok(value) => alloc::boxed::Box::new(value),
        Err(reason) => alloc::boxed::Box::new(reason),
    })
}
