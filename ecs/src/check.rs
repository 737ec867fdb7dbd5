//! Compile-time checks of systems: constant functions over access sets, whose error messages name
//! the component, the parameter, the system and the world.
//!
//! The macros call them in free constants with the spans of the user's code, so that `cargo check`
//! evaluates them. A second check, without spans, is evaluated wherever a system is run: see
//! [`Runnable`](crate::system::Runnable).

use core::marker::PhantomData;

use crate::base::access::{Access, ParamInfo, is_apart, row};
use crate::base::component_set::ComponentSet;
use crate::component::excludes::{self, Exclusions};
use crate::query::passed_over::Disabling;
use crate::raw_world::RawWorld;
use crate::system::{SystemDesc, SystemKind};

use crate::base::message::{Message, ParamPath, message};
use crate::base::type_identity::same;

/// Checks the parameters of a system that is scheduled, unless they were checked where the system
/// is defined.
#[track_caller]
pub const fn check_place<W: RawWorld>(system: SystemDesc<W>) {
    if system.is_generic {
        check_system(&system);
    }
}

/// Checks all parameters of a system.
#[track_caller]
pub(crate) const fn check_system<W: RawWorld>(system: &SystemDesc<W>) {
    if let SystemKind::Pipe([first, second]) = system.kind {
        check_system(first);
        check_system(second);
    } else if let Some(message) = mistake::<W>(system.name, system.function_params()) {
        message.panic();
    }
}

/// Checks parameter `i` of a system, by itself and against the parameters before it.
#[track_caller]
pub const fn check_param<W: RawWorld>(system: &str, params: &[ParamInfo], i: usize) {
    if !Exclusions::<W>::NONE || !Disabling::<W>::NONE || !is_apart(params, i) {
        check_at::<W>(system, params, i);
    }
}

/// The slow part of [`check_param`]. It is a function of its own, since the compiler evaluates all
/// constants that a function names whenever it evaluates a call.
#[track_caller]
const fn check_at<W: RawWorld>(system: &str, params: &[ParamInfo], i: usize) {
    if let Some(message) = mistake_of::<W>(system, params, i) {
        message.panic();
    }
}

/// The first mistake in the parameters of a system.
pub(crate) const fn mistake<W: RawWorld>(system: &str, params: &[ParamInfo]) -> Option<Message> {
    let (mut found, mut i) = (None, 0);
    while i < params.len() && found.is_none() {
        found = mistake_of::<W>(system, params, i);
        i += 1;
    }
    found
}

/// The first mistake in parameter `i`, by itself or against the parameters before it.
const fn mistake_of<W: RawWorld>(system: &str, params: &[ParamInfo], i: usize) -> Option<Message> {
    let param = &params[i];
    let mut found = alone::<W>(system, ParamPath::of(param.name), &param.access);
    if param.kind.is_row() {
        if found.is_none() {
            found = in_row::<W>(system, params, i);
        }
        // A parameter before the row is checked against the union of the row's accesses, and only
        // once: at the parameter of the row that it clashes with.
        let mut j = 0;
        while j < i && !params[j].kind.is_row() && found.is_none() {
            if first_clash_in_row(params, &params[j].access) == i {
                found = pair::<W>(system, params[j].name, param.name, &params[j].access, &row(params));
            }
            j += 1;
        }
        return found;
    }
    let (mut j, mut row_began) = (0, false);
    while j < i && found.is_none() {
        if params[j].kind.is_row() {
            row_began = true;
        } else {
            found = pair::<W>(system, params[j].name, param.name, &params[j].access, &param.access);
        }
        j += 1;
    }
    if row_began && found.is_none() {
        let first = &params[first_clash_in_row(params, &param.access)];
        found = pair::<W>(system, first.name, param.name, &row(params), &param.access);
    }
    found
}

/// The index of the first per-entity parameter that `access` clashes with, filters aside. If there
/// is none, the index of the first per-entity parameter.
const fn first_clash_in_row(params: &[ParamInfo], access: &Access) -> usize {
    let (mut i, mut first) = (0, params.len());
    while i < params.len() {
        let row = &params[i];
        if row.kind.is_row() {
            if !row.access.value_clash(access).is_empty() || !row.access.presence_clash(access).is_empty() {
                return i;
            }
            if first == params.len() {
                first = i;
            }
        }
        i += 1;
    }
    first
}

