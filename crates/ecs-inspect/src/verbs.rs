//! The commands of the console.

use std::ops::Range;

use ecs::Entity;
use ecs::error::Reason;
use ecs::reflect::{DynamicValue, NameKind, ReflectError, ReflectMut, ReflectRef};

use crate::inspector::{Inspector, View, Watch};
use crate::matrix::Filter;
use crate::undo::Change;
use crate::value;

/// The kind of a command's argument, for completion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    Nothing,
    Entity,
    Path,
    Order,
    Query,
    Components,
    ComponentsTo,
    Aspects,
    Prefab,
    Event,
    System,
    Schedule,
    Switch,
    Travel,
}

impl Argument {
    /// Whether a value may be written after `=`.
    pub(crate) fn has_value(self) -> bool {
        matches!(self, Self::Path | Self::Components | Self::Event)
    }
}

/// A command of the console.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CommandInfo {
    /// The first word of the line.
    pub name: &'static str,
    /// The words behind it. Parts in brackets may be left out; without an id, a command is about
    /// the chosen entity.
    pub usage: &'static str,
    /// The effect, in one sentence.
    pub help: &'static str,
    pub(crate) argument: Argument,
}

const fn command(
    name: &'static str,
    usage: &'static str,
    argument: Argument,
    help: &'static str,
) -> CommandInfo {
    CommandInfo { name, usage, help, argument }
}

/// The commands of the console, in the order of the help.
pub const COMMANDS: &[CommandInfo] = &[
    command("set", "[ID] PATH = VALUE", Argument::Path, "changes a component, a resource, or a part of one"),
    command("add", "[ID] NAME [= VALUE], ..", Argument::Components, "adds components, aspects and groups"),
    command("remove", "[ID] NAME, ..", Argument::Components, "removes components, aspects and groups"),
    command("spawn", "[NAME [= VALUE], ..]", Argument::Components, "spawns an entity"),
    command("prefab", "NAME", Argument::Prefab, "spawns the entities of a prefab"),
    command("despawn", "[ID]", Argument::Entity, "despawns an entity"),
    command("move", "[ID] NAME, .. to ID", Argument::ComponentsTo, "moves components to another entity"),
    command("copy", "[ID] NAME, .. to ID", Argument::ComponentsTo, "copies components to another entity"),
    command("swap", "[ID] ASPECT for ASPECT", Argument::Aspects, "removes one aspect and adds the other"),
    command("undo", "", Argument::Nothing, "takes the last change back"),
    command("redo", "", Argument::Nothing, "makes the change again that was taken back last"),
    command("define", "GROUP", Argument::Nothing, "names the components of the chosen entity as a group"),
    command("send", "EVENT [= VALUE]", Argument::Event, "sends an event"),
    command("watch", "[ID] PATH", Argument::Path, "shows a value of an entity or resource all the time"),
    command("unwatch", "[NUMBER]", Argument::Nothing, "ends one watch, or all"),
    command("pin", "[ID]", Argument::Entity, "keeps an entity above the other rows"),
    command("unpin", "[ID]", Argument::Entity, "ends a pin"),
    command("goto", "ID", Argument::Entity, "chooses an entity"),
    command(
        "filter",
        "[QUERY]",
        Argument::Query,
        "shows the entities that match; nothing behind it shows all",
    ),
    command("sort", "[PATH [desc]]", Argument::Order, "sorts the rows; nothing behind it ends the order"),
    command("label", "[PATH]", Argument::Path, "shows a part of a component beside ids, as `Name`"),
    command("run", "SCHEDULE", Argument::Schedule, "runs a schedule once"),
    command("pause", "", Argument::Nothing, "pauses the program"),
    command("resume", "", Argument::Nothing, "ends the pause"),
    command("tick", "", Argument::Nothing, "asks the program for one tick"),
    command("step", "[SCHEDULE]", Argument::Schedule, "runs the next system of a schedule"),
    command("enable", "SYSTEM", Argument::System, "switches a system on"),
    command("disable", "SYSTEM", Argument::System, "switches a system off"),
    command("time", "on|off", Argument::Switch, "measures the run times of systems"),
    command("back", "[RUNS|system]", Argument::Travel, "goes back to before the last run or system"),
    command("forward", "[RUNS|system]", Argument::Travel, "goes to after the next run or system"),
    command("rewind", "RUN[.STEP]", Argument::Nothing, "goes to before a run, or to after some of its steps"),
    command("until", "SYSTEM", Argument::System, "goes to before the next run of a system in the history"),
    command("who", "[ID] PATH", Argument::Path, "lists the changes of a value, with the systems"),
    command("mark", "EVENT", Argument::Event, "marks the runs in which an event was sent on the time line"),
    command("diff", "RUN RUN", Argument::Nothing, "lists what differs between the worlds before two runs"),
    command("verify", "", Argument::Nothing, "finds a run that has another result when it is repeated"),
    command("help", "", Argument::Nothing, "shows keys and commands"),
    command("quit", "", Argument::Nothing, "closes the inspector"),
];

