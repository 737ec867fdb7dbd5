//! Sight: the cells that creatures see.

use coord_2d::{ICoord, UCoord};
use ecs::prelude::*;
use ecs::save::Skip;
use shadowcast::vision_distance::Circle;
use shadowcast::{Context, InputGrid};

use crate::board::Board;
use crate::component::{Player, Position, Sight, View};
use crate::level::{Level, Memory};
use crate::point::Point;
use crate::world::Dungeon;

/// Computes the view. Runs once for each creature with eyes.
///
/// The shadow caster is a `Local`, so that its allocations are reused for all creatures and turns. It is not saved.
#[system(Dungeon)]
pub fn look(
    position: &Position,
    sight: &Sight,
    view: &mut View,
    level: Res<Level>,
    board: Res<Board>,
    mut caster: Local<Skip<Context<u8>>>,
) {
    view.0.reset(&level.0, false);
    let eye = ICoord::new(position.0.x, position.0.y);
    let radius = Circle::new(u32::from(sight.radius));
    let air = Air { level: &level, board: &board };
    caster.for_each_visible(eye, &air, &(), radius, LIGHT, |at, _, _| {
        view.0.set(Point::new(at.x, at.y), true);
    });
}

/// Adds the cells in the hero's sight to the remembered cells.
#[system(Dungeon)]
pub fn recall(heroes: Query<&View, With<Player>>, mut memory: ResMut<Memory>) {
    for view in &heroes {
        for (at, _) in view.0.iter().filter(|(_, seen)| **seen) {
            memory.0.set(at, true);
        }
    }
}

/// The full light; an opaque cell absorbs all of it.
const LIGHT: u8 = u8::MAX;

/// The opacity of cells, for the shadow caster.
struct Air<'a> {
    level: &'a Level,
    board: &'a Board,
}

impl InputGrid for Air<'_> {
    type Grid = ();
    type Opacity = u8;

    fn size(&self, (): &()) -> UCoord {
        UCoord::new(self.level.0.width() as u32, self.level.0.height() as u32)
    }

    fn get_opacity(&self, (): &(), at: ICoord) -> u8 {
        let at = Point::new(at.x, at.y);
        if self.level.is_floor(at) && !self.board.cell(at).opaque { 0 } else { LIGHT }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{Opaque, Solid};
    use crate::system::survey;
    use crate::world::arena;

    #[test]
    fn sight_ends_at_opaque_cells() {
        let mut world = arena(9, 1);
        let eyes = world.spawn((Position(Point::new(0, 0)), Sight { radius: 6 }));
        let sees = |world: &mut Dungeon, x| {
            world.run::<survey>();
            world.run::<look>();
            world.get::<View>(eyes).is_some_and(|view| view.contains(Point::new(x, 0)))
        };
        assert!(sees(&mut world, 6) && !sees(&mut world, 7));
        world.spawn((Position(Point::new(3, 0)), Solid {}, Opaque {}));
        assert!(sees(&mut world, 3) && !sees(&mut world, 4));
    }
}
