//! [`WorldConfig`]: the types of a session, for `ggrs`.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::marker::PhantomData;
use std::net::SocketAddr;

use ecs::save::Saved;
use ecs::world::SnapshotWorld;
use ecs::{HasResource, Snapshot};
use ggrs::{Config, DesyncDetection, InputPredictor, PredictRepeatLast, SessionBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Inputs;

/// The number of frames between two hashes of the world that [`builder`] lets the programs compare.
pub const HASH_INTERVAL: u32 = 10;

/// The input of one player in one frame: a small value such as the pressed keys. The default value
/// is that of a player without input.
///
/// Implemented for all types with these properties.
pub trait PlayerInput:
    Copy + PartialEq + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<I: Copy + PartialEq + Default + Serialize + DeserializeOwned + Send + Sync + 'static> PlayerInput for I {}

/// A world with snapshots, a hash, and the resource [`Inputs<I>`](Inputs).
///
/// Implemented for all worlds with these properties.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` cannot be rolled back with inputs `{I}`",
    label = "needs snapshots, a hash, and the resource `Inputs<{I}>`",
    note = "write `#[derive(Clone, Serialize, Deserialize)]` before the `struct` in the `world!` of `{Self}`, and list the resource: `resources {{ inputs: Inputs<{I}> = Inputs::new(2) }}`"
)]
pub trait RollbackWorld<I: PlayerInput>:
    Saved + SnapshotWorld + HasResource<Inputs<I>> + Send + Sync + 'static
{
}

#[diagnostic::do_not_recommend]
impl<I: PlayerInput, W: Saved + SnapshotWorld + HasResource<Inputs<I>> + Send + Sync + 'static>
    RollbackWorld<I> for W
{
}

/// The types of a session of `ggrs`: the world `W`, the input `I` of a player, the address `A` of a
/// program, and the prediction `P` of inputs that have not arrived.
pub struct WorldConfig<W, I, A = SocketAddr, P = PredictRepeatLast> {
    _of: PhantomData<fn(W, I, A, P)>,
}

impl<W, I, A, P> Config for WorldConfig<W, I, A, P>
where
    W: RollbackWorld<I>,
    I: PlayerInput,
    A: Clone + Eq + Hash + Debug + Send + Sync + 'static,
    P: InputPredictor<I> + 'static,
{
    type Input = I;
    type InputPredictor = P;
    type State = Snapshot<W>;
    type Address = A;
}

/// `SessionBuilder` asks for it.
impl<W, I, A, P> Debug for WorldConfig<W, I, A, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorldConfig")
    }
}

/// A builder of sessions for world `W` with inputs `I`: see [the crate](crate#sessions).
pub fn builder<W: RollbackWorld<I>, I: PlayerInput>() -> SessionBuilder<WorldConfig<W, I>> {
    SessionBuilder::new().with_desync_detection_mode(DesyncDetection::On { interval: HASH_INTERVAL })
}