/// The first mistake in a parameter by itself.
const fn alone<W: RawWorld>(system: &str, name: ParamPath<'_>, access: &Access) -> Option<Message> {
    // mistakes in the parts of the parameter, each under its own path
    if !access.parts.is_empty() {
        return in_parts::<W>(system, name, access);
    }
    if !access.alias.is_empty() {
        let elsewhere = access.alias.and(access.elsewhere);
        if !elsewhere.is_empty() {
            let text = message!(start::<W>(system) => "parameter " path(&name) " writes component ");
            return Some(read_elsewhere::<W>(text, elsewhere));
        }
        return Some(message!(
            start::<W>(system) => "parameter " path(&name) " borrows component "
            components(access.alias, W::COMPONENT_NAMES) " mutably and a second time; ask for it once"
        ));
    }
    // filters that no entity can pass, so that the system would silently never run
    let never = access.with.and(access.without);
    if !never.is_empty() {
        return Some(contradiction::<W>(system, &name, never));
    }
    if !access.can_match() {
        return Some(message!(
            start::<W>(system) => "parameter " path(&name)
            " can never match: each alternative of its `Or` and `Not` filters contradicts its other filters or data; leave out one of these filters"
        ));
    }
    // components that a `Storage` must not add or remove: other columns and queries depend on them
    let disabling = access.presence_write.and(Disabling::<W>::ALL);
    if !disabling.is_empty() {
        return Some(message!(
            start::<W>(system) => "parameter " path(&name) " adds and removes component "
            components(disabling, W::COMPONENT_NAMES)
            ", for which the queries of other systems pass over entities; use `Commands` instead"
        ));
    }
    let unseen = access.presence_write.and(Exclusions::<W>::ALL);
    if !unseen.is_empty() {
        return Some(message!(
            start::<W>(system) => "parameter " path(&name) " adds component "
            components(unseen, W::COMPONENT_NAMES)
            ", which excludes others that a `Storage` cannot see; use `Commands` instead"
        ));
    }
    // required components that no entity has together
    match pair_of::<W>(access.with) {
        Some((one, other)) => Some(message!(
            start::<W>(system) => "parameter " path(&name) " can never match: it requires " quoted(one)
            " and " quoted(other) ", which exclude each other; leave out one of the two"
        )),
        None => None,
    }
}

/// The message for components that are written, and read from the other ends of a relation.
const fn read_elsewhere<W: RawWorld>(text: Message, components: ComponentSet) -> Message {
    message!(
        text => components(components, W::COMPONENT_NAMES)
        ", which is also read from the entities that a relation leads to, and these may be any entities; write another component, and copy it in a second system"
    )
}

/// The first mistake in the parts of a parameter, each by itself and against the parts before it.
const fn in_parts<W: RawWorld>(system: &str, name: ParamPath<'_>, access: &Access) -> Option<Message> {
    let (mut found, mut i) = (None, 0);
    while i < access.parts.len() && found.is_none() {
        let part = &access.parts[i];
        let part_name = name.then(part.name);
        found = alone::<W>(system, part_name, &part.access);
        let mut j = if access.one_at_a_time { i } else { 0 };
        while j < i && found.is_none() {
            let earlier = &access.parts[j];
            found =
                pair_of_paths::<W>(system, name.then(earlier.name), part_name, &earlier.access, &part.access);
            j += 1;
        }
        i += 1;
    }
    found
}

/// The names of two components that exclude each other.
const fn pair_of<W: RawWorld>(of: ComponentSet) -> Option<(&'static str, &'static str)> {
    match excludes::pair::<W>(of) {
        Some((one, other)) => Some((W::COMPONENT_NAMES[one], W::COMPONENT_NAMES[other])),
        None => None,
    }
}

const fn contradiction<W: RawWorld>(system: &str, param: &ParamPath<'_>, never: ComponentSet) -> Message {
    message!(
        start::<W>(system) => "parameter " path(param)
        " can never match: it both requires and excludes component " components(never, W::COMPONENT_NAMES)
        "; leave out one of the two"
    )
}

/// The message for two per-entity parameters, one of which requires a component that the other
/// excludes.
const fn contradiction_in_row<W: RawWorld>(
    system: &str,
    params: &[ParamInfo],
    never: ComponentSet,
) -> Message {
    let (requires, excludes) =
        (param_with_filter(params, never, true), param_with_filter(params, never, false));
    message!(
        start::<W>(system) => "no entity can match: " text(requires.0) text(requires.1) text(requires.2)
        " requires component " components(never, W::COMPONENT_NAMES) " and " text(excludes.0) text(excludes.1)
        text(excludes.2) " excludes it; leave out one of the two"
    )
}

