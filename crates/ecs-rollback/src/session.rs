//! [`Session`]: the sessions of `ggrs` as one type.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::net::SocketAddr;

use ggrs::{
    Config, DesyncDetection, GgrsError, GgrsRequest, InputPredictor, P2PSession, PredictRepeatLast,
    SessionState, SpectatorSession, SyncTestSession,
};

use crate::{PlayerInput, RollbackWorld, SessionEvent, WorldConfig};

/// The requests of a session, in their order.
type Requests<W, I, A, P> = Vec<GgrsRequest<WorldConfig<W, I, A, P>>>;

/// A session of `ggrs`. Each of its sessions can be converted with `into`.
pub enum Session<W, I, A = SocketAddr, P = PredictRepeatLast>
where
    WorldConfig<W, I, A, P>: Config,
{
    /// Local players and players of other programs.
    PeerToPeer(Box<P2PSession<WorldConfig<W, I, A, P>>>),
    /// No players; the host sends all inputs.
    Spectator(Box<SpectatorSession<WorldConfig<W, I, A, P>>>),
    /// Local players; each frame is run again.
    SyncTest(Box<SyncTestSession<WorldConfig<W, I, A, P>>>),
}

impl<W, I, A, P> Session<W, I, A, P>
where
    W: RollbackWorld<I>,
    I: PlayerInput,
    A: Clone + Eq + Hash + Debug + Send + Sync + 'static,
    P: InputPredictor<I> + 'static,
{
    /// The local players, sorted.
    pub fn local_players(&self) -> Vec<usize> {
        let mut players = match self {
            Self::PeerToPeer(session) => session.local_player_handles(),
            Self::Spectator(_) => Vec::new(),
            Self::SyncTest(session) => (0..session.num_players()).collect(),
        };
        players.sort_unstable();
        players
    }

    /// Whether the connections to all other programs are established.
    pub fn is_running(&self) -> bool {
        match self {
            Self::PeerToPeer(session) => session.current_state() == SessionState::Running,
            Self::Spectator(session) => session.current_state() == SessionState::Running,
            Self::SyncTest(_) => true,
        }
    }

    pub(crate) fn poll(&mut self) {
        match self {
            Self::PeerToPeer(session) => session.poll_remote_clients(),
            Self::Spectator(session) => session.poll_remote_clients(),
            Self::SyncTest(_) => {}
        }
    }

    pub(crate) fn add_input(&mut self, player: usize, input: I) -> Result<(), GgrsError> {
        match self {
            Self::PeerToPeer(session) => session.add_local_input(player, input),
            Self::Spectator(_) => Ok(()),
            Self::SyncTest(session) => session.add_local_input(player, input),
        }
    }

    pub(crate) fn requests(&mut self) -> Result<Requests<W, I, A, P>, GgrsError> {
        match self {
            Self::PeerToPeer(session) => session.advance_frame(),
            Self::Spectator(session) => session.advance_frame(),
            Self::SyncTest(session) => session.advance_frame(),
        }
    }

    pub(crate) fn events(&mut self) -> Vec<SessionEvent<A>> {
        match self {
            Self::PeerToPeer(session) => session.events().map(SessionEvent::of).collect(),
            Self::Spectator(session) => session.events().map(SessionEvent::of).collect(),
            Self::SyncTest(_) => Vec::new(),
        }
    }

    /// The number of frames after which the state is final. To be called right after
    /// [`requests`](Self::requests): inputs that the session receives later are not in the state
    /// yet.
    pub(crate) fn final_frames(&self, current: u32) -> u32 {
        match self {
            // the inputs of frame n lead to state n + 1
            Self::PeerToPeer(session) if session.num_players() > 0 => {
                current.min((session.confirmed_frame() + 1) as u32)
            }
            _ => current,
        }
    }

    /// The number of frames between two hashes that the session compares, if it does.
    pub(crate) fn hash_interval(&self) -> Option<u32> {
        match self {
            Self::PeerToPeer(session) => match session.desync_detection() {
                DesyncDetection::On { interval } => Some(interval),
                DesyncDetection::Off => None,
            },
            Self::Spectator(_) => None,
            Self::SyncTest(_) => Some(1),
        }
    }

    /// Whether the session asks for saves.
    pub(crate) fn saves(&self) -> bool {
        match self {
            Self::PeerToPeer(session) => !session.in_lockstep_mode(),
            Self::Spectator(_) => false,
            Self::SyncTest(_) => true,
        }
    }

    /// The number of frames that a synctest session runs again.
    pub(crate) fn check_distance(&self) -> Option<usize> {
        match self {
            Self::SyncTest(session) => Some(session.check_distance()),
            _ => None,
        }
    }
}

impl<W, I, A, P> From<P2PSession<WorldConfig<W, I, A, P>>> for Session<W, I, A, P>
where
    WorldConfig<W, I, A, P>: Config,
{
    fn from(session: P2PSession<WorldConfig<W, I, A, P>>) -> Self {
        Self::PeerToPeer(Box::new(session))
    }
}

impl<W, I, A, P> From<SpectatorSession<WorldConfig<W, I, A, P>>> for Session<W, I, A, P>
where
    WorldConfig<W, I, A, P>: Config,
{
    fn from(session: SpectatorSession<WorldConfig<W, I, A, P>>) -> Self {
        Self::Spectator(Box::new(session))
    }
}

impl<W, I, A, P> From<SyncTestSession<WorldConfig<W, I, A, P>>> for Session<W, I, A, P>
where
    WorldConfig<W, I, A, P>: Config,
{
    fn from(session: SyncTestSession<WorldConfig<W, I, A, P>>) -> Self {
        Self::SyncTest(Box::new(session))
    }
}

impl<W, I, A, P> Debug for Session<W, I, A, P>
where
    WorldConfig<W, I, A, P>: Config,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PeerToPeer(_) => "PeerToPeer",
            Self::Spectator(_) => "Spectator",
            Self::SyncTest(_) => "SyncTest",
        })
    }
}
