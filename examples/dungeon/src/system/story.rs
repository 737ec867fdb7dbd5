//! The sentences of the journal.

use ecs::prelude::*;
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::component::{CarriedBy, Meta, Player, Position, View};
use crate::event::{Cause, Deed};
use crate::journal::{Journal, Tone};
use crate::world::Dungeon;

/// Writes the deeds of the turn into the journal: the hero's own, and those that the hero sees or
/// hears.
#[system(Dungeon)]
pub fn narrate(
    mut deeds: EventReader<Deed>,
    things: Query<(&Meta, Is<Player>, Option<&Position>, Option<&CarriedBy>)>,
    heroes: Query<&View, With<Player>>,
    clock: Res<Clock<Turn>>,
    mut journal: ResMut<Journal>,
) {
    let actor = |entity: Entity| {
        let Some((meta, is_player, position, carried)) = things.get(entity) else { return Actor::UNKNOWN };
        let is_seen = position.is_some_and(|position| heroes.iter().any(|view| view.contains(position.0)));
        Actor {
            name: &meta.name,
            about: &meta.about,
            is_hero: *is_player,
            is_seen,
            slot: carried.map(|it| it.slot + 1),
        }
    };
    for deed in &mut deeds {
        if let Some((tone, text)) = words(deed, actor) {
            journal.add(clock.turn(), tone, text);
        }
    }
}

/// The subject or the object of a sentence.
#[derive(Clone, Copy)]
struct Actor<'a> {
    name: &'a str,
    about: &'a str,
    is_hero: bool,
    is_seen: bool,
    slot: Option<u16>,
}

impl Actor<'_> {
    const UNKNOWN: Actor<'static> =
        Actor { name: "something", about: "", is_hero: false, is_seen: false, slot: None };

    /// The name at the beginning of a sentence.
    fn subject(&self) -> String {
        if self.is_hero { "You".to_owned() } else { format!("The {}", self.name) }
    }

    /// The name inside a sentence.
    fn object(&self) -> String {
        if self.is_hero { "you".to_owned() } else { format!("the {}", self.name) }
    }

    /// The name with an indefinite article.
    fn one(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }

    /// `You hit` but `The goblin hits`: the subject with the right form of the verb.
    fn does(&self, you: &str, it: &str) -> String {
        format!("{} {}", self.subject(), if self.is_hero { you } else { it })
    }

    /// The tone of harm: good for others, bad for the hero.
    fn pity(&self) -> Tone {
        if self.is_hero { Tone::Bad } else { Tone::Good }
    }
}

/// The sentence about a deed; `None` if the hero does not notice it.
fn words<'a>(deed: &Deed, actor: impl Fn(Entity) -> Actor<'a>) -> Option<(Tone, String)> {
    let plain = |text: &str| Some((Tone::Plain, text.to_owned()));
    let good = |text: String| Some((Tone::Good, text));
    match *deed {
        Deed::Wall => plain("There is a wall in the way."),
        Deed::NothingHere => plain("There is nothing to pick up."),
        Deed::PackFull => plain("Your pack is full."),
        Deed::EmptySlot { slot } => plain(&format!("You carry nothing in slot {}.", slot + 1)),
        Deed::NoDoor => plain("There is no open door beside you."),
        Deed::NoStairs => plain("There are no stairs here."),
        Deed::EmptyHanded => plain("You will not leave without what you came for."),
        Deed::Closed { door } => plain(&format!("You close the {}.", actor(door).name)),
        Deed::Found { item } => plain(&format!("Here lies {}.", actor(item).one())),
        Deed::Useless { item } => plain(&format!("There is no need to use the {}.", actor(item).name)),

        Deed::PickedUp { item } => good(picked_up(actor(item))),
        Deed::Equipped { item } => good(format!("You now use the {}.", actor(item).name)),
        Deed::Unlocked { door } => good(format!("The key turns, and the {} unlocks.", actor(door).name)),
        Deed::Mapped => good("The level lies before your mind's eye.".to_owned()),
        Deed::Blinked => good("The world blinks, and you stand elsewhere.".to_owned()),
        Deed::Flames => good("Flames leap from the scroll!".to_owned()),
        Deed::Escaped => good("You climb the stairs into daylight, the prize in your hands.".to_owned()),

        Deed::Healed { who, points } => witnessed(actor(who), Tone::Good, &|who| {
            format!("{} better by {points}.", who.does("feel", "looks"))
        }),
        Deed::Recovered { who } => {
            witnessed(actor(who), Tone::Good, &|who| format!("{} over the poison.", who.does("get", "gets")))
        }
        Deed::Opened { who, door } => opened(actor(who), actor(door)),
        Deed::Locked { who, door } => witnessed(actor(who), Tone::Plain, &|who| {
            format!("{} at the {}: it is locked.", who.does("push", "pushes"), actor(door).name)
        }),
        Deed::Noticed { who } => {
            let Actor { about, .. } = actor(who);
            witnessed(actor(who), Tone::Bad, &|who| format!("{} notices you. {about}", capital(&who.one())))
        }
        Deed::Missed { victim, cause } => missed(actor(victim), cause, cause.culprit().map(&actor)?),
        // a creature that bursts by intent: its death is reported already
        Deed::Suffered { victim, cause: Cause::Burst(bomb), .. } if victim == bomb => None,
        Deed::Suffered { victim, damage, cause } => {
            let culprit = cause.culprit().map(&actor);
            suffered(actor(victim), damage, cause, culprit)
        }
        Deed::Poisoned { victim } => {
            let victim = actor(victim);
            witnessed(victim, victim.pity(), &|victim| format!("{} poisoned!", victim.does("are", "is")))
        }
        Deed::Died { who } => {
            let who = actor(who);
            witnessed(who, who.pity(), &|who| format!("{}!", who.does("die", "dies")))
        }
        Deed::Burst { who } => {
            witnessed(actor(who), Tone::Plain, &|who| format!("{}!", who.does("burst", "bursts")))
        }
        Deed::Hardened { who } => witnessed(actor(who), Tone::Good, &|who| {
            format!("{} hardier.", who.does("have become", "has become"))
        }),
    }
}

