//! A system of the library whose parameters clash.
use ecs::prelude::*;

#[derive(Resource)]
pub struct Clock(f32);

parts! {
    pub physics {
        resources { clock: Clock }
        schedule step { wind }
    }
}

#[system]
pub fn wind(mut clock: ResMut<Clock>, other: Res<Clock>) {
    clock.0 += other.0;
}

fn main() {}
