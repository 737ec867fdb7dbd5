//! Several mistakes of one kind (system, unknown) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Component)]
struct Mana(u32);
type Power = Mana;
type Wizards<'w> = Query<'w, (&'static mut Position, &'static Mana)>;

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick {
        show, movement, resource_in_a_query, regenerate,
        unknown_component_in_element_through_an_alias, unknown_component_in_filter,
        unknown_component_in_nested_filter, unknown_component_in_optional_element,
        unknown_component_in_presence_element, unknown_component_in_query,
        unknown_component_in_query_filter, unknown_component_in_query_through_an_alias,
        unknown_component_in_storage
    }
}

// A component as `Res`.
#[system(Game)]
fn show(position: Res<Position>) {
    println!("{}", position.0);
}

// A resource by reference, in place of `Res`.
#[system(Game)]
fn movement(position: &mut Position, clock: &Clock) {
    position.0 += clock.0;
}

// A resource in a query.
#[system(Game)]
fn resource_in_a_query(mut bodies: Query<(&mut Position, &Clock)>) {
    bodies.for_each(|(position, clock)| position.0 += clock.0);
}

// A per-entity system that names a component which the world does not have.
#[system(Game)]
fn regenerate(mana: &mut Mana) {
    mana.0 += 1;
}

// An alias that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_element_through_an_alias(position: &mut Position, power: &Power) {
    position.0 += power.0 as f32;
}

// A filter of a per-entity system that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_filter(position: &mut Position, _: With<Mana>) {
    position.0 += 1.0;
}

// A filter in a filter that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_nested_filter(position: &mut Position, _: Or<(Without<Position>, Not<With<Mana>>)>) {
    position.0 += 1.0;
}

// An optional element that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_optional_element(position: &mut Position, mana: Option<&Mana>) {
    position.0 += mana.map_or(0.0, |mana| mana.0 as f32);
}

// An element that asks for presence that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_presence_element(position: &mut Position, magic: Is<Mana>) {
    position.0 += f32::from(u8::from(*magic));
}

// A query of a system that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_query(mut wizards: Query<(&mut Position, &Mana)>) {
    wizards.for_each(|(position, mana)| position.0 += mana.0 as f32);
}

// The filter of a query of a system that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_query_filter(mut wizards: Query<&mut Position, Without<Mana>>) {
    wizards.for_each(|position| position.0 += 1.0);
}

// An alias of a query that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_query_through_an_alias(mut wizards: Wizards<'_>) {
    wizards.for_each(|(position, mana)| position.0 += mana.0 as f32);
}

// A `Storage` that names a component which the world does not have.
#[system(Game)]
fn unknown_component_in_storage(mut mana: Storage<Mana>) {
    mana.iter_mut().for_each(|(_, mana)| mana.0 += 1);
}

fn main() {}
