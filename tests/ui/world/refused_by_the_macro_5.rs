//! Several mistakes of one kind (world) in one program: the macros report them.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component)]
struct Position(f32);
#[derive(Component, Clone)]
struct DeriveDebug(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Health(f32);
#[derive(Component)]
struct Mana(f32);
#[derive(Component)]
struct Armor(f32);
#[derive(Component)]
struct Name(f32);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Resource, Default)]
struct Score(f32);
#[derive(Resource, Default)]
struct Level(f32);
#[derive(Resource)]
struct FieldTwiceAcrossSections(f32);
#[derive(Resource)]
struct FieldWithVisibility(f32);
#[derive(Event)]
struct Bumped;
struct NoComponent(f32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Options(f32);
#[derive(Resource)]
struct ResourceTwice(f32);
#[derive(Clone, Debug)]
struct TypesWithoutADerivePosition(f32);
#[derive(component)]
struct TypesWithoutADeriveVelocity(f32);
#[derive(Componet)]
struct TypesWithoutADeriveHealth(f32);
struct TypesWithoutADeriveScore(u32);
enum Hit {
    Wall,
}
#[derive(Resource, Default)]
struct ValueInsteadOfAType {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components {
            position: Position = Position(0.0), NoComponent, TypesWithoutADerivePosition,
            TypesWithoutADeriveVelocity, TypesWithoutADeriveHealth
        }
        resources { TypesWithoutADeriveScore = TypesWithoutADeriveScore(0) }
        events { Hit(external) }
    }
    schedule tick { types_without_a_derive, count }
}

world! {
    #[derive(Clone, Debug)]
    struct DeriveDebugGame { components { DeriveDebug } }
}

world! {
    struct EntryInAnotherFormGame {
        components { Position as place, Velocity: velocity, Health?, "Mana", (Armor, Name) }
        resources { mut Clock, #[tracked] Score, Level => Level(1.0) }
    }
    schedule tick { movement }
}

world! {
    struct Nested { components { { Position } } }
}

world! {
    struct FieldTwiceGame { components { body: Position, body: Velocity } }
}

world! {
    struct FieldTwiceAcrossSectionsGame {
        components { clock: Position }
        resources { clock: FieldTwiceAcrossSections }
    }
}

world! {
    struct FieldWithVisibilityGame {
        components { pub position: Position, pub(crate) Velocity }
        resources { pub clock: FieldWithVisibility }
        events { pub Bumped(external) }
    }
    schedule tick { field_with_visibility }
}

world! {
    struct MissingCommaGame {
        components { position: Position
            velocity: Velocity }
    }
}

world! {
    struct MissingCommaWithoutNamesGame { components { Position Velocity } }
}

world! {
    #[world(journal)]
    struct Unbounded { components { Options } }
}

world! {
    #[world(journal = 0)]
    struct Empty { components { Options } }
}

world! {
    #[world(journal = "all")]
    struct All { components { Options } }
}

world! {
    #[world(history = 64, alias)]
    struct Unknown { components { Options } }
}

world! {
    #[world(alias = "Level")]
    struct Unsaved { components { Options } }
}

world! {
    #[derive(Serialize, Deserialize)]
    #[world(alias("Level", "OptionsGame", "Level"))]
    struct OptionsGame { components { Options } }
}

world! {
    #[world]
    struct Bare { components { Options } }
}

world! {
    struct ResourceTwiceGame { resources { clock: ResourceTwice, timer: ResourceTwice } }
}

world! {
    struct ValueInsteadOfATypeGame {
        components { Position(0.0), velocity: Velocity }
        resources { clock: ValueInsteadOfAType::default(), paused: Paused(false) }
    }
    schedule tick { value_instead_of_a_type, advance }
}

// Entries as other languages write them: each is one error, and the world has them all.
#[system(EntryInAnotherFormGame)]
fn movement(_a: &Position, _b: &Velocity, _c: &Health, _d: &Mana, _e: &Armor, _f: &Name, _g: Res<Clock>, _h: Res<Score>) {}

fn entry_in_another_form() {
    EntryInAnotherFormGame::default().tick();
}

// A field with a visibility, though the fields of a world are private.
#[system(FieldWithVisibilityGame)]
fn field_with_visibility(position: &mut Position, velocity: &Velocity, clock: Res<FieldWithVisibility>) {
    position.0 += velocity.0 * clock.0;
}

// A missing comma between two components. The world is declared nevertheless.
fn missing_comma() {
    let mut game = MissingCommaGame::new();
    game.spawn((Position(0.0), Velocity(1.0)));
}

// A missing comma between two components without names.
fn missing_comma_without_names() {
    let mut game = MissingCommaWithoutNamesGame::new();
    game.spawn((Position(0.0), Velocity(1.0)));
}

// Listed types without their derive: one error for each, whatever uses them.
#[system(Game)]
fn types_without_a_derive(position: &mut TypesWithoutADerivePosition, velocity: &TypesWithoutADeriveVelocity, health: &TypesWithoutADeriveHealth) {
    position.0 += velocity.0 * health.0;
}

#[system(Game)]
fn count(mut hits: EventReader<Hit>, mut score: ResMut<TypesWithoutADeriveScore>) {
    for Hit::Wall in &mut hits {
        score.0 += 1;
    }
}

fn types_without_a_derive_main() {
    let mut game = Game::new();
    game.spawn((TypesWithoutADerivePosition(0.0), TypesWithoutADeriveVelocity(1.0)));
    game.send(Hit::Wall);
}

// Values where types are listed.
#[system(ValueInsteadOfATypeGame)]
fn value_instead_of_a_type(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(ValueInsteadOfATypeGame)]
fn advance(mut clock: ResMut<ValueInsteadOfAType>, paused: Res<Paused>) {
    clock.step += if paused.0 { 0.0 } else { 1.0 };
}

fn main() {}
