//! [`Rollback`]: a world and a session, and the loop between them.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::Snapshot;
use ecs::save::diff;
use ggrs::{Config, GameStateCell, GgrsError, GgrsRequest, InputPredictor, InputStatus, PredictRepeatLast};

use crate::{
    Inputs, PlayerInput, Progress, RollbackError, RollbackWorld, Session, SessionEvent, WorldConfig,
};

/// The reason why a session cannot go on after an error or a panic of a frame.
const NOT_FINISHED: &str = "a frame was not run to its end, after a panic or an error, so that the world is not that of the other programs";
/// The number of hashes of confirmed frames that are kept.
const KEPT_HASHES: usize = 256;

/// A world, and the session that decides which frames it runs: see [the crate](crate).
///
/// A frame is one call of the step. The state after `n` frames is called state `n`; the world that
/// [`new`](Self::new) got is state 0.
pub struct Rollback<W, I, A = SocketAddr, P = PredictRepeatLast>
where
    WorldConfig<W, I, A, P>: Config,
{
    world: W,
    session: Session<W, I, A, P>,
    step: fn(&mut W),
    local: Vec<usize>,
    /// The number of frames that led to the present state of the world.
    frame: u32,
    /// The states up to this one are final.
    confirmed: u32,
    hash_interval: Option<u32>,
    /// The hashes of states by the number of frames. Those after the confirmed one may change.
    hashes: BTreeMap<u32, u64>,
    /// Whether the hash of the present state is among them.
    hashed: bool,
    /// In a synctest, each state as it was saved first.
    first: VecDeque<FirstState<W>>,
    /// The reason why the session cannot go on, if it has panicked.
    broken: Option<String>,
}

/// A state as a synctest saved it first.
struct FirstState<W> {
    frame: u32,
    hash: u64,
    snapshot: Snapshot<W>,
}