/// Whether a line may change the world, so that lists of entities must be read again. `spawn` reads
/// them itself.
pub(crate) fn changes_world(line: &str) -> bool {
    let changing = [
        "set", "add", "remove", "swap", "despawn", "move", "copy", "undo", "redo", "run", "resume", "step",
        "tick", "back", "forward", "rewind", "until",
    ];
    changing.contains(&split_word(line).0)
}

/// Whether a line may pause the program or let it run. A request that may not change the world may
/// do neither.
pub(crate) fn changes_pace(line: &str) -> bool {
    ["pause", "resume", "tick", "step"].contains(&split_word(line).0)
}

/// The parts of a list, which commas separate. Commas in brackets, type arguments and quoted text
/// separate nothing.
pub(crate) fn split_list(text: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in outside_quotes(text) {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(start..text.len());
    parts
}

/// The characters outside of quoted text.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().filter(move |&(_, c)| {
        let was = quoted;
        if escaped {
            escaped = false;
        } else if quoted && c == '\\' {
            escaped = true;
        } else if c == '"' {
            quoted = !quoted;
        }
        !was && !quoted
    })
}

/// The text before the first `=` outside of quoted text, and the text behind it.
fn split_value(text: &str) -> (&str, Option<&str>) {
    match outside_quotes(text).find(|(_, c)| *c == '=') {
        Some((at, _)) => (text[..at].trim(), Some(&text[at + 1..])),
        None => (text.trim(), None),
    }
}

/// The first word, and the text behind it.
pub(crate) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn text(error: ReflectError) -> String {
    error.to_string()
}

/// The answer of a command: a message for the status line.
type Answer = Result<String, String>;

