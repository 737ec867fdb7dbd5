//! Checks that `cargo check` runs: constant functions over access sets, which fail with a message that names the
//! component, the parameter, the system and the world.
//!
//! The macros call them in free constants, whose span is what the user wrote. That the parameters are sound together is
//! evaluated once more, without spans, wherever a system is run: see [`Runnable`](crate::system::Runnable).

use crate::component::ComponentSet;
use crate::system::access::{Access, ParamInfo, row};
use crate::world::World;

pub(crate) mod message;

use message::Message;

/// All parameters of a system, for a system that is generic over its world.
#[track_caller]
pub const fn check_system<W: World>(system: &str, params: &[ParamInfo]) {
    let mut i = 0;
    while i < params.len() {
        check_param::<W>(system, params, i);
        i += 1;
    }
}

/// Parameter `i` of a system, by itself and against those before it.
#[track_caller]
pub const fn check_param<W: World>(system: &str, params: &[ParamInfo], i: usize) {
    let param = &params[i];
    alone::<W>(system, param);
    if param.kind.is_row() {
        in_row::<W>(system, params, i);
        // what stands before the whole row is held against all of it, once: where the row meets it
        let mut j = 0;
        while j < i && !params[j].kind.is_row() {
            if met(params, &params[j].access) == i {
                pair::<W>(system, params[j].name, param.name, &params[j].access, &row(params));
            }
            j += 1;
        }
        return;
    }
    let (mut j, mut row_began) = (0, false);
    while j < i {
        if params[j].kind.is_row() {
            row_began = true;
        } else {
            pair::<W>(system, params[j].name, param.name, &params[j].access, &param.access);
        }
        j += 1;
    }
    if row_began {
        let first = &params[met(params, &param.access)];
        pair::<W>(system, first.name, param.name, &row(params), &param.access);
    }
}

