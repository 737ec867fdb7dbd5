//! Methods that worlds have in bevy, hecs, specs and legion.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock {
    step: f32,
}
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock = Clock { step: 0.0 } }
        events { Bumped(external) }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    let ball = game.spawn(Position(0.0));
    game.insert_resource(Clock { step: 1.0 });
    game.init_resource::<Clock>();
    let step = game.get_resource::<Clock>().unwrap().step;
    game.get_resource_mut::<Clock>().unwrap().step = step;
    game.send_event(Bumped);
    game.trigger(Bumped);
    game.add_systems((), movement);
    game.run_schedule(());
    game.update();
    game.run_system_once(movement).unwrap();
    for (entity, position) in game.iter() {
        println!("{entity} {}", position.0);
    }
    let (position, velocity) = game.query_one::<(&Position, &Velocity)>(ball).unwrap();
    println!("{} {}", position.0, velocity.0);
    game.register::<Position>();
    game.create_entity().with(Position(0.0)).build();
    game.add_component(ball, Velocity(1.0)).unwrap();
    game.remove_component::<Velocity>(ball);
    game.get_entity(ball).unwrap().contains::<Position>();
    game.delete_entity(ball).unwrap();
    game.delete(ball);
    let copy = game.clone();
    println!("{}", copy.resource::<Clock>().step);
}
