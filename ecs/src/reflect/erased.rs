//! [`ReflectWorld`]: a world whose type is not known. All code of this module reaches worlds
//! through this trait, so that it is compiled once.

use alloc::vec::Vec;
use core::any::{Any, TypeId};

use super::aspects::{AspectList, ListedAspect};
use super::entry::{
    AnyValueBox, ComponentEntry, ComponentFacts, Description, EventAt, ReadValue, ReflectedWorld,
    ValueContent, ValueEntry,
};
use super::error::NameKind;
use super::world::{ReflectMut, ReflectRef, Reflection};
use crate::base::component_set::{ComponentSet, SpawnSet, Words};
use crate::base::disabling::Disables;
use crate::component::excludes::excluded_by;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::{Refused, SystemError};
use crate::persist::erased::ErasedSerialize;
use crate::raw_world::fields::table;
use crate::raw_world::{WorldFields, journal, targets};
use crate::schedule::node::Node;
use crate::schedule::plan::{AnyPlan, NoWorld, Plan, any_plans, plans};
use crate::schedule::run::{run_fallible, step_node};
use crate::schedule::{
    ScheduleGraph, Schedules, SystemFailure, Timing, by_name, enable_by_id, is_enabled_by_id,
};
use crate::value::boxed::ValueBox;
use crate::value::serialize::ValueRef;

/// A world that derives `Reflect`, as an object: `&dyn ReflectWorld`, `&mut dyn ReflectWorld`.
/// `world!` implements it for worlds with `#[derive(Reflect)]`; no other type can implement it.
///
/// It has two methods, so that its names never clash with those of [`World`](crate::World): the
/// handles that they return have the verbs.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::reflect::ReflectWorld;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
/// # world! { #[derive(Reflect)] struct Game { components { Health } } }
///
/// fn count(world: &dyn ReflectWorld) -> usize {
///     world.reflect().len()
/// }
///
/// let mut game = Game::new();
/// game.spawn(Health(3));
/// assert_eq!(count(&game), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no world that derives `Reflect`, so it cannot be read by names",
    label = "no world that derives `Reflect`",
    note = "write `#[derive(Reflect)]` before the `struct` in the `world!` of `{Self}`; a handle, which `reflect_mut` returns, is not a world: pass `&mut game`"
)]
pub trait ReflectWorld: ErasedWorld {
    /// The handle for reading this world by names.
    fn reflect(&self) -> ReflectRef<'_>;
    /// The handle for reading and changing this world by names.
    fn reflect_mut(&mut self) -> ReflectMut<'_>;
}

#[diagnostic::do_not_recommend]
impl<W: ReflectedWorld> ReflectWorld for W {
    fn reflect(&self) -> ReflectRef<'_> {
        Reflection::new(self)
    }

    fn reflect_mut(&mut self) -> ReflectMut<'_> {
        Reflection::new(self)
    }
}

