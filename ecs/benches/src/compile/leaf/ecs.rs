//! This library: a world, systems for each entity, and a schedule of one stage, in which every
//! system could clash with every other.

use super::super::plan::{Plan, System, Third};
use super::{body, components, main, spawns};

pub(super) fn program(plan: &Plan) -> String {
    let names: Vec<String> = (0..plan.components.len()).map(|i| format!("C{i}")).collect();
    let steps: Vec<String> = (0..plan.systems.len()).map(|i| format!("system_{i}")).collect();
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    format!(
        "use ecs::prelude::*;\n\n{components}\n\
         world! {{\n    pub struct Game {{\n        components {{ {names} }}\n    }}\n    \
             schedule tick {{ {steps} }}\n\
         }}\n\n{systems}\
         fn populate(world: &mut Game) {{\n{spawns}}}\n\n{main}",
        components = components(plan, "#[derive(Component)]\n"),
        names = names.join(", "),
        steps = steps.join(", "),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main = main("let mut world = Game::new();", "world.tick();"),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let third = match third {
        Some(Third::Reads(third)) => format!(", c: &C{third}"),
        Some(Third::With(third)) => format!(", _: With<C{third}>"),
        None => String::new(),
    };
    let body = body(plan, system, "    ");
    format!("#[system(Game)]\nfn system_{i}(a: &mut C{writes}, b: &C{reads}{third}) {{\n{body}}}\n\n")
}
