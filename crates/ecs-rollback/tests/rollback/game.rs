//! The world of the tests: players who walk, shoot and are hit.

use ecs::prelude::*;
use ecs_rollback::{DatagramSocket, LossySocket, Rollback};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

use ecs_rollback::Inputs;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Keys {
    pub(crate) step: i8,
    pub(crate) shoots: bool,
}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Player(pub(crate) usize);
#[derive(Component, Clone, Copy, Serialize, Deserialize, PartialEq, Debug)]
pub(crate) struct Place(pub(crate) i32);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
#[component(tracked)]
pub(crate) struct Health(pub(crate) u32);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Shot {
    by: usize,
    speed: i32,
    left: u32,
}

#[derive(Event, Clone, Serialize, Deserialize)]
pub(crate) struct Hit {
    by: usize,
}

#[derive(Resource, Clone, Default, Serialize, Deserialize, PartialEq, Debug)]
pub(crate) struct Score(pub(crate) [u32; 2]);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub(crate) struct Arena {
        components { Player, Place, Health, Shot }
        resources {
            inputs: Inputs<Keys> = Inputs::new(2),
            score: Score = Score::default()
        }
        events { Hit }
    }
    schedule tick { walk, shoot; fly; hit; count, rest; }
}

#[system(Arena)]
fn walk(place: &mut Place, player: &Player, inputs: Res<Inputs<Keys>>) {
    place.0 = (place.0 + i32::from(inputs[player.0].step)).clamp(-20, 20);
}

/// A shot every fourth frame; the `Local` is part of the world.
#[system(Arena)]
fn shoot(
    players: Query<(&Player, &Place)>,
    inputs: Res<Inputs<Keys>>,
    mut ready: Local<[u32; 2]>,
    mut commands: Commands<Arena>,
) {
    for (player, place) in &players {
        let ready = &mut ready[player.0];
        *ready = ready.saturating_sub(1);
        if inputs[player.0].shoots && *ready == 0 {
            *ready = 4;
            let speed = if player.0 == 0 { 2 } else { -2 };
            commands.spawn((Place(place.0), Shot { by: player.0, speed, left: 12 }));
        }
    }
}

#[system(Arena)]
fn fly(mut shots: Query<(Entity, &mut Place, &mut Shot)>, mut commands: Commands<Arena>) {
    for (entity, place, shot) in &mut shots {
        place.0 += shot.speed;
        shot.left -= 1;
        if shot.left == 0 {
            commands.despawn(entity);
        }
    }
}

#[system(Arena)]
fn hit(
    shots: Query<(Entity, &Place, &Shot)>,
    mut players: Query<(&Player, &Place, Mut<Health>)>,
    mut hits: EventWriter<Hit>,
    mut commands: Commands<Arena>,
) {
    for (entity, there, shot) in &shots {
        for (player, here, mut health) in &mut players {
            if player.0 != shot.by && (here.0 - there.0).abs() <= 1 {
                health.0 = health.0.saturating_sub(1);
                hits.send(Hit { by: shot.by });
                commands.despawn(entity);
            }
        }
    }
}

#[system(Arena)]
fn count(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    for hit in &mut hits {
        score.0[hit.by] += 1;
    }
}

#[system(Arena)]
fn rest(mut healths: Query<Mut<Health>, Changed<Health>>) {
    for mut health in &mut healths {
        if health.0 == 0 {
            health.0 = 9;
        }
    }
}

pub(crate) fn arena() -> Arena {
    let mut arena = Arena::new();
    arena.spawn_batch([(Player(0), Place(-8), Health(9)), (Player(1), Place(8), Health(9))]);
    arena
}

/// The keys that a player presses in a frame: random, and held for some frames.
pub(crate) fn pressed(player: usize, frame: u32) -> Keys {
    let mut random = Rand32::new(u64::from(frame / 5) * 2 + player as u64);
    Keys { step: random.rand_range(0..3) as i8 - 1, shoots: random.rand_range(0..2) == 0 }
}

/// The world after a number of frames in which all inputs were in time.
pub(crate) fn undisturbed(frames: u32, delay: u32) -> Arena {
    let mut game = Rollback::new(
        arena(),
        ecs_rollback::builder::<Arena, Keys>()
            .with_input_delay(delay as usize)
            .add_player(ecs_rollback::PlayerType::Local, 0)
            .and_then(|builder| builder.add_player(ecs_rollback::PlayerType::Local, 1))
            .and_then(|builder| builder.start_p2p_session(ecs_rollback::Offline))
            .expect("two local players"),
        Arena::tick,
    );
    for frame in 0..frames {
        let progress = game.advance([0, 1].map(|player| (player, pressed(player, frame))));
        assert_eq!(progress.map(|progress| (progress.frames, progress.again)), Ok((1, 0)));
    }
    game.into_world()
}

pub(crate) fn bound() -> DatagramSocket {
    DatagramSocket::bind("127.0.0.1:0").expect("the loopback has a free port")
}

/// A network that loses a fifth of the messages, repeats a tenth, and delays them by up to 5
/// frames.
pub(crate) fn bad(socket: DatagramSocket, seed: u64) -> LossySocket<DatagramSocket> {
    LossySocket::new(socket, seed).loss(0.2).repeats(0.1).delay(0..6)
}