/// The first per-entity parameter that `access` clashes with, whatever the filters; else the first of all.
const fn met(params: &[ParamInfo], access: &Access) -> usize {
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

#[track_caller]
const fn alone<W: World>(system: &str, param: &ParamInfo) {
    let access = &param.access;
    if !access.alias.is_empty() {
        start::<W>(system)
            .text("parameter ")
            .quoted(param.name)
            .text(" borrows component ")
            .components(access.alias, W::COMPONENTS)
            .text(" mutably and once more; ask for it once")
            .panic();
    }
    let never = access.with.and(access.without);
    if !never.is_empty() {
        contradiction::<W>(system, param.name, access);
    }
}

#[track_caller]
const fn contradiction<W: World>(system: &str, param: &str, access: &Access) {
    start::<W>(system)
        .text("parameter ")
        .quoted(param)
        .text(" can never match: it both requires and excludes component ")
        .components(access.with.and(access.without), W::COMPONENTS)
        .text("; leave out one of the two")
        .panic();
}

/// Two per-entity parameters, of which one requires what the other one excludes.
#[track_caller]
const fn contradiction_in_row<W: World>(system: &str, params: &[ParamInfo], never: ComponentSet) {
    start::<W>(system)
        .text("no entity can match: ")
        .text(who(params, never, true).0)
        .text(who(params, never, true).1)
        .text(who(params, never, true).2)
        .text(" requires component ")
        .components(never, W::COMPONENTS)
        .text(" and ")
        .text(who(params, never, false).0)
        .text(who(params, never, false).1)
        .text(who(params, never, false).2)
        .text(" excludes it; leave out one of the two")
        .panic();
}

/// The per-entity parameter that requires, or excludes, one of the components: its noun and its name.
const fn who(
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

/// A per-entity parameter against the per-entity parameters before it: they are of one entity.
#[track_caller]
const fn in_row<W: World>(system: &str, params: &[ParamInfo], i: usize) {
    let param = &params[i];
    let (mut with, mut without) = (ComponentSet::EMPTY, ComponentSet::EMPTY);
    let mut j = 0;
    while j < i {
        let other = &params[j];
        if other.kind.is_row() {
            let shared = other.access.value_clash(&param.access);
            if !shared.is_empty() {
                start::<W>(system)
                    .text("parameters ")
                    .parameter(other.name)
                    .text(" and ")
                    .parameter(param.name)
                    .text(" borrow component ")
                    .components(shared, W::COMPONENTS)
                    .text(" of the same entity, at least one of them mutably; ask for it once")
                    .panic();
            }
            (with, without) = (with.or(other.access.with), without.or(other.access.without));
        }
        j += 1;
    }
    let never = with.or(param.access.with).and(without.or(param.access.without));
    if !never.is_empty() && with.and(without).is_empty() {
        contradiction_in_row::<W>(system, params, never);
    }
}

#[track_caller]
const fn pair<W: World>(system: &str, first: &str, second: &str, a: &Access, b: &Access) {
    // most pairs are fine, and a text is long to evaluate
    if a.disjoint(b) {
        return;
    }
    let text = start::<W>(system).text("parameters ").parameter(first).text(" and ").parameter(second);
    if (a.exclusive && !b.is_none()) || (b.exclusive && !a.is_none()) {
        text.text(" cannot be held at once: `&mut ")
            .text(W::NAME)
            .text("` borrows the whole world; take only it, and reach the rest through it")
            .panic();
    }
    let presence = a.presence_clash(b);
    if !a.presence_write.and(b.presence_write).is_empty() {
        text.text(" both add and remove component ")
            .components(a.presence_write.and(b.presence_write), W::COMPONENTS)
            .text("; keep one of the two")
            .panic();
    }
    if !presence.is_empty() {
        let component = W::COMPONENTS[match presence.first() {
            Some(index) => index,
            None => 0,
        }];
        text.text(" clash: `Storage<")
            .text(component)
            .text(">` can add and remove component ")
            .quoted(component)
            .text(" while the other relies on who has it; add and remove it through `Commands` instead, or split the system")
            .panic();
    }
    let values = a.clash(b);
    if !values.is_empty() {
        text.text(" both access component ")
            .components(values, W::COMPONENTS)
            .text(", at least one of them mutably; keep their entities apart with `With` and `Without`, or join them into one query")
            .panic();
    }
    let stamps = a.stamp_clash(b);
    if !stamps.is_empty() {
        text.text(" clash: one asks when component ")
            .components(stamps, W::COMPONENTS)
            .text(" was changed, while the other may change it; keep their entities apart with `With` and `Without`, join them into one query, or split the system")
            .panic();
    }
    let resources = a.resource_clash(b);
    if !resources.is_empty() {
        text.text(" both access resource ")
            .resource(resources, W::RESOURCES)
            .text(", at least one of them mutably; keep only the `ResMut`")
            .panic();
    }
}

const fn start<W: World>(system: &str) -> Message {
    Message::new().text("system ").quoted(system).text(" of world ").quoted(W::NAME).text(": ")
}

/// Fails to compile where an event is written and never read in any schedule, or read and never written.
#[track_caller]
pub const fn check_event<W: World>(event: usize, places: &[&[ParamInfo]]) {
    let (mut read, mut written) = (false, false);
    let mut i = 0;
    while i < places.len() {
        let mut j = 0;
        while j < places[i].len() {
            read |= places[i][j].access.events_read.contains(event);
            written |= places[i][j].access.events_written.contains(event);
            j += 1;
        }
        i += 1;
    }
    if read == written {
        return;
    }
    let (does, never) = if read { ("read", "written") } else { ("written", "read") };
    Message::new()
        .text("world ")
        .quoted(W::NAME)
        .text(": event ")
        .quoted(W::EVENTS[event])
        .text(" is ")
        .text(does)
        .text(" but never ")
        .text(never)
        .text(" in a schedule; schedule a system that does, or mark it `")
        .text(W::EVENTS[event])
        .text("(external)` if that happens outside")
        .panic();
}
