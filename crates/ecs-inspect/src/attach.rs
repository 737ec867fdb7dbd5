//! [`attach`]: shows the inspector of another process in this terminal.

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event};
use ratatui::style::{Color, Style};
use ratatui::{DefaultTerminal, Frame};
use serde_json::{Value, json};
use ureq::Agent;

use crate::frame::{DrawnFrame, LARGEST};
use crate::host::{FrameAnswer, FrameRequest, InspectorHost};

/// The time between two requests if no key is pressed.
const REFRESH: Duration = Duration::from_millis(100);

/// The time after which a request has failed.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The address of a program, and the name of the session.
///
/// ```
/// use ecs_inspect::Attachment;
///
/// let attachment = Attachment::new("127.0.0.1:27750").token("a secret of this run").session("second");
/// ```
#[derive(Clone)]
pub struct Attachment {
    agent: Agent,
    address: String,
    token: Option<String>,
    session: String,
}

impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attachment").field("address", &self.address).field("session", &self.session).finish()
    }
}

impl Attachment {
    /// A program that listens on an address, such as `127.0.0.1:27750`, and answers
    /// [`InspectorHost::METHOD`].
    #[must_use]
    pub fn new(address: impl Into<String>) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            // the program could be on any machine, and an idle connection takes one of its places
            .max_idle_connections(0)
            .proxy(None)
            .build();
        Self { agent: config.into(), address: address.into(), token: None, session: "terminal".to_owned() }
    }

    /// The token with which requests may change the world. Without it, most programs only show
    /// their world.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// The name of the session. Terminals with the same name share one inspector.
    #[must_use]
    pub fn session(self, name: impl Into<String>) -> Self {
        Self { session: name.into(), ..self }
    }

    /// Sends events, and returns the frame that follows.
    fn ask(&self, size: (u16, u16), events: Vec<Event>) -> Result<FrameAnswer, String> {
        let (width, height) = (size.0.clamp(1, LARGEST.0), size.1.clamp(1, LARGEST.1));
        let params = FrameRequest { session: self.session.clone(), width, height, events };
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": InspectorHost::METHOD, "params": params })
            .to_string();
        let mut request = self.agent.post(format!("http://{}/", self.address));
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let mut response = request.send(&body).map_err(|error| error.to_string())?;
        let status = response.status();
        let text = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
        let mut answer: Value = serde_json::from_str(&text)
            .map_err(|_| format!("the answer has the status {status} and is not JSON-RPC"))?;
        if let Some(message) = answer["error"]["message"].as_str() {
            return Err(match answer["error"]["code"].as_i64() {
                Some(-32601) => format!("the program has no `InspectorHost`: {message}"),
                _ => message.to_owned(),
            });
        }
        if let Some(message) = answer["error"].as_str() {
            return Err(message.to_owned());
        }
        serde_json::from_value(answer["result"].take())
            .map_err(|_| format!("the answer has the status {status} and is no frame of an inspector"))
    }
}

/// Shows the inspector of a running program in this terminal, until the user closes it.
///
/// If the program does not answer any more, the last frame stays, with the reason below it; `q`
/// closes the inspector then.
///
/// # Errors
/// If the program does not answer the first request, or the terminal fails.
pub fn attach(attachment: &Attachment) -> io::Result<()> {
    // before the terminal is taken, so that the reason is readable
    let (width, height) = ratatui::crossterm::terminal::size()?;
    let first = attachment.ask((width, height), Vec::new());
    let first = first.map_err(|error| {
        io::Error::new(io::ErrorKind::ConnectionRefused, format!("{}: {error}", attachment.address))
    })?;
    let mut terminal = ratatui::try_init()?;
    let result = show(attachment, &mut terminal, first);
    ratatui::try_restore()?;
    result
}

fn show(attachment: &Attachment, terminal: &mut DefaultTerminal, first: FrameAnswer) -> io::Result<()> {
    let (mut answer, mut failure) = (first, None);
    while !answer.is_closed {
        terminal.draw(|frame| draw(frame, &answer.frame, failure.as_deref()))?;
        let events = events()?;
        if failure.is_some() && events.iter().any(is_quit) {
            break;
        }
        let size = terminal.size()?;
        match attachment.ask((size.width, size.height), events) {
            Ok(next) => (answer, failure) = (next, None),
            Err(reason) => failure = Some(reason),
        }
    }
    Ok(())
}

/// The events until the next request: waits for the first one, and takes those that are there with
/// it.
fn events() -> io::Result<Vec<Event>> {
    let (mut events, until) = (Vec::new(), Instant::now() + REFRESH);
    while events.len() < 64 {
        let wait =
            if events.is_empty() { until.saturating_duration_since(Instant::now()) } else { Duration::ZERO };
        if !event::poll(wait)? {
            break;
        }
        match event::read()? {
            event @ (Event::Key(_) | Event::Paste(_)) => events.push(event),
            Event::Resize(..) => break,
            _ => {}
        }
    }
    Ok(events)
}

fn is_quit(event: &Event) -> bool {
    matches!(event, Event::Key(key) if matches!(key.code, event::KeyCode::Char('q' | 'c')))
}

/// Draws a frame, and the reason why there is no newer one.
fn draw(frame: &mut Frame<'_>, drawn: &DrawnFrame, failure: Option<&str>) {
    let area = frame.area();
    drawn.draw(frame.buffer_mut());
    if let Some(at) = drawn.cursor_in(area) {
        frame.set_cursor_position(at);
    }
    if let (Some(failure), Some(y)) = (failure, area.bottom().checked_sub(1)) {
        let text = format!(" no answer: {failure} (q closes)");
        let style = Style::new().fg(Color::White).bg(Color::Red);
        frame.buffer_mut().set_stringn(0, y, text, usize::from(area.width), style);
    }
}
