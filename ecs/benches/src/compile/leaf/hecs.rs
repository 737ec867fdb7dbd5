//! hecs: functions with a query. It has no schedules, so a function calls them.

use super::super::plan::{Plan, System, Third};
use super::{body, calls, components, main, spawns};

pub(super) fn program(plan: &Plan) -> String {
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    format!(
        "use hecs::World;\n\n{components}\n{systems}{calls}\n\
         fn populate(world: &mut World) {{\n{spawns}}}\n\n{main}",
        components = components(plan, ""),
        calls = calls(plan, "World"),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main = main("let mut world = World::new();", "tick(&mut world);"),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let (name, data, filter) = match third {
        Some(Third::Reads(third)) => (", c", format!(", &C{third}"), String::new()),
        Some(Third::With(third)) => ("", String::new(), format!(".with::<&C{third}>()")),
        None => ("", String::new(), String::new()),
    };
    let body = body(plan, system, "        ");
    format!(
        "fn system_{i}(world: &mut World) {{\n    \
             for (a, b{name}) in world.query_mut::<(&mut C{writes}, &C{reads}{data})>(){filter} {{\n\
                 {body}    \
             }}\n\
         }}\n\n"
    )
}
