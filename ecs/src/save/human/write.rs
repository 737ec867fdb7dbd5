//! Writing a world in the human-readable form.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use super::{About, SECTIONS};
use crate::base::place::Place;
use crate::entity::saved::image::LATEST;
use crate::persist::erased::write::{Composite, FormPart, Leaf, WriteForm};
use crate::persist::erased::{ErasedSerialize, ExactValue, FormError};
use crate::save::any_world::AnyWorld;
use crate::save::draft::ComponentImage;
use crate::save::entry::{SavedComponent, ValueKind};
use crate::save::sections::Sections;
use crate::save::{Saved, VERSION};
use crate::schedule::saved::SavedPlace;

/// A map from names to values, to be written.
pub(crate) struct ValueMap<'e>(pub(crate) Vec<(&'e str, FormPart<'e>)>);

impl<'e> ValueMap<'e> {
    fn of(values: &'e [(&'e str, Box<dyn ErasedSerialize + '_>)]) -> Self {
        Self(values.iter().map(|(name, value)| (*name, FormPart::Value(&**value))).collect())
    }
}

impl ErasedSerialize for ValueMap<'_> {
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        form.begin(Composite::Map(Some(self.0.len())))?;
        for &(name, value) in &self.0 {
            form.entry(FormPart::Leaf(Leaf::Str(name)), value)?;
        }
        form.end()
    }
}

/// Implements `Serialize` for a world.
pub fn serialize<W: Saved, S: Serializer>(world: &W, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        let sections = Sections::of::<W>();
        return ExactValue(ReadableWorld::new(&sections, world).erased()).serialize(serializer);
    }
    let bytes = world.to_bytes().map_err(S::Error::custom)?;
    serializer.serialize_bytes(&bytes)
}

/// The entities of a world with their components, to be written.
struct EntitiesOf<'w> {
    world: &'w dyn AnyWorld,
    /// Each component with its name and the slots that have it.
    columns: Vec<(&'w SavedComponent, &'static str, Vec<u64>)>,
}

impl ErasedSerialize for EntitiesOf<'_> {
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        form.begin(Composite::Map(None))?;
        // the columns that have values in the block of the entity
        let (mut block, mut columns) = (None, Vec::new());
        let mut held = Vec::new();
        for entity in self.world.entities().living() {
            let (word, bit) = (entity.slot() as usize / 64, entity.slot() % 64);
            if block.replace(word) != Some(word) {
                let of_block = self
                    .columns
                    .iter()
                    .map(|(entry, name, words)| (words.get(word).copied().unwrap_or(0), (*entry, *name)));
                columns.clear();
                columns.extend(of_block.filter(|(bits, _)| *bits != 0));
            }
            held.clear();
            held.extend(columns.iter().filter(|(bits, _)| bits >> bit & 1 == 1).map(|(_, of)| *of));
            let components = ComponentsOf { world: self.world, slot: entity.slot(), held: &held };
            form.entry(FormPart::Value(&entity), FormPart::Value(&components))?;
        }
        form.end()
    }
}

/// The components of one entity, to be written as a map from names to values.
struct ComponentsOf<'e> {
    world: &'e dyn AnyWorld,
    slot: u32,
    /// Each component of the entity, with its name.
    held: &'e [(&'e SavedComponent, &'static str)],
}

impl ErasedSerialize for ComponentsOf<'_> {
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        form.begin(Composite::Map(Some(self.held.len())))?;
        for &(entry, name) in self.held {
            if let Some(value) = entry.value(self.world, self.slot) {
                form.entry(FormPart::Leaf(Leaf::Str(name)), FormPart::Described(value))?;
            }
        }
        form.end()
    }
}

/// The state of one system, to be written. Its name is the one that the reader expects, for formats
/// that write names.
#[derive(Serialize)]
#[serde(rename = "Place")]
pub(in crate::save) struct SystemImage<'s> {
    last_run: u64,
    off: bool,
    state: Vec<Box<dyn ErasedSerialize + 's>>,
}

/// A world in the human-readable form.
pub(crate) struct ReadableWorld<'w> {
    sections: &'w Sections,
    world: &'w dyn AnyWorld,
}

impl<'w> ReadableWorld<'w> {
    pub(crate) fn new(sections: &'w Sections, world: &'w dyn AnyWorld) -> Self {
        Self { sections, world }
    }

    /// The world as a value. The function is not generic, so that what writes a world is compiled
    /// with the library.
    pub(crate) fn erased(&self) -> &dyn ErasedSerialize {
        self
    }
}

impl ErasedSerialize for ReadableWorld<'_> {
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        let Self { sections, world } = *self;
        let (mut columns, mut listed) = (Vec::new(), Vec::new());
        // all components by index: a component that is compiled out by `cfg` has no entry, but
        // keeps its number
        for (index, name) in sections.component_names.iter().enumerate() {
            let entry = sections.components.iter().find(|entry| entry.index == index);
            let words = entry.map_or_else(Vec::new, |entry| entry.present(world));
            let layout = entry.and_then(|entry| entry.layout());
            let stamps = entry.map_or_else(Vec::new, |entry| entry.stamps(world, &words));
            let layout = layout.map_or_else(String::new, |layout| layout.text);
            let order = entry.map_or_else(Vec::new, |entry| entry.order(world));
            let has_numbers = layout.contains("f32") || layout.contains("f64");
            let finite = has_numbers && entry.is_some_and(|entry| entry.has_finite_numbers(world, &words));
            listed.push(ComponentImage { name: (*name).into(), layout, stamps, finite, order });
            columns.extend(entry.map(|entry| (entry, *name, words)));
        }
        let paths = &sections.paths;
        let logs = sections.components.iter();
        let logs = logs.filter_map(|entry| Some((entry.name, entry.log(world, paths)?)));
        let logs: Vec<_> = logs.collect();
        let values = |kind| -> Vec<_> {
            let saved = sections.values(kind).saved();
            saved.filter_map(|(name, of)| Some((name, (of.value.image)(world, paths)?))).collect()
        };
        let (events, resources) = (values(ValueKind::Event), values(ValueKind::Resource));
        let places = places_of(world);
        let places = places.into_iter().map(|(place, image)| -> (_, Box<dyn ErasedSerialize + '_>) {
            (paths.of(place).unwrap_or(""), Box::new(image))
        });

        let about = About { world: sections.world.into(), version: VERSION };
        form.begin(Composite::Struct("World", SECTIONS.len()))?;
        let mut section =
            |name: &'static str, value: &dyn ErasedSerialize| form.field(name, FormPart::Value(value));
        section("about", &about)?;
        section("allocator", &world.entities().image())?;
        section("components", &listed)?;
        section("entities", &EntitiesOf { world, columns })?;
        section("events", &ValueMap::of(&events))?;
        section("removed", &ValueMap::of(&logs))?;
        section("resources", &ValueMap::of(&resources))?;
        section("systems", &ValueMap::of(&places.collect::<Vec<_>>()))?;
        form.end()
    }
}

/// The states of the world's systems, to be written.
pub(in crate::save) fn places_of(world: &dyn AnyWorld) -> Vec<(Place, SystemImage<'_>)> {
    let places = world.places().into_iter().map(|SavedPlace { place, state, last_run, off }| {
        let mut parts = Vec::new();
        state.saved_states(&mut |part| parts.push(part.save_kept()));
        (place, SystemImage { last_run: last_run.min(LATEST), off, state: parts })
    });
    places.collect()
}
