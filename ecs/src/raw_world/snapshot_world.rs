//! [`SnapshotWorld`]: the worlds that can be copied.

use super::RawWorld;

/// A world that can be copied, as generic code needs it for snapshots.
/// `world! { #[derive(Clone)] struct .. }` implements it.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::world::SnapshotWorld;
///
/// /// Returns the result of `f`, and undoes its changes of the world.
/// fn what_if<W: SnapshotWorld, R>(world: &mut W, f: impl FnOnce(&mut W) -> R) -> R {
///     let before = world.snapshot();
///     let result = f(world);
///     world.restore(&before);
///     result
/// }
/// # #[derive(Component, Clone)] struct Coin;
/// # world! { #[derive(Clone)] struct Game { components { Coin } } }
/// # let mut game = Game::new();
/// # game.spawn(Coin);
/// # assert_eq!(what_if(&mut game, |game| { game.clear(); game.query::<&Coin>().len() }), 0);
/// # assert_eq!(game.query::<&Coin>().len(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no snapshots: it is not `Clone`",
    label = "a snapshot needs a world that is `Clone`",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; its components, resources and events have to be `Clone`, too"
)]
pub trait SnapshotWorld: RawWorld + Clone {
    #[doc(hidden)]
    fn __freeze(&mut self) -> Self;
}
