//! bevy_ecs: functions as systems in a `Schedule`, chained in tuples so that they run in order.

use super::super::plan::{Plan, System, Third};
use super::{body, components, main, spawns};

/// The longest tuple of systems that bevy takes; tuples can be nested.
const TUPLE: usize = 20;

pub(super) fn program(plan: &Plan) -> String {
    let steps: Vec<String> = (0..plan.systems.len()).map(|i| format!("system_{i}")).collect();
    let chain = |steps: &[String]| format!("({}).chain()", steps.join(", "));
    let chains: Vec<String> = steps.chunks(TUPLE).map(chain).collect();
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    format!(
        "use bevy_ecs::prelude::*;\n\n{components}\n{systems}\
         fn schedule() -> Schedule {{\n    \
             let mut schedule = Schedule::default();\n    \
             schedule.add_systems({chain});\n    \
             schedule\n\
         }}\n\n\
         fn populate(world: &mut World) {{\n{spawns}}}\n\n{main}",
        components = components(plan, "#[derive(Component)]\n"),
        chain = chain(&chains),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main =
            main("let (mut world, mut schedule) = (World::new(), schedule());", "schedule.run(&mut world);"),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let (name, data, filter) = match third {
        Some(Third::Reads(third)) => (", c", format!(", &C{third}"), String::new()),
        Some(Third::With(third)) => ("", String::new(), format!(", With<C{third}>")),
        None => ("", String::new(), String::new()),
    };
    let body = body(plan, system, "        ");
    format!(
        "fn system_{i}(mut query: Query<(&mut C{writes}, &C{reads}{data}){filter}>) {{\n    \
             for (mut a, b{name}) in &mut query {{\n\
                 {body}    \
             }}\n\
         }}\n\n"
    )
}