/// The first per-entity parameter that requires, or else excludes, one of the components, in three
/// pieces of text.
const fn param_with_filter(
    params: &[ParamInfo],
    components: ComponentSet,
    requires: bool,
) -> (&'static str, &'static str, &'static str) {
    let mut i = 0;
    while i < params.len() {
        let access = &params[i].access;
        let set = if requires { access.with } else { access.without };
        if params[i].kind.is_row() && !set.and(components).is_empty() {
            return match params[i].name.as_bytes() {
                b"_" => ("a filter", "", ""),
                _ => ("parameter `", params[i].name, "`"),
            };
        }
        i += 1;
    }
    ("a filter", "", "")
}

/// The first mistake in a per-entity parameter against the per-entity parameters before it, which
/// borrow from the same entity.
const fn in_row<W: RawWorld>(system: &str, params: &[ParamInfo], i: usize) -> Option<Message> {
    let param = &params[i];
    let (mut with, mut without) = (ComponentSet::EMPTY, ComponentSet::EMPTY);
    let mut j = 0;
    while j < i {
        let other = &params[j];
        if other.kind.is_row() {
            let shared = other.access.value_clash(&param.access);
            let elsewhere = other.access.clash_elsewhere(&param.access);
            if !elsewhere.is_empty() {
                let writer = if elsewhere.meets(&param.access.write) { param } else { other };
                let text = message!(
                    start::<W>(system) => "parameter " parameter(writer.name) " writes component "
                );
                return Some(read_elsewhere::<W>(text, elsewhere));
            }
            if !shared.is_empty() {
                return Some(message!(
                    start::<W>(system) => "parameters " parameter(other.name) " and " parameter(param.name)
                    " borrow component " components(shared, W::COMPONENT_NAMES)
                    " of the same entity, at least one of them mutably; ask for it once"
                ));
            }
            (with, without) = (with.or(other.access.with), without.or(other.access.without));
        }
        j += 1;
    }
    let never = with.or(param.access.with).and(without.or(param.access.without));
    if !never.is_empty() && with.and(without).is_empty() {
        return Some(contradiction_in_row::<W>(system, params, never));
    }
    if never.is_empty() && is_emptied(params, i) {
        return Some(message!(
            start::<W>(system) =>
            "no entity can match: each alternative of the `Or` and `Not` filters contradicts the other parameters; leave out one of the filters"
        ));
    }
    // `alone` has reported a pair within one parameter
    if let (None, Some((one, other))) = (pair_of::<W>(with), pair_of::<W>(with.or(param.access.with))) {
        return Some(message!(
            start::<W>(system) => "no entity can match: it would have both " quoted(one) " and "
            quoted(other) ", which exclude each other; leave out one of the two"
        ));
    }
    None
}

/// Whether some entity can match the per-entity parameters before `i`, and some entity can match
/// `i`, but no entity can match all of them.
const fn is_emptied(params: &[ParamInfo], i: usize) -> bool {
    let (mut before, mut j) = (Access::NONE, 0);
    while j < i {
        if params[j].kind.is_row() {
            before = before.and(params[j].access);
        }
        j += 1;
    }
    let param = &params[i].access;
    if before.alternatives.is_none() && param.alternatives.is_none() {
        return false;
    }
    before.can_match() && param.can_match() && !before.and(*param).can_match()
}

/// The message for two parameters that are borrowed at the same time and clash.
const fn pair<W: RawWorld>(
    system: &str,
    first: &str,
    second: &str,
    a: &Access,
    b: &Access,
) -> Option<Message> {
    // most pairs do not clash, and the evaluation of a text takes long
    if a.disjoint(b) {
        return None;
    }
    pair_of_paths::<W>(system, ParamPath::of(first), ParamPath::of(second), a, b)
}