/// Declares [`ErasedWorld`] and implements it, so that each of its functions is written once.
macro_rules! erased_world {
    ($($(#[$doc:meta])* fn $name:ident($($argument:tt)*) $(-> $ret:ty)? $body:block)*) => {
        /// The functions of a world that the handles need. Components, resources and events have
        /// numbers: their indexes. A number of a hidden type has no functions.
        #[allow(missing_docs, reason = "users reach it by `ReflectWorld`, and see its name in messages only")]
        pub trait ErasedWorld {
            $($(#[$doc])* fn $name($($argument)*) $(-> $ret)?;)*
        }

        impl<W: ReflectedWorld> ErasedWorld for W {
            $(fn $name($($argument)*) $(-> $ret)? $body)*
        }
    };
}

erased_world! {
    fn any(&self) -> &(dyn Any + 'static) {
        self
    }

    fn any_mut(&mut self) -> &mut (dyn Any + 'static) {
        self
    }

    fn world_name(&self) -> &'static str {
        W::NAME
    }

    fn component_names(&self) -> &'static [&'static str] {
        <W as crate::world::World>::COMPONENTS
    }

    fn resource_names(&self) -> &'static [&'static str] {
        <W as crate::world::World>::RESOURCES
    }

    fn event_names(&self) -> &'static [&'static str] {
        <W as crate::world::World>::EVENTS
    }

    fn living(&self) -> &Entities {
        self.__living()
    }

    fn has_at(&self, component: usize, slot: u32) -> bool {
        table(self, component).is_some_and(|table| table.contains(slot))
    }

    fn count(&self, component: usize) -> usize {
        table(self, component).map_or(0, |table| table.len())
    }

    fn mask(&self, component: usize, word: usize) -> u64 {
        table(self, component).map_or(0, |table| table.word(word))
    }

    fn component_facts(&self, component: usize) -> Option<ComponentFacts> {
        entry::<W>(component).map(|entry| entry.facts)
    }

    fn required(&self, component: usize) -> ComponentSet {
        W::REQUIRES.get(component).copied().unwrap_or(ComponentSet::EMPTY)
    }

    fn closure(&self, component: usize) -> ComponentSet {
        W::CLOSURES.get(component).copied().unwrap_or(ComponentSet::EMPTY)
    }

    fn excluded(&self, component: usize) -> ComponentSet {
        if component < W::OFFSETS.len() { excluded_by::<W>(component) } else { ComponentSet::EMPTY }
    }

    fn disabled(&self, component: usize) -> Disables {
        W::OFFSETS.get(component).map_or(Disables::Nothing, |offset| offset.disables)
    }

    fn value(&self, component: usize, slot: u32) -> Option<ValueRef<'_>> {
        entry::<W>(component)?.value(self, slot)
    }

    /// The tick of the last change of a value; `None` if changes are not tracked.
    fn changed_at(&self, component: usize, slot: u32) -> Option<u64> {
        let stamps = entry::<W>(component)?.functions.column(self).stamps()?;
        let word = stamps.word(slot as usize / 64);
        Some(word.map_or(0, |word| word.changed(slot as usize % 64)))
    }

    /// The sources of a target; empty if the component is no relation.
    fn sources(&self, component: usize, target: Entity) -> &[Entity] {
        entry::<W>(component).map_or(&[], |entry| (entry.sources)(self, target))
    }

    /// The bytes of a column.
    fn bytes(&self, component: usize) -> usize {
        table(self, component).map_or(0, |table| table.bytes())
    }

    fn refuse(&mut self, component: usize, entity: Option<Entity>, value: &ValueBox) -> Option<Refused> {
        entry::<W>(component)?.refuse(self, entity, value)
    }

    fn put(&mut self, component: usize, entity: Entity, value: ValueBox) {
        if let Some(entry) = entry_for::<W>(self, component, entity) {
            entry.put(self, entity, value);
        }
    }

    fn fill(&mut self, component: usize, entity: Entity) {
        if let Some(entry) = entry_for::<W>(self, component, entity) {
            (entry.functions.fill)(self, entity, ComponentSet::EMPTY);
        }
    }

    fn take(&mut self, component: usize, entity: Entity) -> Option<ValueBox> {
        entry_for::<W>(self, component, entity)?.take(self, entity)
    }

    fn take_before_others(&mut self, component: usize, entity: Entity) -> Option<ValueBox> {
        entry_for::<W>(self, component, entity)?.take_before_others(self, entity)
    }

    fn held_of_targets(&self, entity: Entity) -> ComponentSet {
        targets::held(self, entity)
    }

    fn lose_target(&mut self, entity: Entity, held: ComponentSet) {
        targets::lost_by(self, &[(entity, held)], None);
    }

    fn listed_aspects(&self) -> Vec<ListedAspect> {
        AspectList::<W>::of_world().aspects
    }

    fn spawn_with(&mut self, components: ComponentSet) -> Entity {
        let own = (0..W::OFFSETS.len()).fold(ComponentSet::EMPTY, ComponentSet::with);
        let words = Words(components.and(own).words().0);
        let set = SpawnSet::of(words, ComponentSet::words_for(W::OFFSETS.len()));
        let entity = self.entities_mut().spawn(&set);
        journal::record_spawned(self, core::iter::once(entity.slot()));
        entity
    }

    /// Gives back memory.
    fn shrink(&mut self) {
        crate::world::WorldMemory::shrink_to_fit(self);
    }

    fn despawn_one(&mut self, entity: Entity) -> bool {
        self.despawn(entity).is_ok()
    }

    /// The size of a resource or an event, and the function that reads one.
    fn value_facts(&self, kind: NameKind, index: usize) -> Option<(usize, ReadValue)> {
        value_entry::<W>(kind, index).map(|entry| (entry.size, entry.read))
    }

    fn resource(&self, resource: usize) -> Option<(&dyn ErasedSerialize, &dyn Any)> {
        match value_entry::<W>(NameKind::Resources, resource)?.content {
            ValueContent::Resource(value) => Some(value(self)),
            ValueContent::Event(_) => None,
        }
    }

    fn event_at(&self, event: usize, number: u64) -> EventAt<'_> {
        match value_entry::<W>(NameKind::Events, event).map(|entry| &entry.content) {
            Some(ValueContent::Event(at)) => at(self, number),
            _ => (0..0, None),
        }
    }

    /// Sets a resource, or sends an event.
    fn put_value(&mut self, kind: NameKind, index: usize, value: AnyValueBox) {
        if let Some(entry) = value_entry::<W>(kind, index) {
            (entry.put)(self, value);
        }
    }

    fn description(&self, kind: NameKind, index: usize) -> Description {
        let described = match kind {
            NameKind::Resources => W::LISTS.resources.get(index).map(|listed| listed.0),
            NameKind::Events => W::LISTS.events.get(index).map(|listed| listed.0),
            _ => W::LISTS.components.get(index).map(|listed| listed.0),
        };
        described.unwrap_or(Description::NONE)
    }

    fn graph(&self) -> ScheduleGraph {
        self.schedule_graph()
    }

    fn measured(&self) -> Vec<Timing> {
        self.timings()
    }

    fn measure(&mut self, on: bool) {
        self.time_systems(on);
    }

    fn enable_system(&mut self, name: &str, on: bool) -> usize {
        let ids = ids_of(any_plans::<W>(), name);
        ids.into_iter().map(|id| enable_by_id(self, id, on)).sum()
    }

    fn is_system_enabled(&self, name: &str) -> bool {
        ids_of(any_plans::<W>(), name).into_iter().any(|id| is_enabled_by_id(self, id))
    }

    fn run_schedule(&mut self, name: &str) -> Option<Result<(), SystemError>> {
        Some(run_fallible(self, plan_of::<W>(name)?))
    }

    fn step_system(&mut self, schedule: &str, node: usize) -> Option<Result<(), SystemError>> {
        let plan = plan_of::<W>(schedule).filter(|plan| node < plan.entries.len())?;
        Some(step_node(self, plan, node))
    }

    fn run_system(&mut self, name: &str) -> Option<Result<(), SystemError>> {
        let mut nodes = plans::<W>().iter().flat_map(|plan| plan.entries.iter()).map(|entry| &entry.node);
        Some(by_name::run_alone(self, nodes.find(|node| node.task.name == name)?))
    }

    /// The systems of all conditions, each with the name of the system whose condition it is.
    fn condition_names(&self) -> Vec<(&'static str, &'static str)> {
        condition_names(any_plans::<W>())
    }

    fn evaluate(&mut self, condition: &str) -> Option<bool> {
        let nodes = plans::<W>().iter().flat_map(|plan| plan.entries.iter()).map(|entry| &entry.node);
        let found = nodes.flat_map(|node| node.conditions).find(|known| known.task.name == condition)?;
        Some(by_name::evaluate_alone(self, found))
    }

    fn is_schedule_running(&self, name: &str) -> bool {
        plan_of::<W>(name).is_some_and(|plan| by_name::is_running(self, plan))
    }

    fn system_failures(&self) -> &[SystemFailure] {
        by_name::failures(self)
    }

    fn is_place_enabled(&self, schedule: &str, node: usize) -> bool {
        plan_of::<W>(schedule).is_some_and(|plan| by_name::is_place_enabled(self, plan, node))
    }
}

