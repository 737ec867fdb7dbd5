//! Steps of schedules that are functions without `#[system]`. The compiler would say "expected type, found function".

use std::collections::HashSet;

use super::schedule::leave_out;
use crate::diagnostic::Diagnostics;
use crate::model::schedule::{Place, Schedule};
use crate::model::world::World;
use crate::names::{source, text};
use crate::source_file::no_systems;

/// Reports and removes the steps and conditions that are functions without `#[system]`, as far as the source text shows them.
pub(super) fn check(world: &mut World, errors: &mut Diagnostics) {
    let (name, title) = (world.name(), world.title());
    let places: Vec<(String, &Place)> = world
        .schedules
        .iter()
        .flat_map(|schedule| schedule.places().into_iter().map(|place| (schedule.name(), place)))
        .filter(|(_, place)| place.included.is_none())
        .filter(|(_, place)| Schedule::named_by(&place.system, &name, &world.schedules).is_none())
        .collect();
    let names: HashSet<String> = places.iter().filter_map(|(_, place)| function(place)).collect();
    if names.is_empty() {
        return;
    }
    let no_systems = no_systems(&world.ident, &names);
    let mut found = HashSet::new();
    for (schedule, place) in places {
        let Some(system) = function(place) else { continue };
        let is_alone = place.system.path.segments.len() == 1;
        if is_alone && no_systems.unmarked.contains(&system) {
            errors.at(
                &place.system,
                format!(
                    "schedule `{schedule}` of {title}: `{system}` is a function and not a system: write `#[system({name})]` before \
                     `fn {system}`"
                ),
            );
        } else if !no_systems.methods.contains(&system) {
            continue;
        }
        // a method with `#[system]` is reported where it stands
        found.insert(source(&place.system));
    }
    leave_out(world, &found);
}

/// The name of the function at a place.
fn function(place: &Place) -> Option<String> {
    place.system.path.segments.last().map(|segment| text(&segment.ident))
}
