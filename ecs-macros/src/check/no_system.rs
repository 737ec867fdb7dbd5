//! Steps of schedules that are functions without `#[system]`. The compiler would say "expected
//! type, found function".

use std::collections::HashSet;

use syn::TypePath;

use super::schedule::leave_out;
use crate::diagnostic::Diagnostics;
use crate::model::schedule::Schedule;
use crate::model::world::World;
use crate::names::{source, text};
use crate::source_file::no_systems;

/// Reports and removes the steps and conditions that are functions without `#[system]`, as far as
/// the source text shows them.
pub(super) fn check(world: &mut World, errors: &mut Diagnostics) {
    let (name, title) = (world.name(), world.title());
    let places: Vec<(String, &TypePath)> = world
        .schedules
        .iter()
        .flat_map(|schedule| schedule.places().into_iter().map(|place| (schedule.name(), place)))
        .filter(|(_, place)| place.included.is_none())
        .flat_map(|(schedule, place)| place.paths().map(move |path| (schedule.clone(), path)))
        .filter(|(_, path)| Schedule::named_by(path, &name, &world.schedules).is_none())
        .collect();
    let names: HashSet<String> = places.iter().filter_map(|(_, path)| function(path)).collect();
    if names.is_empty() {
        return;
    }
    let no_systems = no_systems(&world.ident, &names);
    let mut found = HashSet::new();
    for (schedule, path) in places {
        let Some(system) = function(path) else { continue };
        let is_alone = path.path.segments.len() == 1;
        if is_alone && no_systems.unmarked.contains(&system) {
            errors.at(
                path,
                format!(
                    "schedule `{schedule}` of {title}: `{system}` is a function and not a system: write `#[system({name})]` before \
                     `fn {system}`"
                ),
            );
        } else if !no_systems.methods.contains(&system) {
            continue;
        }
        // a method with `#[system]` is reported where it stands
        found.insert(source(path));
    }
    leave_out(world, &found);
}

/// The name of the function behind a path.
fn function(path: &TypePath) -> Option<String> {
    path.path.segments.last().map(|segment| text(&segment.ident))
}