/// The message for two parameters, or parts of parameters, that are borrowed at the same time;
/// `None` if they do not clash.
const fn pair_of_paths<W: RawWorld>(
    system: &str,
    first: ParamPath<'_>,
    second: ParamPath<'_>,
    a: &Access,
    b: &Access,
) -> Option<Message> {
    // the parts say more than the whole: find the two that clash, and name them by their paths
    if a.disjoint(b) {
        return None;
    }
    let (mut found, mut i) = (None, 0);
    while i < a.parts.len() && found.is_none() {
        let part = &a.parts[i];
        found = pair_of_paths::<W>(system, first.then(part.name), second, &part.access, b);
        i += 1;
    }
    let mut i = 0;
    while a.parts.is_empty() && i < b.parts.len() && found.is_none() {
        let part = &b.parts[i];
        found = pair_of_paths::<W>(system, first, second.then(part.name), a, &part.access);
        i += 1;
    }
    if found.is_some() {
        return found;
    }
    // neither has parts: the message says which kind of data both access, and the remedy for it
    let text = message!(start::<W>(system) => "parameters " path(&first) " and " path(&second));
    if (a.exclusive && !b.is_none()) || (b.exclusive && !a.is_none()) {
        return Some(message!(
            text => " cannot be borrowed at the same time: `&mut " text(W::WORLD_NAME)
            "` borrows the whole world; take only it, and reach the rest through it"
        ));
    }
    let presence = a.presence_clash(b);
    if !a.presence_write.and(b.presence_write).is_empty() {
        let both = a.presence_write.and(b.presence_write);
        return Some(message!(
            text => " both add and remove component " components(both, W::COMPONENT_NAMES)
            "; keep one of the two"
        ));
    }
    if let Some(index) = presence.first() {
        let component = W::COMPONENT_NAMES[index];
        let text = message!(
            text => " clash: `Storage<" text(component) ">` can add and remove component " quoted(component)
        );
        if a.deferred || b.deferred {
            return Some(text.text(
                ", while `Commands` rely on which entities have each component; add and remove it through `Commands`, too, or give the commands in a system after this one, to which this one sends an event with the entities",
            ));
        }
        return Some(text.text(
            " while the other relies on which entities have it; add and remove it through `Commands` instead, or split the system",
        ));
    }
    let elsewhere = a.clash_elsewhere(b);
    if !elsewhere.is_empty() {
        return Some(read_elsewhere::<W>(message!(text => " clash: one writes component "), elsewhere));
    }
    let values = a.clash(b);
    if !values.is_empty() {
        return Some(message!(
            text => " both access component " components(values, W::COMPONENT_NAMES)
            ", at least one of them mutably; keep their entities apart with `With` and `Without`, or join them into one query, whose `split_one_mut(id)` lends one entity to change and the others to read"
        ));
    }
    let stamps = a.stamp_clash(b);
    if !stamps.is_empty() {
        return Some(message!(
            text => " clash: one reads the change ticks of component " components(stamps, W::COMPONENT_NAMES)
            ", while the other may change it; keep their entities apart with `With` and `Without`, join them into one query, or split the system"
        ));
    }
    let events = a.event_alias(b);
    if events.folded() != 0 {
        return Some(message!(
            text => " both read event " resource(events, W::EVENT_NAMES)
            ", at least one of them to change it; keep only the `EventMutator`"
        ));
    }
    let resources =
        message!(text => " both access resource " resource(a.resource_clash(b), W::RESOURCE_NAMES));
    Some(resources.text(", at least one of them mutably; keep only the `ResMut`"))
}

const fn start<W: RawWorld>(system: &str) -> Message {
    message!("system " quoted(system) " of world " quoted(W::WORLD_NAME) ": ")
}

/// Fails to compile where a parameter may skip a system that returns something else than a skipped
/// system does.
#[track_caller]
pub const fn check_output<W: RawWorld>(system: &str, param: &str, may_skip: bool) {
    if may_skip {
        message!(
            start::<W>(system) => "parameter " quoted(param)
            " may skip it, by a `Single` or a `Populated`, and then it has nothing to return; return `Option<T>`, `bool`, `Result<(), E>` or nothing, or take a `Query` and call its method `single`"
        )
            .panic();
    }
}

/// Fails to compile where an observer has no parameter that names its trigger.
#[track_caller]
pub const fn check_observer<W: RawWorld>(name: &str, system: SystemDesc<W>) {
    if !system.reacts() {
        message!(
            "observer " quoted(name) " of world " quoted(W::WORLD_NAME)
            ": no parameter names its trigger; filter by `Added<T>` or `Changed<T>`, take `Removed<T>`, `Entered<F>`, `Exited<F>` or `EventReader<E>`, or move the system to a schedule"
        )
            .panic();
    }
}

/// Fails to compile if the constant of `#[event(check = ..)]` is a mistake.
#[track_caller]
pub const fn check_event_type(mistake: Option<&'static str>) {
    if let Some(mistake) = mistake {
        Message::new().text(mistake).panic();
    }
}

