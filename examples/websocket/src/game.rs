//! Birds that fly in circles, and some that players have called.

use ecs::prelude::*;
use ecs_replication::{Interpolate, Quantity, Wire, quantize};
use serde::{Deserialize, Serialize};

/// The number of ticks in a second.
pub const RATE: u32 = 20;

#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub x: f32,
    pub y: f32,
}
// 4 bytes in place of 8
quantize! { Place { x: Quantity::bits(16, -100.0, 100.0), y: Quantity::bits(16, -100.0, 100.0) } }

impl Interpolate for Place {
    fn interpolate(&self, next: &Self, part: f32) -> Self {
        Self { x: self.x + (next.x - self.x) * part, y: self.y + (next.y - self.y) * part }
    }
}

/// The centre of a bird's circle, its radius and its speed. Clients are not sent it.
#[derive(Component, Clone)]
pub struct Circle {
    centre: Place,
    radius: f32,
    /// Radians in a second.
    speed: f32,
}

#[derive(Resource, Clone)]
pub struct Clock(pub u32);

world! {
    #[derive(Clone)]
    pub struct Sky {
        components { Place, Circle }
        resources { clock: Clock = Clock(0) }
    }
    schedule tick { pass; fly }
}

/// What clients receive.
pub type Shown = Wire<Place>;

/// A player calls a bird to a place.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Input {
    Call { x: i8, y: i8 },
}

/// The most birds.
const BIRDS: usize = 500;

#[system(Sky)]
fn pass(mut clock: ResMut<Clock>) {
    clock.0 += 1;
}

#[system(Sky)]
fn fly(place: &mut Place, circle: &Circle, clock: Res<Clock>) {
    let angle = circle.speed * clock.0 as f32 / RATE as f32;
    place.x = circle.centre.x + circle.radius * angle.cos();
    place.y = circle.centre.y + circle.radius * angle.sin();
}

/// A world with birds.
pub fn sky(birds: u32) -> Sky {
    let mut sky = Sky::new();
    for bird in 0..birds {
        let centre = Place { x: (bird * 37 % 160) as f32 - 80.0, y: (bird * 61 % 160) as f32 - 80.0 };
        spawn(&mut sky, centre, 3.0 + (bird % 7) as f32);
    }
    sky
}

fn spawn(sky: &mut Sky, centre: Place, radius: f32) {
    sky.spawn((centre, Circle { centre, radius, speed: 1.0 / radius }));
}

/// Does what a player wants, if it may.
pub fn call(sky: &mut Sky, Input::Call { x, y }: Input) {
    let centre = Place { x: f32::from(x).clamp(-90.0, 90.0), y: f32::from(y).clamp(-90.0, 90.0) };
    if sky.entities().len() < BIRDS {
        spawn(sky, centre, 5.0);
    }
}
