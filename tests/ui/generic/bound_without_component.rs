//! Traits without `Component` as the bound of what a system asks for.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Fire;

trait Element {
    const DAMAGE: f32;
}
impl Element for Fire {
    const DAMAGE: f32 = 2.0;
}

trait Settings {}

world! {
    struct Game {
        components { Position, Fire }
    }
    schedule tick { damage::<Fire>; drop_it::<Fire> }
}

#[system]
fn damage<E: Element>(position: &mut Position, _element: &E) {
    position.0 -= E::DAMAGE;
}

#[system(Game)]
fn drop_it<T: Element>(burning: Query<(Entity, &T)>, mut commands: Commands<Game>)
where
    T: Bundle<Game>,
{
    for (entity, _) in &burning {
        commands.remove::<T>(entity);
    }
}

#[system]
fn show<S: Settings>(settings: Res<S>) {
    let _ = settings;
}

fn main() {}
