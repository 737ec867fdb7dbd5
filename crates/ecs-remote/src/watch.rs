//! [`Topics`]: what clients watch. They get messages about changes, at the calls of
//! [`Remote::serve`](crate::Remote::serve).
//!
//! Clients with equal requests share a topic, so that the world is looked at once for all of them,
//! and the text of a message is written once. A topic keeps the state that its clients know. A
//! client that comes later, or that has not read its messages, gets the whole state.
//!
//! A look reads the world as a request does, and never changes it. A long one goes on in the next
//! call.

mod components;
pub(crate) mod mailbox;
mod query;
mod values;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ecs::reflect::ReflectWorld;
use hyper::body::Bytes;
use serde_json::{Map, Value};

use crate::dispatch::{Dispatcher, Door, Request};
use crate::job::Progress;
use crate::json_rpc::{self, RpcError};
use crate::queue::Deliveries;
use mailbox::{Mailbox, Messages};

/// A shorter text is copied for each client, so that its message is one part.
const COPIED: usize = 4 << 10;

/// The topics. The first one is the next to be looked at.
#[derive(Default)]
pub(crate) struct Topics(VecDeque<Topic>);

/// A topic, and the clients that watch it.
struct Topic {
    /// The request without its id.
    request: String,
    subject: Box<dyn Subject>,
    watchers: Vec<Watcher>,
}

/// The state of a topic.
trait Subject: Send {
    /// Compares the world with the state at the last look.
    ///
    /// # Errors
    /// If the watch ends.
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError>;

    /// Whether there is a state, and not events only.
    fn has_state(&self) -> bool {
        true
    }

    /// The JSON of the state at the last look, as it is told to a client that knows nothing.
    fn whole(&self) -> String;
}

/// Whether the clients of a topic were told.
enum Told {
    Now,
    /// Its look goes on.
    Later,
    /// For the last time: its watch ends.
    Last,
}

/// The result of a look.
enum Look {
    /// It goes on in the next call.
    Unfinished,
    Same,
    News(News),
}

/// The changes since the last look.
struct News {
    /// The JSON.
    result: String,
    /// The number of changes of which a client is told that it has missed them.
    count: u64,
    /// The number of changes that the topic itself has missed.
    missed: u64,
}

/// A client that watches.
struct Watcher {
    id: Value,
    mailbox: Mailbox,
    /// Whether the client knows the state at the last look.
    is_current: bool,
    /// The number of changes that it has missed since its last message.
    missed: u64,
    /// The time since which its messages have no room.
    behind: Option<Instant>,
}

/// The JSON of a request whose method is a watch, with the method's present name. A request whose
/// text does not contain the name of a watch is not parsed.
pub(crate) fn asked(request: &Request) -> Option<Map<String, Value>> {
    if !request.is_json_rpc() || !request.body.contains("+watch") {
        return None;
    }
    let Ok(Value::Object(mut object)) = serde_json::from_str(&request.body) else { return None };
    let name = json_rpc::watch_of(object.get("method")?.as_str()?)?;
    object.insert("method".into(), name.into());
    (object.get("jsonrpc")? == "2.0").then_some(object)
}

impl Topics {
    /// The number of clients.
    pub(crate) fn watchers(&self) -> usize {
        self.0.iter().map(|topic| topic.watchers.len()).sum()
    }

    /// Forgets the clients that have closed their connections.
    pub(crate) fn forget_gone(&mut self) {
        self.0.retain_mut(|topic| {
            topic.watchers.retain(|watcher| !watcher.mailbox.is_closed());
            !topic.watchers.is_empty()
        });
    }

    /// Begins a watch; or else the error as the text of an answer.
    pub(crate) fn begin(
        &mut self,
        door: &mut Door<'_>,
        mut asked: Map<String, Value>,
    ) -> Result<Messages, String> {
        let id = asked.remove("id").unwrap_or_default();
        let request = Value::Object(asked.clone()).to_string();
        let (mailbox, messages) = Mailbox::new();
        let refused = |error: RpcError| json_rpc::reply(&id, Err(&error));
        let method = asked["method"].as_str().unwrap_or_default().to_owned();
        let params = match asked.remove("params") {
            Some(Value::Object(params)) => params,
            None | Some(Value::Null) => Map::new(),
            Some(_) => return Err(refused(RpcError::params("`params` is an object"))),
        };
        let known = self.0.iter_mut().find(|topic| topic.request == request);
        let topic = match known {
            Some(topic) => topic,
            None => {
                let subject = subject(door, &method, params).map_err(refused)?;
                // the next one to be looked at
                self.0.push_front(Topic { request, subject, watchers: Vec::new() });
                &mut self.0[0]
            }
        };
        let is_current = !topic.subject.has_state();
        topic.watchers.push(Watcher { id, mailbox, is_current, missed: 0, behind: None });
        Ok(messages)
    }