impl<W, I, A, P> Rollback<W, I, A, P>
where
    W: RollbackWorld<I>,
    I: PlayerInput,
    A: Clone + Eq + Hash + Debug + Send + Sync + 'static,
    P: InputPredictor<I> + 'static,
{
    /// Puts a world under the control of a session. `step` runs one frame, mostly a schedule of the
    /// world: `Duel::tick`. Before it is called, the resource [`Inputs`] has the inputs of the
    /// frame.
    ///
    /// The worlds of all programs of the session must be equal.
    pub fn new(world: W, session: impl Into<Session<W, I, A, P>>, step: fn(&mut W)) -> Self {
        let session = session.into();
        let (local, hash_interval) = (session.local_players(), session.hash_interval());
        Self {
            world,
            session,
            step,
            local,
            frame: 0,
            confirmed: 0,
            hash_interval,
            hashes: BTreeMap::new(),
            hashed: false,
            first: VecDeque::new(),
            broken: None,
        }
    }

    /// Calls the session, and turns a panic into an error. `ggrs` checks some properties of
    /// messages by assertions, so that a message that no session sends can make it panic. After a
    /// panic the session is not called again.
    fn with_session<R>(&mut self, f: impl FnOnce(&mut Session<W, I, A, P>) -> R) -> Result<R, RollbackError> {
        if self.broken.is_none() {
            match catch_unwind(AssertUnwindSafe(|| f(&mut self.session))) {
                Ok(result) => return Ok(result),
                Err(panic) => {
                    let text = panic.downcast_ref::<&str>().copied();
                    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
                    let text = text.unwrap_or("no message");
                    self.broken =
                        Some(format!("perhaps another program has sent what no session sends: {text}"));
                    std::mem::forget(panic); // its drop could panic
                }
            }
        }
        Err(RollbackError::Broken { reason: self.broken.clone().unwrap_or_default() })
    }

    /// Computes the hash of each state whose number is a multiple of `interval`, for
    /// [`hash_at`](Self::hash_at).
    ///
    /// The default is the interval at which the session compares hashes, if it does, and no hashes
    /// otherwise. It must divide that interval, or hashes are compared less often. With sparse
    /// saving, sessions compare hashes only with interval 1.
    ///
    /// # Panics
    /// If the interval is 0.
    #[must_use]
    pub fn hash_every(self, interval: u32) -> Self {
        assert!(interval > 0, "the interval between two hashes is at least one frame");
        Self { hash_interval: Some(interval), ..self }
    }

    /// The world, in the state after [`frame`](Self::frame) frames. Frames after the
    /// [confirmed](Self::confirmed) one are predicted.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Ends the session, and returns the world.
    pub fn into_world(self) -> W {
        self.world
    }

    /// The session, for statistics of the network.
    pub fn session(&self) -> &Session<W, I, A, P> {
        &self.session
    }

    /// The number of frames that led to the present state of the world.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// The number of frames whose inputs are all known. The state after them is final, and equal in
    /// all programs.
    pub fn confirmed(&self) -> u32 {
        self.confirmed
    }

    /// The hash of a state, if it is confirmed, and if its hash was computed: see
    /// [`hash_every`](Self::hash_every). The last 256 hashes are kept.
    pub fn hash_at(&self, frame: u32) -> Option<u64> {
        self.hashes.get(&frame).copied().filter(|_| frame <= self.confirmed)
    }

    /// The number and the hash of the last confirmed state whose hash was computed.
    pub fn confirmed_hash(&self) -> Option<(u32, u64)> {
        self.hashes.range(..=self.confirmed).next_back().map(|(&frame, &hash)| (frame, hash))
    }

    /// Receives and sends messages, without running a frame. [`advance`](Self::advance) does it,
    /// too, and returns the errors of messages.
    pub fn poll(&mut self) {
        let _ = self.with_session(Session::poll);
    }

    /// Returns what happened since the last call. At most 100 events are kept.
    pub fn events(&mut self) -> Vec<SessionEvent<A>> {
        self.session.events()
    }

    /// Disconnects a player of another program, and all other players of that program.
    ///
    /// # Errors
    /// If there is no such player, or if the player has disconnected.
    pub fn disconnect(&mut self, player: usize) -> Result<(), RollbackError> {
        self.with_session(|session| match session {
            Session::PeerToPeer(session) => session.disconnect_player(player).map_err(RollbackError::Session),
            _ => Ok(()),
        })?
    }

    /// Delays the inputs of a local player by a number of frames, so that fewer predictions are
    /// needed.
    ///
    /// # Errors
    /// If the player is not local.
    pub fn set_input_delay(&mut self, player: usize, frames: usize) -> Result<(), RollbackError> {
        match &mut self.session {
            Session::PeerToPeer(session) => {
                session.set_input_delay(player, frames).map_err(RollbackError::Session)
            }
            _ => Err(RollbackError::NotLocal { player }),
        }
    }

    /// Runs the next frame, with one input for each local player; first, if inputs have arrived
    /// that were predicted otherwise, the frames since then again.
    ///
    /// [`Progress::is_waiting`] tells that no new frame was run since the program has to wait for
    /// others.
    ///
    /// # Errors
    /// If an input is missing or is one of another player; in a synctest, if a frame has another
    /// result when it is run again; and if the session cannot go on, for instance because another
    /// program sends what no session sends, or because a frame has panicked before.
    ///
    /// # Panics
    /// If a system panics, or a `Clone` or `Serialize` of a value in the world. A program that
    /// catches the panic has a world within a frame, and the session cannot go on.
    pub fn advance(
        &mut self,
        inputs: impl IntoIterator<Item = (usize, I)>,
    ) -> Result<Progress, RollbackError> {
        let mut missing = self.local.clone();
        for (player, input) in inputs {
            if !self.local.contains(&player) {
                return Err(RollbackError::NotLocal { player });
            }
            missing.retain(|&local| local != player);
            self.with_session(|session| session.add_input(player, input))?.map_err(RollbackError::Session)?;
        }
        if let Some(&player) = missing.first() {
            return Err(RollbackError::MissingInput { player });
        }
        let requests = match self.with_session(Session::requests)? {
            Ok(requests) => requests,
            Err(GgrsError::NotSynchronized | GgrsError::PredictionThreshold) => {
                return Ok(Progress::default());
            }
            Err(GgrsError::SpectatorTooFarBehind) => return Err(RollbackError::TooFarBehind),
            // found by `save` before, unless the world was equal and its checksum was not
            Err(GgrsError::MismatchedChecksum { mismatched_frames, current_frame }) => {
                let frame = mismatched_frames.first().copied().unwrap_or(current_frame) as u32;
                return Err(RollbackError::NotDeterministic { frame, differences: Vec::new() });
            }
            Err(error) => return Err(RollbackError::Session(error)),
        };
        let (before, mut runs) = (self.frame, 0);
        // until all requests are met, the session is ahead of the world
        self.broken = Some(NOT_FINISHED.to_owned());
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => self.save(&cell, frame)?,
                GgrsRequest::LoadGameState { cell, frame } => self.load(&cell, frame)?,
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.run(&inputs);
                    runs += 1;
                }
            }
        }
        self.broken = None;
        let confirmed = self.session.final_frames(self.frame);
        self.confirmed = self.confirmed.max(confirmed);
        // otherwise it is computed when the state is saved, before the next frame
        if self.frame <= self.confirmed {
            self.hash();
        }
        while self.hashes.range(..self.confirmed).nth(KEPT_HASHES).is_some() {
            self.hashes.pop_first();
        }
        let frames = self.frame.saturating_sub(before);
        Ok(Progress { frames, again: runs - frames })
    }

    fn run(&mut self, inputs: &[(I, InputStatus)]) {
        let inputs = inputs.iter().map(|&(input, status)| (input, status == InputStatus::Disconnected));
        self.world.resource_mut::<Inputs<I>>().set(inputs);
        (self.step)(&mut self.world);
        self.frame += 1;
        self.hashed = false;
        if !self.session.saves() {
            self.hash();
        }
    }

    /// Computes the hash of the world, if it is to be known.
    fn hash(&mut self) -> Option<u64> {
        self.hash_interval.filter(|&interval| self.frame.is_multiple_of(interval))?;
        if self.hashed {
            return self.hashes.get(&self.frame).copied();
        }
        let hash = self.world.hash();
        self.hashes.insert(self.frame, hash);
        self.hashed = true;
        Some(hash)
    }

    fn save(&mut self, cell: &GameStateCell<Snapshot<W>>, frame: i32) -> Result<(), RollbackError> {
        debug_assert_eq!(frame, self.frame as i32);
        let snapshot = self.world.snapshot();
        let hash = self.hash();
        if let (Some(distance), Some(hash)) = (self.session.check_distance(), hash) {
            self.compare(distance, hash, &snapshot)?;
        }
        cell.save(frame, Some(snapshot), hash.map(u128::from));
        Ok(())
    }

    fn load(&mut self, cell: &GameStateCell<Snapshot<W>>, frame: i32) -> Result<(), RollbackError> {
        let Some(snapshot) = cell.load() else {
            let reason = format!("it asks for the state after frame {frame}, which was not saved");
            self.broken = Some(reason.clone());
            return Err(RollbackError::Broken { reason });
        };
        self.world.restore(&snapshot);
        self.frame = frame as u32;
        self.hashed = false;
        Ok(())
    }

    /// Compares the state with the one that was saved first for this frame.
    fn compare(&mut self, distance: usize, hash: u64, snapshot: &Snapshot<W>) -> Result<(), RollbackError> {
        let frame = self.frame;
        match self.first.iter().find(|first| first.frame == frame) {
            // the same hash: the frame gave the same world twice
            Some(first) if first.hash == hash => Ok(()),
            Some(first) => {
                // another one: both worlds are compared by value, to name the components that
                // differ
                let mut world = self.world.clone();
                world.restore(&first.snapshot);
                let differences = diff(&world, &self.world);
                Err(RollbackError::NotDeterministic { frame, differences })
            }
            None => {
                self.first.push_back(FirstState { frame, hash, snapshot: snapshot.clone() });
                // no rollback goes further back than `distance`
                if self.first.len() > distance + 1 {
                    self.first.pop_front();
                }
                Ok(())
            }
        }
    }
}

impl<W, I, A, P> Debug for Rollback<W, I, A, P>
where
    WorldConfig<W, I, A, P>: Config,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rollback")
            .field("session", &self.session)
            .field("frame", &self.frame)
            .field("confirmed", &self.confirmed)
            .finish_non_exhaustive()
    }
}
