//! A component may exclude components that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(excludes(Burning, Melting))]
struct Frozen;
#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning;
#[derive(Component)]
#[component(excludes(Frozen), tracked)]
struct Melting(f32);

// with type parameters, in a world that has both
#[derive(Component)]
#[component(excludes(Guest<K>))]
struct Owner<K: Send + Sync + 'static>(K);
#[derive(Component)]
#[component(excludes(Owner<K>))]
struct Guest<K: Send + Sync + 'static>(K);

macro_rules! switch {
    ($module:ident) => {
        mod $module {
            use ecs::prelude::*;
            #[derive(Component)]
            #[component(excludes(Off))]
            pub struct On;
            #[derive(Component)]
            #[component(excludes(On))]
            pub struct Off;
        }
    };
}
switch!(door);
switch!(window);

mod cold {
    use super::*;
    world! {
        pub struct Ice { components { Position, Frozen } }
        schedule tick { thaw }
    }
    #[system(Ice)]
    fn thaw(entity: Entity, _: With<Frozen>, mut commands: Commands<Ice>) {
        commands.remove::<Frozen>(entity);
    }
}
world! {
    struct Game {
        components {
            Position, Frozen, Melting, owner: Owner<u8>, guest: Guest<u8>, other: Owner<u16>, more: Guest<u16>,
            door_on: door::On, door_off: door::Off, window_on: window::On, window_off: window::Off,
        }
    }
}

fn frozen<W: Has<Frozen> + Has<Position>>(world: &mut W) -> Entity
where
    (Position, Frozen): Bundle<W>,
{
    let entity = world.spawn(Frozen);
    world.insert(entity, (Position(0.0), Frozen)).unwrap();
    entity
}

pub fn main() {
    let mut ice = cold::Ice::new();
    let entity = ice.spawn((Position(0.0), Frozen));
    ice.insert(entity, Frozen).unwrap();
    ice.tick();
    let other = frozen(&mut ice);
    assert!(!ice.has::<Frozen>(entity) && ice.has::<Frozen>(other));
    let mut game = Game::new();
    game.spawn((door::On, window::Off));
    game.spawn((door::On, window::On, Frozen));
    game.spawn((Owner(1u8), Guest(1u16), Position(0.0)));
    let entity = game.spawn((Frozen, Position(0.0)));
    assert!(game.insert(entity, Melting(1.0)).is_err());
    let owner = game.spawn(Owner(1u8));
    assert!(game.insert(owner, Guest(1u8)).is_err() && game.insert(owner, Guest(1u16)).is_ok());
}