impl Inspector {
    /// Executes a line of the console.
    pub(crate) fn execute(&mut self, line: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (name, rest) = split_word(line);
        let says = |message: &str| Ok(message.to_owned());
        match name {
            "" => says(""),
            "set" => self.set(rest, world),
            "add" => self.add(rest, world),
            "remove" => self.remove(rest, world),
            "spawn" => self.spawn(rest, world),
            "despawn" => {
                let (entity, _) = self.subject(rest, &world.as_ref())?;
                world.despawn(entity).map_err(text)?;
                self.note(Some(Change::Despawned(entity)));
                Ok(format!("despawned {entity}"))
            }
            "move" | "copy" => self.transfer(rest, name == "move", world),
            "prefab" => self.prefab(rest, world),
            "swap" => self.swap(rest, world),
            "undo" => self.undo(world),
            "redo" => self.redo(world),
            "back" | "forward" => self.travel(rest, name == "forward", world),
            "rewind" => self.rewind(rest, world),
            "until" => self.until(rest, world),
            "who" => self.who(rest, &world.as_ref()),
            "mark" => self.mark(rest, &world.as_ref()),
            "diff" => self.diff(rest, &world.as_ref()),
            "verify" => self.verify(&world.as_ref()),
            "define" => self.define(rest, &world.as_ref()),
            "send" => self.send(rest, world),
            "watch" => self.watch_path(rest, &world.as_ref()),
            "unwatch" => self.unwatch(rest),
            "pin" => {
                let (entity, _) = self.subject(rest, &world.as_ref())?;
                if !self.pins.contains(&entity) {
                    self.pins.push(entity);
                }
                Ok(format!("pinned {entity}"))
            }
            "unpin" => {
                let subject = self.subject(rest, &world.as_ref());
                let before = self.pins.len();
                // ids of despawned entities can be unpinned, too
                self.pins.retain(|pin| {
                    Ok(*pin) != subject.as_ref().map(|(entity, _)| *entity) && pin.to_string() != rest
                });
                if self.pins.len() < before {
                    says("unpinned")
                } else {
                    Err("this entity is not pinned".to_owned())
                }
            }
            "goto" => {
                let entity = value::entity(&world.as_ref(), rest)?;
                self.chosen = Some(entity);
                self.view = View::Entities;
                self.matrix.refresh(&world.as_ref());
                match self.matrix.go_to(entity) {
                    true => says(""),
                    false => says("the filter does not show this entity"),
                }
            }
            "filter" => self.filter(rest, &world.as_ref()),
            "sort" => self.sort(rest, &world.as_ref()),
            "label" => {
                if !rest.is_empty() {
                    world.component(rest.split(['.', '[']).next().unwrap_or_default()).map_err(text)?;
                }
                self.label = (!rest.is_empty()).then(|| rest.to_owned());
                says("")
            }
            "run" => {
                world.run_schedule(rest).map_err(text)?;
                Ok(format!("ran `{rest}`"))
            }
            "pause" => {
                self.pause(true);
                says("paused")
            }
            "resume" => {
                self.steps.finish(world).map_err(text)?;
                self.pause(false);
                says("running")
            }
            "tick" => self.ask_tick(world),
            "step" => self.step(rest, world),
            "enable" | "disable" => {
                let on = name == "enable";
                let places = world.enable_system(rest, on).map_err(text)?;
                Ok(format!("`{rest}` is {} at {places} place(s)", if on { "on" } else { "off" }))
            }
            "time" => match rest {
                "on" | "off" => {
                    world.time_systems(rest == "on").map_err(text)?;
                    Ok(format!("run times are {}", if rest == "on" { "measured" } else { "not measured" }))
                }
                _ => Err("expected `on` or `off` after `time`".to_owned()),
            },
            "help" => {
                self.is_help = true;
                says("")
            }
            "quit" => {
                self.is_closed = true;
                says("")
            }
            _ => {
                let near = COMMANDS
                    .iter()
                    .find(|command| command.name.starts_with(name) || name.starts_with(command.name));
                let near = near.map(|near| format!(": did you mean `{}`?", near.name)).unwrap_or_default();
                Err(format!("there is no command `{name}`{near}"))
            }
        }
    }

