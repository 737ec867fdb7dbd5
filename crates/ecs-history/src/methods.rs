//! The methods of a server for its clients: what [`Timeline`] does, as JSON.

use std::ops::Range;

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectMut, ReflectRef};
use ecs::world::SnapshotWorld;
use serde_json::{Map, Value, json};

use crate::changes::Change;
use crate::error::TimelineError;
use crate::machine::{Place, TimeMachine, Timeline, TimelineState};

/// The changes in an answer, if the client does not name another number.
const FEW: u64 = 100;
/// The most changes and differences in an answer, and steps in a request.
const MOST: u64 = 10_000;

/// A method of a server: a function from a world and the parameters of a request to an answer or a
/// message.
pub type Method = Box<dyn FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send>;

type Answer = Result<Value, String>;
type Call = fn(&dyn Timeline, &mut ReflectMut<'_>, &Map<String, Value>) -> Answer;

/// The methods with their names.
const METHODS: [(&str, Call); 6] = [
    ("history.list", list),
    ("history.go_to", go_to),
    ("history.step", step),
    ("history.changes", changes),
    ("history.differences", differences),
    ("history.verify", verify),
];

impl<W: SnapshotWorld + Send> TimeMachine<W>
where
    Self: Timeline,
{
    /// The methods for a server, such as that of `checked-ecs-remote`: for each of them,
    /// `remote.extend(name, method)`.
    ///
    /// | method | parameters | answer |
    /// |---|---|---|
    /// | `history.list` | | `runs`, `run` and `step` of the world, the `steps` of the run that it is inside of, `failed` runs, `branches`, `bytes` |
    /// | `history.go_to` | `run`, `step` (0) | as `history.list` |
    /// | `history.step` | `by` (1), negative for back; at most 10,000 | as `history.list` |
    /// | `history.changes` | `path`, `entity` (a text such as `"12v3"`, or its bits; none for a resource), `limit` (100) | the latest changes: `run`, `step`, `cause`, `before`, `after` |
    /// | `history.differences` | `first`, `second`: runs | texts, at most 10,000 |
    /// | `history.verify` | | `outside`: the runs after which the program has changed the world; an error if a run cannot be repeated |
    ///
    /// `history.list` is answered to every client. The others need the right to change the world,
    /// since the program waits while they repeat runs.
    pub fn methods(&self) -> Vec<(&'static str, Method)> {
        let method = |(name, call): (&'static str, Call)| {
            let timeline: Box<dyn Timeline> = Box::new(self.clone());
            let method: Method = Box::new(move |world, params| call(&*timeline, world, params));
            (name, method)
        };
        METHODS.into_iter().map(method).collect()
    }
}

fn list(timeline: &dyn Timeline, _: &mut ReflectMut<'_>, _: &Map<String, Value>) -> Answer {
    let TimelineState { runs, place, steps, failed, branches, bytes } = timeline.state().map_err(text)?;
    let range = |runs: Range<u64>| json!([runs.start, runs.end]);
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let branches: Vec<Value> = branches.into_iter().map(range).collect();
    Ok(json!({
        "runs": range(runs), "run": place.run, "step": place.step, "steps": steps,
        "failed": failed, "branches": branches, "bytes": bytes,
    }))
}

fn go_to(timeline: &dyn Timeline, world: &mut ReflectMut<'_>, params: &Map<String, Value>) -> Answer {
    let run = number(params, "run", None)?;
    let step = number(params, "step", Some(0))?;
    let place = Place { run, step: usize::try_from(step).unwrap_or(usize::MAX) };
    timeline.go_to(world, place).map_err(text)?;
    list(timeline, world, params)
}

fn step(timeline: &dyn Timeline, world: &mut ReflectMut<'_>, params: &Map<String, Value>) -> Answer {
    let by = params.get("by").map_or(Some(1), Value::as_i64).ok_or("`by` is a number")?;
    for _ in 0..by.unsigned_abs().min(MOST) {
        if !timeline.step(world, by > 0).map_err(text)? {
            break;
        }
    }
    list(timeline, world, params)
}

fn changes(timeline: &dyn Timeline, world: &mut ReflectMut<'_>, params: &Map<String, Value>) -> Answer {
    let path = params.get("path").and_then(Value::as_str).ok_or("`path` is a text such as `Health.now`")?;
    let limit = number(params, "limit", Some(FEW))?.min(MOST) as usize;
    let world = writable(world)?;
    let entity = params.get("entity").map(|value| entity(&world, value)).transpose()?;
    let mut changes = timeline.changes(world, entity, path, limit).map_err(text)?;
    changes.drain(..changes.len().saturating_sub(limit));
    let change = |change: Change<Option<DynamicValue>>| {
        let Change { run, step, cause, before, after } = change;
        json!({ "run": run, "step": step, "cause": cause.to_string(), "before": before, "after": after })
    };
    Ok(changes.into_iter().map(change).collect())
}

fn differences(timeline: &dyn Timeline, world: &mut ReflectMut<'_>, params: &Map<String, Value>) -> Answer {
    let (first, second) = (number(params, "first", None)?, number(params, "second", None)?);
    let found = timeline.differences(writable(world)?, first, second).map_err(text)?;
    Ok(found.iter().take(MOST as usize).map(ToString::to_string).collect())
}

fn verify(timeline: &dyn Timeline, world: &mut ReflectMut<'_>, _: &Map<String, Value>) -> Answer {
    let outside = timeline.verify(writable(world)?).map_err(text)?;
    Ok(json!({ "outside": outside }))
}

/// The handle for reading, if the client may change the world.
fn writable<'w>(world: &'w ReflectMut<'_>) -> Result<ReflectRef<'w>, String> {
    if world.is_read_only() { Err(text(TimelineError::ReadOnly)) } else { Ok(world.as_ref()) }
}

/// A parameter that is a number, or its default value.
fn number(params: &Map<String, Value>, name: &str, default: Option<u64>) -> Result<u64, String> {
    let found = params.get(name).map_or(default, Value::as_u64);
    found.ok_or_else(|| format!("`{name}` is a number, and not negative"))
}

/// The entity that a value names. It need not be alive.
fn entity(world: &ReflectRef<'_>, value: &Value) -> Result<Entity, String> {
    let found = match value {
        Value::Number(bits) => bits.as_u64().and_then(Entity::from_bits),
        Value::String(id) => entity_of(world, id),
        _ => None,
    };
    found.ok_or_else(|| format!("{value} is no id of an entity: it is a text such as `12v3`"))
}

/// The entity with an id, `12v3` or `12v3@7`, alive or not.
pub(crate) fn entity_of(world: &ReflectRef<'_>, id: &str) -> Option<Entity> {
    // the last part of an id tells the type of the world: all entities have the same
    id.parse().ok().or_else(|| {
        let alive = format!("{:#}", world.entities(None, 1).first()?);
        format!("{id}@{}", alive.split_once('@')?.1).parse().ok()
    })
}

fn text(error: TimelineError) -> String {
    error.to_string()
}
