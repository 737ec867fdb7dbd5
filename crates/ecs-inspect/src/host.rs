//! [`InspectorHost`]: inspectors that terminals of other processes show.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::reflect::ReflectMut;
use ratatui::Terminal;
use ratatui::backend::{Backend, TestBackend};
use ratatui::crossterm::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::frame::{DrawnFrame, LARGEST};
use crate::inspector::Inspector;
use crate::pace::Pace;

/// The most sessions that are kept whose requests may change the world, and the most of the others.
/// A new session replaces the one that was used least recently.
const MOST_SESSIONS: usize = 8;

/// The events of one request, at most.
const MOST_EVENTS: usize = 256;

/// The longest name of a session, in bytes.
const LONGEST_NAME: usize = 64;

/// A request of a terminal: its size, and the events since its last request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FrameRequest {
    pub(crate) session: String,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) events: Vec<Event>,
}

/// The answer to a [`FrameRequest`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FrameAnswer {
    pub(crate) frame: DrawnFrame,
    /// Whether the user has closed the inspector.
    pub(crate) is_closed: bool,
}

/// Inspectors of a running program that terminals of other processes show:
/// `checked-ecs-inspect --attach 127.0.0.1:27750`.
///
/// The host answers requests that a server passes to it, with the world at a place of the schedule
/// that the program chooses. With the server of `checked-ecs-remote`,
/// `remote.extend(InspectorHost::METHOD, host.method())` is all that it takes. A request that may
/// not change the world gets an inspector that cannot.
///
/// Each session has an inspector of its own, with its views, filters and watches; a terminal that
/// attaches again goes on with it. At most 8 sessions are kept. A clone is another handle of the
/// same inspectors.
///
/// Requests that may not change the world have sessions of their own, 8 more at most, which cannot
/// pause the program.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_inspect::{Inspector, InspectorHost};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
/// # world! { #[derive(Reflect)] struct Game { components { Health } } schedule tick { heal } }
/// # #[system(Game)] fn heal(health: &mut Health) { health.0 += 1; }
///
/// let mut game = Game::new();
/// let host = InspectorHost::new(Inspector::new);
/// // remote.extend(InspectorHost::METHOD, host.method());
/// if host.pace().runs() {
///     game.tick();
/// }
/// // remote.serve(&mut game);
/// ```
///
/// # Cost
/// A request costs as much as [`Inspector::draw`] and the commands that it contains, and its answer
/// 5 to 40 kB. The host does nothing between requests.
#[derive(Clone)]
pub struct InspectorHost {
    shared: Arc<Mutex<Sessions>>,
}

struct Sessions {
    new: Box<dyn Fn() -> Inspector + Send>,
    /// The sessions, the one that was used last at the end.
    list: Vec<Session>,
}

struct Session {
    name: String,
    /// Whether its requests may change the world.
    may_change: bool,
    inspector: Inspector,
}

impl InspectorHost {
    /// The name of the method that a terminal calls.
    pub const METHOD: &'static str = "inspect.frame";

    /// A host without sessions. `new` makes the inspector of each session, with its labels, groups
    /// and permissions.
    pub fn new(new: impl Fn() -> Inspector + Send + 'static) -> Self {
        Self { shared: Arc::new(Mutex::new(Sessions { new: Box::new(new), list: Vec::new() })) }
    }

