//! gecs: a world with an archetype for each kind of entity, and functions with an `ecs_iter!`.
//!
//! `ecs_iter!` is expanded once for each archetype that has its components. The archetypes are the
//! kinds that the other programs spawn, and no more: it is the least that gecs can do the same
//! with, one or two archetypes for most systems. It has no filters, so a component that is only to
//! be there is a parameter that is not used; nor has it schedules, so a function calls the systems.

use std::collections::BTreeSet;

use super::super::plan::{Plan, System, Third};
use super::{body, calls, components, main, spawns};

pub(super) fn program(plan: &Plan) -> String {
    let archetypes: String = plan.kinds.iter().enumerate().map(archetype).collect();
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    format!(
        "use gecs::prelude::*;\n\n{components}\n\
         ecs_world! {{\n{archetypes}}}\n\n{systems}{calls}\n\
         fn populate(world: &mut EcsWorld) {{\n{spawns}}}\n\n{main}",
        components = components(plan, ""),
        calls = calls(plan, "EcsWorld"),
        spawns = spawns(plan, |kind, values| format!("world.create::<Kind{kind}>({values});")),
        main = main("let mut world = EcsWorld::default();", "tick(&mut world);", ""),
    )
}

fn archetype((kind, components): (usize, &BTreeSet<usize>)) -> String {
    let names: Vec<String> = components.iter().map(|component| format!("C{component}")).collect();
    format!("    ecs_archetype!(Kind{kind}, dyn, {});\n", names.join(", "))
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let third = match third {
        Some(Third::Reads(third)) => format!(", c: &C{third}"),
        Some(Third::With(third)) => format!(", _: &C{third}"),
        None => String::new(),
    };
    let body = body(plan, system, "        ");
    format!(
        "fn system_{i}(world: &mut EcsWorld) {{\n    \
             ecs_iter!(world, |a: &mut C{writes}, b: &C{reads}{third}| {{\n\
                 {body}    \
             }});\n\
         }}\n\n"
    )
}