/// Checks that two includes of generic parts mean the same type. The macros cannot compare types:
/// they include the parts once if the last path segments of the arguments are equal.
#[diagnostic::on_unimplemented(
    message = "`{T}` and `{Self}` are two types, and generic parts are included for both",
    label = "this includes `{Self}`",
    note = "two libraries include the same generic parts, and the names of the types in the arguments are equal: give one type another name, \
            `type Other = ..`, and include the parts with that"
)]
pub trait SameEntry<T> {
    /// Named by the expansion of `world!`, to check the bound.
    const SAME: () = ();
}

impl<T> SameEntry<T> for T {}

/// The systems of the library that a resource or component of this type needs: without one of them
/// it does nothing.
#[doc(hidden)]
pub struct StepsOf<T>(PhantomData<T>);

/// Provides the constant of [`StepsOf`] that the compiler finds for most types.
#[doc(hidden)]
pub trait NoSteps {
    /// No names: the entry needs no system.
    const STEPS: &'static [&'static str] = &[];
}

impl<T> NoSteps for StepsOf<T> {}

/// Fails to compile if a resource that a schedule uses, or a component of the world, does nothing
/// without a system of the library, and no schedule names that system. `steps` are the names of the
/// systems, one of which is enough. `index` is that of the resource or component, `by_commands` is
/// whether commands use the resource, which no parameter shows, and `message` the whole message.
#[track_caller]
pub const fn check_steps<W: RawWorld>(
    steps: &[&str],
    index: usize,
    is_resource: bool,
    by_commands: bool,
    places: &[SystemDesc<W>],
    message: &str,
) {
    if lacks_step(steps, index, is_resource, by_commands, places) {
        Message::new().text(message).panic();
    }
}

/// Whether an entry that is used does nothing, since no schedule names one of `steps`.
pub const fn lacks_step<W: RawWorld>(
    steps: &[&str],
    index: usize,
    is_resource: bool,
    by_commands: bool,
    places: &[SystemDesc<W>],
) -> bool {
    // a component is used in each world with schedules, a resource only where a system borrows it
    let is_used_anywhere = (!is_resource || by_commands) && !places.is_empty();
    let (mut is_used, mut is_stepped, mut i) = (is_used_anywhere, steps.is_empty(), 0);
    while i < places.len() && !is_stepped {
        let SystemDesc { name, params, .. } = &places[i];
        if places[i].is_broken() {
            return false;
        }
        // the parameters of a pipe are its two systems
        let is_pipe = matches!(places[i].kind, SystemKind::Pipe(_));
        let mut j = 0;
        while j < params.len() {
            let access = &params[j].access;
            // a system of that name which does not use the entry is another one
            let uses = if is_resource {
                access.resources_read.contains(index) || access.resources_write.contains(index)
            } else {
                access.read.contains(index)
            };
            is_used |= uses;
            let is_step = is_among(name, steps) || is_pipe && is_among(params[j].name, steps);
            is_stepped |= uses && is_step;
            j += 1;
        }
        i += 1;
    }
    is_used && !is_stepped
}

const fn is_among(name: &str, names: &[&str]) -> bool {
    any!(names, |other| same(name, other))
}

/// Fails to compile where an event is written and never read in any schedule, or read and never
/// written.
#[track_caller]
pub const fn check_event<W: RawWorld>(event: usize, places: &[SystemDesc<W>]) {
    // any system of any schedule counts, whatever its order
    let (mut read, mut written) = (false, false);
    let mut i = 0;
    while i < places.len() {
        // it may be the reader or the sender
        if places[i].is_broken() {
            return;
        }
        let mut j = 0;
        while j < places[i].params.len() {
            let access = &places[i].params[j].access;
            read |= access.events_read.contains(event);
            written |= access.events_written.contains(event);
            j += 1;
        }
        i += 1;
    }
    // both, or neither: an event that only code outside of systems uses is no mistake
    if read == written {
        return;
    }
    let (does, never) = if read { ("read", "written") } else { ("written", "read") };
    message!(
        "world " quoted(W::WORLD_NAME) ": event " quoted(W::EVENT_NAMES[event]) " is " text(does)
        " but never " text(never) " in a schedule; schedule a system that does, or mark it `"
        text(W::EVENT_NAMES[event]) "(external)` if code outside of systems does"
    )
    .panic();
}
