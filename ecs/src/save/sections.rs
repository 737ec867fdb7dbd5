//! [`Sections`]: what saving knows of a world type, made once for each.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::TypeId;
use core::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Saved;
use super::any_world::AnyWorld;
use super::draft::Draft;
use super::entry::{SavedComponent, SavedFunctions, SavedTypes, SavedValue, ValueKind};
use super::error::LoadError;
use super::file::FileStart;
use super::layout::Layout;
use crate::base::component_set::ComponentSet;
use crate::base::nearest::nearest;
use crate::component::excludes::excluded_by;
use crate::entity::allocator::Entities;
use crate::persist::image::SystemPaths;
use crate::raw_world::targets;
use crate::schedule::plan::any_plans;
use crate::schedule::states::init_states;

/// A world type as saving sees it: its saved components, resources and events, with their names in
/// files.
pub(crate) struct Sections {
    /// The name of the world type.
    pub(super) world: &'static str,
    /// Its former names.
    pub(super) world_aliases: &'static [&'static str],
    pub(crate) components: Vec<SavedComponent>,
    /// The resources and the events, in the order of [`ValueKind::ALL`].
    pub(super) values: [ValueSection; 2],
    /// The names of all components, by the component's index in the world; those of skipped
    /// components, too.
    pub(crate) component_names: Vec<&'static str>,
    pub(super) paths: SystemPaths,
    /// For each component by its index, those that it requires, directly and indirectly.
    pub(super) closures: &'static [ComponentSet],
    /// For each component by its index, those that it excludes.
    pub(super) excluded: Vec<ComponentSet>,
    /// For each relation by its index, the components that its targets have; empty for others.
    pub(super) of_targets: Vec<ComponentSet>,
    pub(super) new_entities: fn() -> Entities,
    /// Makes a world with the values of a draft, without entities.
    pub(super) make: fn(&mut Draft<'_>) -> Result<Box<dyn AnyWorld>, LoadError>,
    /// The start of the world's files in the compact form, after the first save.
    pub(super) start: OnceLock<FileStart>,
}

/// The resources or the events of a world type.
pub(super) struct ValueSection {
    pub(super) entries: Vec<SavedValue>,
    /// The names of all resources or events, by the index in the world.
    pub(super) names: Vec<&'static str>,
}

impl ValueSection {
    /// The entries that are saved, with their names and functions.
    pub(super) fn saved(&self) -> impl Iterator<Item = (&'static str, &'static SavedFunctions)> {
        self.entries.iter().filter_map(|entry| Some((entry.name, entry.functions?)))
    }
}

/// The sections of all worlds that were saved or loaded, by the type of the world.
static SECTIONS: Mutex<BTreeMap<TypeId, Arc<Sections>>> = Mutex::new(BTreeMap::new());

impl Sections {
    /// Returns the sections of a world type, which are made once: a world of one entity is saved in
    /// about the time that making them takes.
    pub(crate) fn of<W: Saved>() -> Arc<Self> {
        Self::shared(TypeId::of::<W>(), Self::new::<W>)
    }

    fn shared(world: TypeId, new: fn() -> Self) -> Arc<Self> {
        let known = SECTIONS.lock().unwrap_or_else(PoisonError::into_inner).get(&world).cloned();
        known.unwrap_or_else(|| {
            let new = Arc::new(new());
            let mut all = SECTIONS.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(world, Arc::clone(&new));
            new
        })
    }

    fn new<W: Saved>() -> Self {
        let mut types = SavedTypes::default();
        W::__list(&mut types);
        let [component_names, resource_names, event_names] =
            types.named([W::COMPONENTS, W::RESOURCES, W::EVENTS]);
        let SavedTypes { components, resources, events } = types;
        Self {
            world: W::NAME,
            world_aliases: W::WORLD_ALIASES,
            components,
            values: [
                ValueSection { entries: resources, names: resource_names },
                ValueSection { entries: events, names: event_names },
            ],
            component_names,
            paths: SystemPaths::new(any_plans::<W>()),
            closures: W::CLOSURES,
            excluded: (0..W::OFFSETS.len()).map(excluded_by::<W>).collect(),
            of_targets: (0..W::OFFSETS.len()).map(targets::of_saved::<W>).collect(),
            new_entities: Entities::new::<W>,
            make: |draft| {
                let mut world = W::__make(draft)?;
                init_states(&mut world);
                Ok(Box::new(world))
            },
            start: OnceLock::new(),
        }
    }

    /// The resources or the events.
    pub(super) fn values(&self, kind: ValueKind) -> &ValueSection {
        &self.values[kind as usize]
    }

    /// The error of a type whose layout is not the one in the file.
    pub(super) fn other_layout(
        &self,
        kind: &'static str,
        name: &'static str,
        saved: &str,
        now: Layout,
    ) -> LoadError {
        LoadError::Layout { kind, name, saved: short(saved), now: now.text, world: self.world }
    }

    /// The error of a place in a file.
    pub(super) fn invalid(&self, place: impl fmt::Display, reason: impl fmt::Display) -> LoadError {
        LoadError::invalid(place, reason, self.world)
    }
}

/// Finds the position of the type that has this name or alias; `None` if the name is unknown and
/// unknown data is ignored.
pub(super) fn find(
    kind: &'static str,
    name: &str,
    mut entries: impl Iterator<Item = (&'static str, &'static [&'static str])> + Clone,
    names: &[&'static str],
    world: &'static str,
    drop_unknown: bool,
) -> Result<Option<usize>, LoadError> {
    let by_name = entries.clone().position(|(known, _)| known == name);
    let found = by_name.or_else(|| entries.position(|(_, aliases)| aliases.contains(&name)));
    if found.is_none() && !drop_unknown {
        let nearest = nearest(name, names);
        return Err(LoadError::Unknown { kind, name: short(name), nearest, world });
    }
    Ok(found)
}

/// Shortens a name from a file to at most 60 letters, for a message.
pub(super) fn short(name: &str) -> String {
    if name.chars().count() > 60 { name.chars().take(60).chain("..".chars()).collect() } else { name.into() }
}
