//! Documentation before sections, entries, schedules, blocks and includes.
use ecs::prelude::*;
#[derive(Component)]
pub struct Position(f32);
#[system]
pub fn movement(position: &mut Position) {
    position.0 += 1.0;
}
parts! {
    /// Physics.
    pub physics {
        /// The components.
        components {
            /// A position.
            position: Position }
        /// Once a tick.
        schedule step {
          /// moves
          movement }
    }
}
world! {
  /// A game.
  pub struct Game {
  /// The components.
  components { Position }
  /// Resources.
  resources { }
  /// Included
  include other;
}
 /// Doc
 #[allow(unused)]
schedule tick {
   /// doc
   movement;
   /// doc
   react {
     /// doc
     again } max 3;
   } }
#[system]
pub fn again(position: &mut Position) {
    position.0 += 1.0;
}
parts! { other { components {} } }
pub fn main() {
    let mut game = Game::new();
    let entity = game.spawn((Position(0.0),));
    game.tick();
    assert_eq!(game.get::<Position>(entity).map(|position| position.0), Some(2.0));
}