/// The functions of a component; `None` if it is hidden or compiled out.
pub(super) fn entry<W: ReflectedWorld>(component: usize) -> Option<&'static ComponentEntry<W>> {
    W::LISTS.components.get(component)?.1.as_ref()
}

/// The functions of a component, to change it at an entity; `None` also if the entity is not alive.
/// The methods of a trait object can be called from outside with any arguments.
fn entry_for<W: ReflectedWorld>(
    world: &W,
    component: usize,
    entity: Entity,
) -> Option<&'static ComponentEntry<W>> {
    entry::<W>(component).filter(|_| world.__living().contains(entity))
}

/// The functions of a resource or an event; `None` if it is hidden or compiled out.
fn value_entry<W: ReflectedWorld>(kind: NameKind, index: usize) -> Option<&'static ValueEntry<W>> {
    let all = match kind {
        NameKind::Events => W::LISTS.events,
        _ => W::LISTS.resources,
    };
    all.get(index)?.1.as_ref()
}

/// The plan of a schedule.
fn plan_of<W: ReflectedWorld>(schedule: &str) -> Option<&'static Plan<'static, W>> {
    plans::<W>().iter().copied().find(|plan| plan.name == schedule)
}

/// The systems of all conditions, each with the name of the system whose condition it is.
fn condition_names(plans: &[&AnyPlan<'_>]) -> Vec<(&'static str, &'static str)> {
    let nodes = plans.iter().flat_map(|plan| plan.entries.iter()).map(|entry| &entry.node);
    let of_node = |node: &Node<NoWorld>| {
        let system = node.task.name;
        node.conditions.iter().map(move |condition| (system, condition.task.name))
    };
    nodes.flat_map(of_node).collect()
}

/// The types of the systems with a name, each once.
fn ids_of(plans: &[&AnyPlan<'_>], name: &str) -> Vec<TypeId> {
    let entries = plans.iter().flat_map(|plan| plan.entries.iter());
    let mut ids: Vec<TypeId> =
        entries.filter(|entry| entry.node.task.name == name).map(|entry| entry.node.task.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
