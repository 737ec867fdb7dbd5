//! Several mistakes of one kind (world) in one program.
use ecs::prelude::*;

#[derive(Component)]
#[repr(align(1024))]
struct Page([u8; 1024]);
#[derive(Component)]
#[repr(align(2048))]
struct LargePage([u8; 2048]);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Name<'a>(&'a str);
#[derive(Resource)]
struct Clock(f32);
#[derive(Component)]
struct Timer<T>(f32, T);
#[derive(Resource)]
struct Small(u8);
#[derive(Resource)]
struct Large(u64);

world! {
    struct Disk { components { Page, LargePage } }
}

world! {
    #[derive(Clone)]
    struct Game { components { Position } }
}

world! {
    struct ComponentWithLifetimeGame { components { Name } }
}

world! {
    struct DefaultWithoutAResourceGame { resources { clock: Clock } }
}

world! {
    struct FieldTwiceWithoutNamesGame { components { body::Position, screen::Position } }
}

world! {
    struct FirstValueOfAnotherTypeGame { resources { clock: Clock = 0.125 } }
}

world! {
    struct GenericComponentWithoutArgumentsGame { components { Timer } }
}

world! {
    #[repr(C, packed)]
    struct PackedGame { resources { small: Small, large: Large } }
}

// `default` of a world with a resource that has no default.
fn default_without_a_resource() {
    let game = DefaultWithoutAResourceGame::default();
    println!("{}", game.resource::<Clock>().0);
}

// Two components whose types have the same name.
mod body {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}

mod screen {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Position(pub f32);
}

fn main() {}