    /// The method for a server: a function from a world and the parameters of a request to an
    /// answer or a message.
    pub fn method(
        &self,
    ) -> impl FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send + 'static {
        let host = self.clone();
        move |world, params| host.answer(world, params)
    }

    /// Answers a request: passes its events to the inspector of its session, and draws it.
    ///
    /// # Errors
    /// If the parameters are no request of a terminal, or its size or its number of events is above
    /// the limit.
    ///
    /// # Panics
    /// If a system of a schedule that the user runs panics.
    pub fn answer(&self, world: &mut ReflectMut<'_>, params: &Map<String, Value>) -> Result<Value, String> {
        // the limits come first: a request may come from the network
        let request = FrameRequest::deserialize(params).map_err(|error| error.to_string())?;
        let (width, height) = LARGEST;
        if !(1..=width).contains(&request.width) || !(1..=height).contains(&request.height) {
            return Err(format!("a terminal has 1 to {width} columns and 1 to {height} rows"));
        }
        if request.events.len() > MOST_EVENTS {
            return Err(format!("a request has at most {MOST_EVENTS} events"));
        }
        if request.session.len() > LONGEST_NAME {
            return Err(format!("the name of a session has at most {LONGEST_NAME} bytes"));
        }
        // the session is lent to this request, and put back also if a system panics
        let mut lent =
            Lent { host: self, session: Some(self.lock().take(&request.session, !world.is_read_only())) };
        let inspector = &mut lent.session.as_mut().expect("it is put back when `lent` is dropped").inspector;
        for event in request.events {
            inspector.handle_through(event, world);
        }
        let (frame, is_closed) =
            (draw(inspector, request.width, request.height, world)?, inspector.is_closed());
        serde_json::to_value(FrameAnswer { frame, is_closed }).map_err(|error| error.to_string())
    }

    /// Whether the program runs its next tick: not while a session has paused the world, except for
    /// the ticks that it asks for.
    #[must_use]
    pub fn pace(&self) -> Pace {
        let mut sessions = self.lock();
        let deciding = sessions.list.iter_mut().filter(|session| session.may_change);
        let paces = deciding.map(|session| session.inspector.pace());
        paces.fold(Pace::Run, |all, pace| match (all, pace) {
            (Pace::Step, _) | (_, Pace::Step) => Pace::Step,
            (Pace::Wait, _) | (_, Pace::Wait) => Pace::Wait,
            (Pace::Run, Pace::Run) => Pace::Run,
        })
    }

    /// The number of sessions, without the one whose request is being answered.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.lock().list.len()
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        // no code of a program runs while the list is locked, but `new`, which it is whole for
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sessions {
    /// Takes a session out of the list, or makes one.
    fn take(&mut self, name: &str, may_change: bool) -> Session {
        let is_it = |session: &Session| session.name == name && session.may_change == may_change;
        match self.list.iter().position(is_it) {
            Some(at) => self.list.remove(at),
            None => Session { name: name.to_owned(), may_change, inspector: (self.new)() },
        }
    }

    /// Puts a session at the end of the list, unless it is closed.
    fn put(&mut self, session: Session) {
        let alike = |other: &Session| other.may_change == session.may_change;
        // two worlds may have been asked for one session at the same time
        self.list.retain(|other| !(alike(other) && other.name == session.name));
        if session.inspector.is_closed() {
            return;
        }
        if self.list.iter().filter(|other| alike(other)).count() == MOST_SESSIONS {
            let oldest = self.list.iter().position(alike).expect("there are some");
            self.list.remove(oldest);
        }
        self.list.push(session);
    }
}

/// A session whose request is being answered. It is not in the list, which stays unlocked: the
/// request may run systems, which may use the host. Dropping puts the session back, also when a
/// system panics.
struct Lent<'h> {
    host: &'h InspectorHost,
    session: Option<Session>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.host.lock().put(session);
        }
    }
}

impl fmt::Debug for InspectorHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InspectorHost").field("sessions", &self.sessions()).finish()
    }
}

/// Draws an inspector without a terminal.
fn draw(
    inspector: &mut Inspector,
    width: u16,
    height: u16,
    world: &mut ReflectMut<'_>,
) -> Result<DrawnFrame, String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).map_err(|error| error.to_string())?;
    let mut has_cursor = false;
    terminal
        .draw(|frame| {
            inspector.draw_through(frame, world.as_ref());
            has_cursor = inspector.is_typing;
        })
        .map_err(|error| error.to_string())?;
    let backend = terminal.backend_mut();
    let cursor = backend.get_cursor_position().map_err(|error| error.to_string())?;
    Ok(DrawnFrame::of(backend.buffer(), has_cursor.then_some((cursor.x, cursor.y))))
}
