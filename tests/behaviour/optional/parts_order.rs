//! Systems of a world between those of an included schedule.

use ecs::prelude::*;
use parts_library::fire::{Paper, Wood};

#[derive(Component)]
struct Marked;

mod library {
    use super::*;

    #[derive(Component)]
    pub struct Body;
    #[derive(Resource)]
    pub struct Steps(pub Vec<&'static str>);

    parts! {
        pub physics {
            components { Body }
            resources { Steps = Steps(Vec::new()) }
            schedule step { gather, push; settle if always; react { answer } max 4 }
        }
    }

    #[system]
    pub fn gather(mut steps: ResMut<Steps>) {
        steps.0.push("gather");
    }

    #[system]
    pub fn push(mut steps: ResMut<Steps>) {
        steps.0.push("push");
    }

    #[system]
    pub fn settle(mut steps: ResMut<Steps>) {
        steps.0.push("settle");
    }

    #[system]
    pub fn always() -> bool {
        true
    }

    #[system]
    pub fn answer(bodies: Entered<With<Body>>, mut steps: ResMut<Steps>) {
        steps.0.extend(bodies.iter().map(|_| "answer"));
    }
}

use library::Steps;

macro_rules! says {
    ($($name:ident)*) => {
        $(
            #[system]
            fn $name(mut steps: ResMut<Steps>) {
                steps.0.push(stringify!($name));
            }
        )*
    };
}

says!(skipped first second third fourth fifth sixth last);

#[system]
fn never() -> bool {
    false
}

#[system(W)]
fn mark<W: World + Has<Marked>>(mut commands: Commands<W>) {
    commands.spawn(Marked);
}

#[system]
fn see(marked: Query<Entity, With<Marked>>, mut steps: ResMut<Steps>) {
    steps.0.extend(marked.iter().map(|_| "marked"));
}

world! {
    struct Game {
        include library::physics;
        components { Marked }
    }
    schedule tick {
        first;
        include library::step {
            after gather { third, skipped if never },
            before push { fourth },
            before gather { second },
            after settle { fifth }
            before answer { sixth }
        },
        last
    }
    schedule with_a_flush { include library::step { before push { mark; see } } }
    schedule plain { include library::step }
}

#[test]
fn systems_stand_before_and_after_included_ones_in_the_order_of_the_text() {
    let mut game = Game::new();
    game.tick();
    let names = ["first", "second", "gather", "third", "fourth", "push", "settle", "fifth", "sixth", "last"];
    assert_eq!(game.resource::<Steps>().0, names);
}

#[test]
fn a_stage_can_end_between_included_systems() {
    let mut game = Game::new();
    game.with_a_flush();
    assert_eq!(game.resource::<Steps>().0, ["gather", "marked", "push", "settle"]);
    game.resource_mut::<Steps>().0.clear();
    game.plain();
    assert_eq!(
        game.resource::<Steps>().0,
        ["gather", "push", "settle"],
        "another schedule includes it as it is"
    );
}

#[test]
fn a_system_before_one_of_a_react_block_is_in_the_block() {
    let mut game = Game::new();
    game.spawn(library::Body);
    game.tick();
    assert!(game.resource::<Steps>().0.ends_with(&["fifth", "sixth", "answer", "last"]));
}

/// Blocks that include the schedule of another library, beside a system that is named with its
/// arguments.
mod nested {
    use super::*;
    use parts_library::fire::Fuel;

    world! {
        struct Game {
            include library::physics;
            include parts_library::fire::fire;
        }
        schedule tick -> Result {
            include library::step {
                before push { include parts_library::fire::burn { after flames::<Wood, 1> { third } before drown { fourth } } }
            }
        }
    }

    #[test]
    fn blocks_include_schedules_that_have_blocks() {
        let mut game = Game::new();
        let one = game.spawn((Fuel::<Paper>::new(9), Fuel::<Wood>::new(9)));
        assert!(game.tick().is_ok());
        assert_eq!(game.resource::<Steps>().0, ["gather", "third", "fourth", "push", "settle"]);
        assert_eq!(game.get::<Fuel<Paper>>(one).map(|fuel| fuel.0), Some(6));
    }
}

/// An included schedule with a condition.
mod conditions {
    use super::*;

    #[derive(Resource)]
    struct Run(bool);

    #[system]
    fn running(run: Res<Run>) -> bool {
        run.0
    }

    #[system]
    fn stop(mut run: ResMut<Run>) {
        run.0 = false;
    }

    world! {
        struct Game {
            include library::physics;
            resources { Run = Run(true) }
        }
        schedule tick { include library::step { before push { stop } } if running && !never, last }
    }

    #[test]
    fn the_condition_of_an_include_is_evaluated_once_for_all_its_stages() {
        let mut game = Game::new();
        game.tick();
        assert_eq!(game.resource::<Steps>().0, ["gather", "push", "settle", "last"]);
        game.tick();
        assert_eq!(game.resource::<Steps>().0[4..], ["last"]);
    }
}
