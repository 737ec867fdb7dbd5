//! Eyes: who sees which cells.

use coord_2d::{ICoord, UCoord};
use ecs::prelude::*;
use shadowcast::vision_distance::Circle;
use shadowcast::{Context, InputGrid};

use crate::board::Board;
use crate::component::{Player, Position, Sight, View};
use crate::level::{Level, Memory};
use crate::point::Point;
use crate::world::Dungeon;

/// Looks around. Runs once for everybody who has eyes.
///
/// What `caster` needs from eye to eye is kept from turn to turn.
#[system(Dungeon)]
pub fn look(
    position: &Position,
    sight: &Sight,
    view: &mut View,
    level: Res<Level>,
    board: Res<Board>,
    mut caster: Local<Context<u8>>,
) {
    view.0.reset(&level.0, false);
    let eye = ICoord::new(position.0.x, position.0.y);
    let radius = Circle::new(u32::from(sight.radius));
    caster.for_each_visible(eye, &Air, &(&*level, &*board), radius, LIGHT, |at, _, _| {
        view.0.set(Point::new(at.x, at.y), true);
    });
}

/// Adds what the hero sees to what he remembers.
#[system(Dungeon)]
pub fn recall(heroes: Query<&View, With<Player>>, mut memory: ResMut<Memory>) {
    for view in &heroes {
        for (at, _) in view.0.iter().filter(|(_, seen)| **seen) {
            memory.0.set(at, true);
        }
    }
}

/// Light that nothing has stopped; an opaque cell takes all of it.
const LIGHT: u8 = u8::MAX;

/// What light goes through, for the shadow caster.
struct Air;

impl<'a> InputGrid for &'a Air {
    type Grid = (&'a Level, &'a Board);
    type Opacity = u8;

    fn size(&self, (level, _): &Self::Grid) -> UCoord {
        UCoord::new(level.0.width() as u32, level.0.height() as u32)
    }

    fn get_opacity(&self, (level, board): &Self::Grid, at: ICoord) -> u8 {
        let at = Point::new(at.x, at.y);
        if level.is_floor(at) && !board.cell(at).opaque { 0 } else { LIGHT }
    }
}
