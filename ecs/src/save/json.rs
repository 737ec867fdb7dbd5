//! The human-readable form as JSON. These functions are not generic, so that the code for this
//! format is compiled with the library.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

use super::any_world::AnyWorld;
use super::draft::AnyLoadOptions;
use super::human;
use super::sections::Sections;
use crate::persist::erased::{ExactValue, ReadForm};

pub(super) fn write(sections: &Sections, world: &dyn AnyWorld) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&ExactValue(human::ReadableWorld::new(sections, world).erased()))
}

pub(super) fn read(
    sections: Arc<Sections>,
    text: &str,
    options: &mut AnyLoadOptions,
) -> serde_json::Result<Box<dyn AnyWorld>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut form = <dyn ReadForm<'_>>::exact(&mut deserializer);
    let world = human::read(sections, options, &mut form);
    let world = world.map_err(|error| form.error(error))?;
    deserializer.end()?;
    Ok(world)
}
