//! Several mistakes of one kind (system param) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(SystemParam)]
struct Hunters<'w> {
    all: Query<'w, &'static mut Position, With<Velocity>>,
}
#[derive(SystemParam)]
struct Hunt<'w> {
    hunters: Hunters<'w>,
    clock: Res<'w, Clock>,
}
#[derive(SystemParam)]
struct FieldClashesWithAnEntity<'w> {
    prey: Query<'w, &'static Position>,
}
#[derive(SystemParam)]
struct FieldsClash<'w> {
    hunters: Query<'w, (&'static mut Position, &'static Velocity)>,
    prey: Query<'w, &'static Position>,
}

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { chase, field_clashes_with_an_entity, fields_clash }
}

// A field of a nested struct of parameters clashes with another parameter.
#[system(Game)]
fn chase(hunt: Hunt, prey: Query<&Position>) {
    let _ = (hunt.clock, hunt.hunters.all.len(), prey.len());
}

// A field clashes with the component of a per-entity system.
#[system(Game)]
fn field_clashes_with_an_entity(position: &mut Position, hunt: FieldClashesWithAnEntity) {
    position.0 += hunt.prey.len() as f32;
}

// Two fields of a struct of parameters reach the same component.
#[system(Game)]
fn fields_clash(hunt: FieldsClash) {
    let _ = hunt.prey.len();
}

fn main() {}
