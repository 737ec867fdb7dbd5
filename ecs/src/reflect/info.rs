//! Descriptions of a world's components, resources, events, systems and schedules.

use alloc::vec::Vec;
use core::ops::Deref;

use super::entry::Description;
use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::world::{Reflection, is_allowed};
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::schedule::{GraphNode, Timing};
use crate::value::tree::DynamicValue;

/// A component of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ComponentInfo {
    /// The name, as the world spells it.
    pub name: &'static str,
    /// The size of a value in bytes; 0 for a tag.
    pub size: usize,
    /// The alignment of a value in bytes.
    pub align: usize,
    /// Whether changes are tracked: `tracked`.
    pub tracked: bool,
    /// Whether removed values are kept for readers: `removed`.
    pub removed: bool,
    /// Whether at most one entity has it: `unique`.
    pub unique: bool,
    /// Whether entities are found by its value: `index`.
    pub index: bool,
    /// Whether no two entities have the same value: `key`.
    pub key: bool,
    /// Whether it has a [hook](crate::component::ComponentHook).
    pub hook: bool,
    /// Whether queries that do not name it pass over the entities that have it: `disables`.
    pub disables_entities: bool,
    /// The components that it disables: `disables(..)`.
    pub disables: Vec<&'static str>,
    /// Whether it is a relation to other entities.
    pub relation: bool,
    /// The components that it requires, without those that they require in turn.
    pub requires: Vec<&'static str>,
    /// The components that it excludes.
    pub excludes: Vec<&'static str>,
    /// The number of entities that have it.
    pub count: usize,
    /// The memory of its column, in bytes: see
    /// [`ColumnStats::bytes`](crate::world::ColumnStats::bytes).
    pub bytes: usize,
    /// The name of the type with its modules, as [`core::any::type_name`] spells it; empty if the
    /// component is compiled out.
    pub type_name: &'static str,
    /// The documentation of the type: the text behind `///`.
    pub docs: &'static str,
    /// Whether the type has a default value: see [`default_of`](super::Reflection::default_of).
    pub has_default: bool,
}

/// A resource or an event of a world.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ValueInfo {
    /// The name, as the world spells it.
    pub name: &'static str,
    /// The size of a value in bytes.
    pub size: usize,
    /// The name of the type with its modules, as [`core::any::type_name`] spells it.
    pub type_name: &'static str,
    /// The documentation of the type: the text behind `///`.
    pub docs: &'static str,
    /// Whether the type has a default value: see [`default_of`](super::Reflection::default_of).
    pub has_default: bool,
}

/// A system at a place of a schedule. It dereferences to its [`GraphNode`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SystemInfo {
    /// The name of the schedule.
    pub schedule: &'static str,
    /// The number of its place in the schedule, from 0: see [`step`](super::ReflectMut::step).
    pub index: usize,
    /// Whether the system is switched on at this place.
    pub enabled: bool,
    /// The system and what it accesses, without what is hidden.
    pub node: GraphNode,
}