    /// Tells the clients what has changed until the deadline, in slices of the time that the topics
    /// have in turn, at least one. The next call goes on with the topics that were left out.
    pub(crate) fn tell(
        &mut self,
        dispatcher: &mut Dispatcher,
        world: &mut dyn ReflectWorld,
        (deadline, slice): (Instant, Duration),
        deliveries: &mut Deliveries<'_>,
    ) {
        // those that are not told yet are the first ones
        let (mut left, mut slices) = (self.0.len(), 0);
        while left > 0 && (slices == 0 || Instant::now() < deadline) {
            let Some(mut topic) = self.0.pop_front() else { break };
            slices += 1;
            let mut progress = Progress::until(deadline.min(Instant::now() + slice));
            let Ok(mut door) = dispatcher.door(world, false, &mut progress) else { break };
            match topic.tell(&mut door, deliveries) {
                // a long look does not spend the time of the others: it goes on behind them
                Told::Later => self.0.insert(left - 1, topic),
                Told::Now => {
                    self.0.push_back(topic);
                    left -= 1;
                }
                Told::Last => left -= 1,
            }
        }
    }
}

/// The subject of a method.
fn subject(
    door: &mut Door<'_>,
    method: &str,
    params: Map<String, Value>,
) -> Result<Box<dyn Subject>, RpcError> {
    Ok(match method {
        "world.get_components+watch" => Box::new(components::Components::new(door, params)?),
        "world.list_components+watch" => Box::new(components::Names::new(door, params)?),
        "world.query+watch" => Box::new(query::WatchedRows::new(door, params)?),
        "world.get_resources+watch" => Box::new(values::Resource::new(door, params)?),
        _ => Box::new(values::Events::new(door, params)?),
    })
}

impl Topic {
    /// Looks at the world, and tells the clients.
    fn tell(&mut self, door: &mut Door<'_>, deliveries: &mut Deliveries<'_>) -> Told {
        let limit = door.limits.response;
        let is_short = |text: String| match text.len() <= limit {
            true => Ok(Bytes::from(text)),
            false => Err(RpcError::limit(format!("the message is longer than {limit} bytes: watch less"))),
        };
        let told = match self.subject.look(door) {
            Ok(Look::Unfinished) => return Told::Later,
            Ok(Look::Same) => self.send(None, &is_short, door, deliveries),
            Ok(Look::News(news)) => self.send(Some(news), &is_short, door, deliveries),
            Err(error) => Err(error),
        };
        if let Err(error) = told {
            let text = Bytes::from(error.json().to_string());
            for watcher in &self.watchers {
                deliveries.wake(watcher.mailbox.send(watcher.message("error", &text, 0)));
            }
            return Told::Last;
        }
        if self.watchers.is_empty() { Told::Last } else { Told::Now }
    }

    /// Sends the clients the changes, or the whole state if they do not know the last one.
    fn send(
        &mut self,
        news: Option<News>,
        is_short: &dyn Fn(String) -> Result<Bytes, RpcError>,
        door: &Door<'_>,
        deliveries: &mut Deliveries<'_>,
    ) -> Result<(), RpcError> {
        let (count, missed) = news.as_ref().map_or((0, 0), |news| (news.count, news.missed));
        let news = news.map(|news| is_short(news.result)).transpose()?;
        let (mut whole, now) = (None, Instant::now());
        for watcher in &mut self.watchers {
            watcher.missed += missed;
            if !watcher.mailbox.has_room() {
                watcher.missed += count;
                watcher.is_current &= count == 0 || !self.subject.has_state();
                watcher.behind.get_or_insert(now);
                continue;
            }
            let text = match watcher.is_current {
                true => news.clone(),
                false => match &whole {
                    Some(whole) => Some(Bytes::clone(whole)),
                    None => Some(whole.insert(is_short(self.subject.whole())?).clone()),
                },
            };
            watcher.behind = None;
            if let Some(text) = text {
                deliveries.wake(watcher.mailbox.send(watcher.message("result", &text, watcher.missed)));
                (watcher.is_current, watcher.missed) = (true, 0);
            }
        }
        // a client that reads nothing for the time of a request loses its watch
        let is_slow = |since: Instant| now.duration_since(since) >= door.limits.timeout;
        self.watchers.retain(|watcher| !watcher.mailbox.is_closed() && !watcher.behind.is_some_and(is_slow));
        Ok(())
    }
}

impl Watcher {
    /// A server-sent event with an answer.
    fn message(&self, member: &str, text: &Bytes, missed: u64) -> [Bytes; 3] {
        let head = format!(r#"data: {{"jsonrpc":"2.0","id":{},"{member}":"#, self.id);
        let tail = match missed {
            0 => Bytes::from_static(b"}\n\n"),
            missed => format!("{}{missed}}}\n\n", r#","missed":"#).into(),
        };
        match text.len() < COPIED {
            true => [[head.as_bytes(), text, &tail].concat().into(), Bytes::new(), Bytes::new()],
            false => [head.into(), text.clone(), tail],
        }
    }
}
