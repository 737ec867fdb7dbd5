//! [`RollbackError`]: the errors of [`Rollback::advance`](crate::Rollback::advance).

use std::error::Error;
use std::fmt;

use ecs::save::Difference;
use ggrs::GgrsError;

/// The error of [`Rollback::advance`](crate::Rollback::advance).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RollbackError {
    /// There was an input for a player who is not local. The world is unchanged.
    NotLocal {
        /// The number of the player.
        player: usize,
    },
    /// There was no input for a local player. The world is unchanged.
    MissingInput {
        /// The number of the player.
        player: usize,
    },
    /// A synctest session has run a frame again, from the same snapshot with the same inputs, and
    /// the world was another one. The session cannot go on.
    NotDeterministic {
        /// The number of frames that had been run when the worlds differed.
        frame: u32,
        /// The differences between the world of the first run and that of the later run.
        differences: Vec<Difference>,
    },
    /// A spectator has fallen so far behind that the host no longer has the inputs. The session
    /// cannot go on.
    TooFarBehind,
    /// The session cannot go on: it has panicked, mostly because another program has sent what no
    /// session sends; or a frame has panicked or given an error. The world is in the state after
    /// [`frame`](crate::Rollback::frame) frames, or within the next one.
    Broken {
        /// The reason, with the message of a panic of the session.
        reason: String,
    },
    /// Another error of the session.
    Session(GgrsError),
}

/// The number of differences that an error lists.
const LISTED: usize = 5;

impl fmt::Display for RollbackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLocal { player } => {
                write!(f, "an input for player {player}, who is not a local player of this session")
            }
            Self::MissingInput { player } => write!(f, "no input for the local player {player}"),
            Self::NotDeterministic { frame, differences } => {
                write!(
                    f,
                    "the world after frame {frame} is not the same when the frames before it are run again from a snapshot, with the \
                     same inputs: "
                )?;
                if differences.is_empty() {
                    return f.write_str(
                        "its values are equal, so that a type is saved in an order that varies, such as that of a `HashMap`",
                    );
                }
                for (at, difference) in differences.iter().take(LISTED).enumerate() {
                    write!(f, "{}{difference}", if at == 0 { "" } else { "; " })?;
                }
                if let Some(more) = differences.len().checked_sub(LISTED + 1) {
                    write!(f, "; and {} more", more + 1)?;
                }
                f.write_str(
                    ". A system uses something outside of the world, such as a clock, a static or a random generator, or a value that \
                     a clone shares or that is not saved",
                )
            }
            Self::TooFarBehind => f.write_str("the spectator is too far behind the host to catch up"),
            Self::Broken { reason } => {
                write!(f, "the session cannot go on: {reason}")
            }
            Self::Session(error) => error.fmt(f),
        }
    }
}

impl Error for RollbackError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Session(error) => Some(error),
            _ => None,
        }
    }
}