/// A sentence that the hero learns by taking part or by sight.
fn witnessed(who: Actor<'_>, tone: Tone, text: &dyn Fn(Actor<'_>) -> String) -> Option<(Tone, String)> {
    (who.is_hero || who.is_seen).then(|| (tone, text(who)))
}

fn picked_up(item: Actor<'_>) -> String {
    let slot = item.slot.map(|slot| format!(" [{slot}]")).unwrap_or_default();
    format!("You pick up {}{slot}. {}", item.one(), item.about).trim_end().to_owned()
}

fn opened(who: Actor<'_>, door: Actor<'_>) -> Option<(Tone, String)> {
    if who.is_hero || who.is_seen || door.is_seen {
        Some((Tone::Plain, format!("{} the {}.", who.does("open", "opens"), door.name)))
    } else {
        Some((Tone::Plain, format!("Somewhere {} opens.", door.one())))
    }
}

fn missed(victim: Actor<'_>, cause: Cause, who: Actor<'_>) -> Option<(Tone, String)> {
    let verb = match cause {
        Cause::Shot(_) => who.does("shoot at", "shoots at"),
        _ => who.does("strike at", "strikes at"),
    };
    let miss = if who.is_hero { "miss" } else { "misses" };
    Some((Tone::Plain, format!("{verb} {} and {miss}.", victim.object())))
}

fn suffered(
    victim: Actor<'_>,
    damage: u16,
    cause: Cause,
    culprit: Option<Actor<'_>>,
) -> Option<(Tone, String)> {
    let text = match (cause, culprit) {
        (Cause::Blow(_), Some(who)) if damage == 0 => {
            format!("{} {}, to no effect.", who.does("hit", "hits"), victim.object())
        }
        (Cause::Blow(_), Some(who)) => {
            format!("{} {} for {damage}.", who.does("hit", "hits"), victim.object())
        }
        (Cause::Shot(_), Some(who)) if damage == 0 => {
            format!("{} {}, but the armour holds.", who.does("shoot", "shoots"), victim.object())
        }
        (Cause::Shot(_), Some(who)) => {
            format!("{} {} for {damage}.", who.does("shoot", "shoots"), victim.object())
        }
        (Cause::Burst(_), _) => format!("{} torn by the blast for {damage}.", victim.does("are", "is")),
        (Cause::Fire, _) => format!("{} for {damage}.", victim.does("burn", "burns")),
        _ => format!("{} from poison for {damage}.", victim.does("suffer", "suffers")),
    };
    let is_near = victim.is_hero || victim.is_seen || culprit.is_some_and(|who| who.is_hero);
    let tone = if damage == 0 { Tone::Plain } else { victim.pity() };
    is_near.then_some((tone, text))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