deref!([] SystemInfo => GraphNode, |this| &this.node);

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The components, in the order of the world's declaration.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let game = Game::new();
    /// let [health] = &game.reflect().components()[..] else { panic!() };
    /// assert_eq!((health.name, health.size, health.tracked), ("Health", 4, false));
    /// ```
    pub fn components(&self) -> Vec<ComponentInfo> {
        self.shows.components.indices().filter_map(|index| self.component_info(index)).collect()
    }

    /// One component.
    ///
    /// # Errors
    /// If the world has no component of this name.
    pub fn component(&self, name: &str) -> Result<ComponentInfo, ReflectError> {
        let index = self.number(NameKind::Components, name)?;
        self.component_info(index).ok_or_else(|| self.unknown(NameKind::Components, name, &[]))
    }

    fn component_info(&self, index: usize) -> Option<ComponentInfo> {
        let facts = self.world.component_facts(index)?;
        let disables = self.world.disabled(index);
        let description = self.world.description(NameKind::Components, index);
        Some(ComponentInfo {
            name: self.world.component_names()[index],
            size: facts.size,
            align: facts.align,
            tracked: facts.tracked,
            removed: facts.removed,
            unique: facts.rules.unique,
            index: facts.rules.index,
            key: facts.rules.key,
            hook: facts.rules.hook,
            disables_entities: matches!(disables, Disables::Entity),
            disables: match disables {
                Disables::Components(of) => self.shown_names(of),
                _ => Vec::new(),
            },
            relation: facts.rules.relation.is_some(),
            requires: self.shown_names(self.world.required(index)),
            excludes: self.shown_names(self.world.excluded(index)),
            count: self.world.count(index),
            bytes: self.world.bytes(index),
            type_name: (description.name)(),
            docs: docs_of(description),
            has_default: description.default.is_some(),
        })
    }

    fn shown_names(&self, components: ComponentSet) -> Vec<&'static str> {
        let names = self.world.component_names();
        components.and(self.shows.components).indices().map(|index| names[index]).collect()
    }

    /// The resources, in the order of the world's declaration.
    pub fn resources(&self) -> Vec<ValueInfo> {
        self.values(NameKind::Resources)
    }

    /// The events, in the order of the world's declaration.
    pub fn events(&self) -> Vec<ValueInfo> {
        self.values(NameKind::Events)
    }

    fn values(&self, kind: NameKind) -> Vec<ValueInfo> {
        let (names, shown) = self.section(kind);
        let info = |index: usize| {
            let description = self.world.description(kind, index);
            Some(ValueInfo {
                name: names.get(index)?,
                size: self.world.value_facts(kind, index)?.0,
                type_name: (description.name)(),
                docs: docs_of(description),
                has_default: description.default.is_some(),
            })
        };
        shown.indices().filter_map(info).collect()
    }

    /// The documentation of a component, resource, event or aspect and of its parts: pairs of a
    /// path and the text behind `///`. The path is empty for the type itself, `now` for a field,
    /// `Dragon` for a variant, and `Dragon.heads` for a field of a variant, as they are spelled in
    /// Rust.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::{NameKind, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// /// The hit points.
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Health {
    ///     /// At 0 the entity dies.
    ///     now: u32,
    ///     max: u32,
    /// }
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let game = Game::new();
    /// let docs = game.reflect().docs(NameKind::Components, "Health")?;
    /// assert_eq!(docs, [("", "The hit points."), ("now", "At 0 the entity dies.")]);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has nothing of this kind and name with a value.
    pub fn docs(
        &self,
        kind: NameKind,
        name: &str,
    ) -> Result<&'static [(&'static str, &'static str)], ReflectError> {
        match kind {
            NameKind::Aspects => self.aspect_docs(name),
            kind => Ok(self.described(kind, name)?.docs),
        }
    }

    /// The default value of a component, resource or event; `None` if its type does not implement
    /// `Default`.
    ///
    /// # Errors
    /// If the world has nothing of this kind and name with a value, or the `Serialize` of the
    /// default value fails.
    ///
    /// # Panics
    /// If the `Default` of the type panics.
    pub fn default_of(&self, kind: NameKind, name: &str) -> Result<Option<DynamicValue>, ReflectError> {
        let value = self.described(kind, name)?.default.map(|make| make()).transpose();
        value.map_err(|reason| ReflectError::Value { entity: None, path: name.into(), reason })
    }

    /// The description of a type that is shown.
    pub(super) fn described(&self, kind: NameKind, name: &str) -> Result<Description, ReflectError> {
        if !kind.has_values() {
            return Err(self.unknown(kind, name, &[]));
        }
        Ok(self.world.description(kind, self.number(kind, name)?))
    }

    /// The systems of all schedules, in the order of the text. Hidden components, resources and
    /// events are left out of their accesses.
    pub fn systems(&self) -> Vec<SystemInfo> {
        let retain_shown = |kind: NameKind, names: &mut [&mut Vec<&'static str>]| {
            names.iter_mut().for_each(|names| names.retain(|name| self.number(kind, name).is_ok()));
        };
        let mut systems = Vec::new();
        for schedule in self.world.graph().schedules {
            for (index, mut node) in schedule.nodes.into_iter().enumerate() {
                if !is_allowed(self.shows.systems.as_ref(), node.system) {
                    continue;
                }
                let GraphNode { reads, writes, filters, .. } = &mut node;
                retain_shown(NameKind::Components, &mut [reads, writes, filters]);
                let GraphNode { resources_read, resources_written, .. } = &mut node;
                retain_shown(NameKind::Resources, &mut [resources_read, resources_written]);
                retain_shown(NameKind::Events, &mut [&mut node.events_read, &mut node.events_sent]);
                let enabled = self.world.is_place_enabled(schedule.name, index);
                systems.push(SystemInfo { schedule: schedule.name, index, enabled, node });
            }
        }
        systems
    }

    /// Makes sure that a system of this name is shown.
    pub(super) fn system(&self, name: &str) -> Result<(), ReflectError> {
        let known: Vec<&'static str> = self.systems().iter().map(|system| system.system).collect();
        if known.contains(&name) {
            return Ok(());
        }
        Err(self.unknown(NameKind::Systems, name, &known))
    }

    /// Whether a system is switched on in at least one place of a schedule.
    ///
    /// # Errors
    /// If no schedule has a system of this name.
    pub fn is_system_enabled(&self, system: &str) -> Result<bool, ReflectError> {
        self.system(system)?;
        Ok(self.world.is_system_enabled(system))
    }

    /// The names of the schedules.
    pub fn schedules(&self) -> Vec<&'static str> {
        self.world.graph().schedules.iter().map(|schedule| schedule.name).collect()
    }

    /// The run times of the systems: see [`Schedules::timings`](crate::Schedules::timings).
    pub fn timings(&self) -> Vec<Timing> {
        let mut timings = self.world.measured();
        timings.retain(|timing| is_allowed(self.shows.systems.as_ref(), timing.system));
        timings
    }
}

/// The documentation of the type itself.
fn docs_of(description: Description) -> &'static str {
    description.docs.iter().find(|(path, _)| path.is_empty()).map_or("", |(_, text)| text)
}
