//! Several mistakes of one kind (system, function) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[system(Game)]
struct Movement;
struct Physics {
    step: f32,
}
impl Physics {
    #[system(Game)]
    fn refused_by_the_macro(&self, position: &mut Position) {
        position.0 += self.step;
    }
}

world! {
    struct Game { components { Position, Velocity } }
    schedule tick {
        movement, refused_by_the_macro_movement, refused_by_the_macro, impl_trait_parameter, stop,
        parameter_with_cfg, first, self_outside_of_an_impl
    }
    schedule result_without_its_types_tick -> Result { watch }
}

// A function of another language's convention as a system.
#[system(Game)]
extern "C" fn movement(position: &mut Position) {
    position.0 += 1.0;
}

// A system that is called like a module.
mod named_like_a_module {}

#[system(Game)]
fn named_like_a_module(position: &mut Position) {
    position.0 += 1.0;
}

// A constant function as a system.
#[system(Game)]
const fn refused_by_the_macro_movement(position: &mut Position) {
    position.0 += 1.0;
}

// An asynchronous function as a system.
#[system(Game)]
async fn refused_by_the_macro(position: &mut Position) {
    position.0 += 1.0;
}

// A parameter of type `impl Trait`.
#[system(Game)]
fn impl_trait_parameter(position: &mut Position, step: impl Into<f32>) {
    position.0 += step.into();
}

// `mut` before the type of a parameter.
#[system(Game)]
fn stop(velocity: mut Velocity) {
    velocity.0 = 0.0;
}

fn mut_before_a_type() {
    Game::new().tick();
}

// A parameter with `#[cfg]`.
#[system(Game)]
fn parameter_with_cfg(position: &mut Position, #[cfg(test)] step: Local<u32>) {
    position.0 += 1.0;
}

// `Result` of bevy, an alias.
#[system(Game)]
fn watch(positions: Query<&Position>) -> Result {
    println!("{}", positions.single()?.0);
    Ok(())
}

// A system that returns a borrow of the world.
#[system(Game)]
fn first<'w>(bodies: Query<'w, &'static Position>) -> Option<&'w Position> {
    bodies.into_iter().next()
}

// A per-entity system that returns a value.
#[system(Game)]
fn is_far(position: &Position) -> bool {
    position.0 > 100.0
}

// `self` in a free function.
#[system(Game)]
fn self_outside_of_an_impl(&self, position: &mut Position) {
    position.0 += 1.0;
}

// A type parameter without bounds, which may be a borrow.
#[system(Game)]
fn count<T>(query: Query<&T>) -> usize {
    query.len()
}

#[system]
fn show<R, E>(resource: Res<R>, events: EventReader<E>) {}

#[system(W)]
fn keep<W: World, T>(kept: Local<T>, commands: Commands<W>) {}

fn main() {}