    /// The entity that a command is about, and the text behind its id.
    fn subject<'t>(&self, words: &'t str, world: &ReflectRef<'_>) -> Result<(Entity, &'t str), String> {
        let (word, rest) = split_word(words);
        if value::is_id(word) {
            return value::entity(world, word).map(|entity| (entity, rest));
        }
        let chosen = self.chosen.ok_or("no entity is chosen: name one by its id, as in `12v3`")?;
        Ok((chosen, words.trim()))
    }

    fn set(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (left, Some(typed)) = split_value(words) else {
            return Err("`set` needs a value, as in `set Health.now = 3`".to_owned());
        };
        let value = value::parse(&world.as_ref(), typed)?;
        // a resource only if no component has the name: the chosen entity comes first
        let name = left.split(['.', '[']).next().unwrap_or_default();
        if world.component(name).is_err() && world.read_resource(name).is_ok() {
            let before = world.read_resource(name).map_err(text)?;
            world.patch_resource(left, value).map_err(text)?;
            self.note(Some(Change::Resource(name.to_owned(), before)));
            return Ok(format!("set {left}"));
        }
        let (entity, path) = self.subject(left, &world.as_ref())?;
        // all components as they were, for undo: a patch may also add one
        let before = Change::of([entity], &world.as_ref());
        world.patch(entity, path, value).map_err(text)?;
        self.note(before);
        Ok(format!("set {path} of {entity}"))
    }

    /// Components with their values; groups and aspects become their components. A name without a
    /// value is a tag, or a component with its default value.
    fn components(&self, words: &str, world: &ReflectRef<'_>) -> Result<Vec<(String, DynamicValue)>, String> {
        // a group of the user hides an aspect with its name, unless a value is given
        let mut found: Vec<(String, DynamicValue)> = Vec::new();
        for range in split_list(words) {
            let (name, typed) = split_value(&words[range]);
            let group = self.groups.iter().find(|(group, _)| group == name);
            match (group, typed) {
                (Some((_, values)), None) => found.extend(values.iter().cloned()),
                (None, None) if name.is_empty() => {}
                (_, Some(typed)) => found.push((name.to_owned(), value::parse(world, typed)?)),
                (None, None) if world.aspect(name).is_ok() => {
                    let values = world.aspect_defaults(name).map_err(text)?;
                    found.extend(values.into_iter().map(|(name, value)| (name.to_owned(), value)));
                }
                (None, None) => {
                    let default = world.default_of(NameKind::Components, name).ok().flatten();
                    found.push((name.to_owned(), default.unwrap_or(DynamicValue::Unit)));
                }
            }
        }
        Ok(found)
    }

    /// The names of components; groups and aspects become their components.
    fn names(&self, words: &str, world: &ReflectRef<'_>) -> Vec<String> {
        let mut names = Vec::new();
        for name in words.split([',', ' ']).filter(|name| !name.is_empty()) {
            match self.groups.iter().find(|(group, _)| group == name) {
                Some((_, values)) => names.extend(values.iter().map(|(name, _)| name.clone())),
                None => match world.aspect(name) {
                    Ok(aspect) => names.extend(aspect.components.iter().map(|name| (*name).to_owned())),
                    Err(_) => names.push(name.to_owned()),
                },
            }
        }
        names
    }

    fn add(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (entity, rest) = self.subject(words, &world.as_ref())?;
        if world.aspect(rest).is_ok() && !self.groups.iter().any(|(group, _)| group == rest) {
            // an aspect alone is added as in the program: not if the entity has a part of it
            let before = Change::of([entity], &world.as_ref());
            world.add_aspect(entity, rest, &[]).map_err(text)?;
            self.note(before);
            return Ok(format!("added {rest} to {entity}"));
        }
        let values = self.components(rest, &world.as_ref())?;
        if values.is_empty() {
            return Err("expected the name of a component after `add`".to_owned());
        }
        let before = Change::of([entity], &world.as_ref());
        world
            .insert_all(entity, &borrowed(&values))
            .map_err(|error| self.with_template(error, &world.as_ref()))?;
        self.note(before);
        Ok(format!("added {} to {entity}", listed(&values)))
    }

    /// The error of a missing value, with a value that could stand there.
    fn with_template(&self, error: ReflectError, world: &ReflectRef<'_>) -> String {
        let message = error.to_string();
        let ReflectError::Value { path, .. } = &error else { return message };
        let name = path.split(['.', '[']).next().unwrap_or_default();
        match world.schema(NameKind::Components, name) {
            Ok(schema) => {
                format!("{message}; for instance `{name} = {}`", value::template(&schema, self.chosen))
            }
            Err(_) => message,
        }
    }

    fn remove(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (entity, rest) = self.subject(words, &world.as_ref())?;
        let names = self.names(rest, &world.as_ref());
        if names.is_empty() {
            return Err("expected the name of a component after `remove`".to_owned());
        }
        for name in &names {
            if !world.has(entity, name).map_err(text)? {
                return Err(format!("entity {entity} has no component `{name}`"));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let before = Change::of([entity], &world.as_ref());
        world.remove_all(entity, &names).map_err(text)?;
        self.note(before);
        Ok(format!("removed {} from {entity}", names.join(", ")))
    }

    /// Spawns a prefab, and chooses its first entity.
    fn prefab(&mut self, name: &str, world: &mut ReflectMut<'_>) -> Answer {
        let spawned = world.spawn_prefab(name, &[]).map_err(text)?;
        self.note(Some(Change::Spawned(spawned.iter().map(|(_, entity)| *entity).collect())));
        if let Some((_, first)) = spawned.first() {
            self.chosen = Some(*first);
            self.matrix.is_stale = true;
            self.matrix.refresh(&world.as_ref());
            self.matrix.go_to(*first);
        }
        let entities = spawned.iter().map(|(name, entity)| format!("{name} {entity}"));
        Ok(format!("spawned {}", entities.collect::<Vec<_>>().join(", ")))
    }

    /// Replaces an aspect by another one.
    fn swap(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (entity, rest) = self.subject(words, &world.as_ref())?;
        let names = "`swap` needs two aspects, as in `swap PlayerMind for MonsterMind`";
        let (old, new) = rest.split_once(" for ").ok_or(names)?;
        let (old, new) = (old.trim(), new.trim());
        let before = Change::of([entity], &world.as_ref());
        world.swap_aspect(entity, old, new, &[]).map_err(text)?;
        self.note(before);
        Ok(format!("swapped {old} for {new} of {entity}"))
    }

    fn spawn(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let values = self.components(words, &world.as_ref())?;
        let entity =
            world.spawn(&borrowed(&values)).map_err(|error| self.with_template(error, &world.as_ref()))?;
        self.note(Some(Change::Spawned(vec![entity])));
        self.chosen = Some(entity);
        self.matrix.is_stale = true;
        self.matrix.refresh(&world.as_ref());
        self.matrix.go_to(entity);
        Ok(format!("spawned {entity}"))
    }

    fn transfer(&mut self, words: &str, moves: bool, world: &mut ReflectMut<'_>) -> Answer {
        let missing = "expected `to` and an id after the components, as in `move Health to 12v3`";
        let (left, target) = words.rsplit_once(" to ").ok_or(missing)?;
        let to = value::entity(&world.as_ref(), target.trim())?;
        let (from, rest) = self.subject(left, &world.as_ref())?;
        let names = self.names(rest, &world.as_ref());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if names.is_empty() {
            return Err(missing.to_owned());
        }
        if from == to {
            return Err(format!("{from} is both source and target"));
        }
        let read = |name: &&str| world.as_ref().read(from, name).map(|value| (name.to_string(), value));
        let values = names.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(text)?;
        let values = borrowed(&values);
        let before = Change::of([from, to], &world.as_ref());
        match world.insert_all(to, &values) {
            Ok(()) if moves => drop(world.remove_all(from, &names).map_err(text)?),
            Ok(()) => {}
            // a unique component or a key leaves its entity first
            Err(ReflectError::Refused(refused))
                if moves
                    && matches!(refused.reason, Reason::HeldBy(other) | Reason::Duplicate(other) if other == from) =>
            {
                world.remove_all(from, &names).map_err(text)?;
                if let Err(error) = world.insert_all(to, &values) {
                    let restored = world.insert_all(from, &values);
                    return Err(match restored {
                        Ok(()) => text(error),
                        Err(second) => format!("{error}; the components of {from} are lost: {second}"),
                    });
                }
            }
            Err(error) => return Err(text(error)),
        }
        self.note(before);
        Ok(format!("{} {} from {from} to {to}", if moves { "moved" } else { "copied" }, names.join(", ")))
    }

    fn define(&mut self, words: &str, world: &ReflectRef<'_>) -> Answer {
        let (name, rest) = split_word(words);
        if name.is_empty() || !rest.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err("expected one name after `define`".to_owned());
        }
        if world.component(name).is_ok() {
            return Err(format!("`{name}` is a component"));
        }
        let (entity, _) = self.subject("", world)?;
        let values = world.read_all(entity).map_err(text)?;
        self.add_group(name, values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
        Ok(format!("`{name}` is the components and values of {entity}"))
    }

    fn send(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let (name, typed) = split_value(words);
        let value = typed.map_or(Ok(DynamicValue::Unit), |typed| value::parse(&world.as_ref(), typed))?;
        world.send(name, value).map_err(text)?;
        Ok(format!("sent {name}"))
    }

    /// Watches a part of a component of the chosen entity, or of a resource.
    pub(crate) fn watch_path(&mut self, words: &str, world: &ReflectRef<'_>) -> Answer {
        let watch = match world.read_resource(words.trim()) {
            Ok(_) => Watch { entity: None, path: words.trim().to_owned() },
            Err(_) => {
                let (entity, path) = self.subject(words, world)?;
                // the value may be missing for now, but not the component
                world.has(entity, path.split(['.', '[']).next().unwrap_or_default()).map_err(text)?;
                Watch { entity: Some(entity), path: path.to_owned() }
            }
        };
        if !self.watches.contains(&watch) {
            self.watches.push(watch);
        }
        Ok(String::new())
    }

    fn unwatch(&mut self, words: &str) -> Answer {
        if words.is_empty() {
            self.watches.clear();
            return Ok("no value is watched".to_owned());
        }
        match words.parse::<usize>() {
            Ok(number) if (1..=self.watches.len()).contains(&number) => {
                self.watches.remove(number - 1);
                Ok(String::new())
            }
            _ => Err(format!("expected a number from 1 to {} after `unwatch`", self.watches.len())),
        }
    }

    fn filter(&mut self, words: &str, world: &ReflectRef<'_>) -> Answer {
        self.view = View::Entities;
        if words.is_empty() {
            self.matrix.set_filter(None);
            self.follow_chosen(world);
            return Ok(String::new());
        }
        let filter = Filter::parse(words).map_err(text)?;
        // the names are looked up now, so that a mistake leaves the old filter
        world.prepare(&words.parse().map_err(text)?).map_err(text)?;
        self.matrix.set_filter(Some(filter));
        self.matrix.refresh(world);
        self.follow_chosen(world);
        Ok(format!("{} entities match", self.matrix.list_len()))
    }

    fn sort(&mut self, words: &str, world: &ReflectRef<'_>) -> Answer {
        self.view = View::Entities;
        if words.is_empty() {
            self.matrix.set_sort(None);
            self.follow_chosen(world);
            return Ok(String::new());
        }
        let (path, descending) = match words.strip_suffix(" desc") {
            Some(path) => (path.trim(), true),
            None => (words, false),
        };
        let query = ecs::reflect::DynamicQuery::new().order_by(path, descending);
        world.prepare(&query).map_err(text)?;
        self.matrix.set_sort(Some((path.to_owned(), descending)));
        self.matrix.refresh(world);
        Ok(format!("sorted by {path}{}", if descending { ", descending" } else { "" }))
    }

    /// Runs the next system of a schedule.
    pub(crate) fn step(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Answer {
        let schedules = world.schedules();
        // without a name: the schedule that is under way, that at the cursor, or the first one
        let schedule = match words {
            "" if !self.steps.schedule.is_empty() && self.steps.done > 0 => self.steps.schedule.clone(),
            "" => self
                .system_at_cursor(&world.as_ref())
                .map(|info| info.schedule.to_owned())
                .unwrap_or_else(|| schedules.first().map_or_else(String::new, |name| (*name).to_owned())),
            name => name.to_owned(),
        };
        // otherwise the program would go on between two steps
        self.pause(true);
        match self.steps.step(world, &schedule).map_err(text)? {
            Some(system) => Ok(format!("ran system `{system}` of `{schedule}`")),
            None if schedules.contains(&schedule.as_str()) => {
                Ok(format!("schedule `{schedule}` is over: the next step begins it again"))
            }
            None => Err(format!("there is no schedule `{schedule}`")),
        }
    }

    /// Finishes the schedule that was begun with steps, or asks the program for one tick.
    pub(crate) fn ask_tick(&mut self, world: &mut ReflectMut<'_>) -> Answer {
        if self.steps.finish(world).map_err(text)? {
            return Ok(format!("ran the rest of `{}`", self.steps.schedule));
        }
        self.pause(true);
        self.ticks += 1;
        Ok(String::new())
    }
}

fn borrowed(values: &[(String, DynamicValue)]) -> Vec<(&str, DynamicValue)> {
    values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect()
}

fn listed(values: &[(String, DynamicValue)]) -> String {
    values.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}
