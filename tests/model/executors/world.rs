//! The world of the executors' test; each of its schedules tests another feature of an executor.

use std::time::Duration;

use ecs::prelude::*;
use ecs::{Accumulate, FixedTime, Snapshot};
use serde::{Deserialize, Serialize};

use super::bombs::*;
use super::picky::*;
use super::systems::*;
use super::whole::*;

#[derive(Component, Clone, Serialize, Deserialize)]
pub(super) struct Mass(pub(super) u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked, removed)]
pub(super) struct Heat(pub(super) u64);
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(index)]
pub(super) struct Team(pub(super) u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(key = 0)]
pub(super) struct Seat(pub(super) u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
pub(super) struct Label(pub(super) String);
#[derive(Component, Clone, Serialize, Deserialize)]
pub(super) struct Tag;
#[derive(Component, Clone, Serialize, Deserialize)]
pub(super) struct Crown;
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
pub(super) struct Follows(pub(super) Entity);

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
pub(super) struct Sum(pub(super) u64);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
pub(super) struct Log(pub(super) Vec<u64>);
/// The systems that panic or fail, as bits.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
pub(super) struct Fuse(pub(super) u32);

#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Ping(pub(super) Entity, pub(super) u64);
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Pong(pub(super) u64);
/// An event with a small bound and `full = panic`.
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Burst;

impl Accumulate for Sum {
    type Value = u64;
    fn accumulate(&mut self, value: u64) {
        self.0 = self.0.rotate_left(3) ^ value;
    }
}

impl Fuse {
    /// The bits of systems that fail without a panic.
    pub(super) const FAILURES: u32 = 0b110;

    pub(super) fn has(&self, number: u32) -> bool {
        self.0 >> number & 1 == 1
    }
}

/// An event with `skip = clear`.
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Click(pub(super) u64);
/// Kept without a bound.
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Letter(pub(super) u64);
/// A value whose drop panics if [`Shard::ARMED`] is set.
#[derive(Event, Clone, Serialize, Deserialize)]
pub(super) struct Shard(pub(super) u64);
/// A snapshot that a system keeps.
#[derive(Resource, Clone, Default)]
#[resource(skip)]
pub(super) struct Back(pub(super) Option<Snapshot<Game>>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub(super) struct Game {
        components { Mass, Heat, Team, Seat, Label, Tag, Follows, Crown }
        resources {
            Sum, Log, Fuse, Back,
            time: FixedTime = FixedTime::new(Duration::from_millis(10)).catching_up(3),
        }
        events {
            Ping(external), Pong(external, keep = 40, full = newest), Burst(external, keep = 20, full = panic),
            Click(external, skip = clear), Letter(keep = all), Shard(keep = 30),
        }
    }
    // the fast path
    schedule plain { pour, regroup, sum, find_team }
    schedule plain_stages { pour; regroup, age_tagged; sum, age_untagged; find_team; warm }
    schedule plain_blind { pour, age_tagged, age_untagged; sum }
    schedule plain_told { warm, sum, seen; came, regroup; find_team, went }
    schedule plain_bombs { pour, age_tagged, bomb_on_mass, sum, age_untagged, warm, bomb; regroup, lonely_bomb, find_team }
    // the general executor
    schedule spreading { par_pour, find_team, hear; par_strip, relay, shout; par_warm if many, seen; on_click, came, lost }
    schedule asked { pour if many; regroup if !many || odd, find_team if odd && many, sum; seen if odd, warm }
    schedule deferring { spawn_few, spawn_many, shout, cull; give, hear, strip; follow, relay, shout_too; heed, went }
    schedule failing -> Result { pour, spawn_few, shout, fail, warm, relay; regroup, fail_again if many, give, sum; came }
    schedule reacting { react { spread_heat, settle } max 6; lost, seen }
    schedule fixed every FixedTime { pour, regroup, spawn_few; hear, find_team }
    schedule inner { regroup, warm, find_team }
    schedule nesting { pour; inner, spawn_few; Game::fixed, sum, plain_blind }
    schedule outer -> Result { nesting if many, shout; failing, give; hear }
    schedule whole_world { pour, whole, sum; later, find_team }
    schedule bombs {
        shout, pour, bomb_on_mass, spawn_few, sum, relay, lonely_bomb, shout_too, warm if many, bomb, tag;
        hear, sending_bomb, spawn_many, regroup, commanding_bomb, age_tagged, age_untagged;
        find_team, later_bomb, cull
    }
    schedule skipping {
        click, post; on_click if odd, collect if odd && many, sum if odd || clicked; find_team if clicked && odd || !many,
        heed if many; lost
    }
    schedule questions {
        pour if odd || doubtful, shout if clicked, sum; hear if !whole_question && odd, relay if lonely_question;
        warm if many || spawning_question, give; cull if shouting_question
    }
    schedule going_back {
        shout, spawn_few if odd; keeps if hearing_question && spawning_question; relay, regroup, click;
        goes_back if hearing_question; on_click, hear, cull; went
    }
    schedule reacting_bombs { react { spread_heat, lonely_bomb if odd, settle_bomb } max 4; lost, hear }
    schedule running { shout, pour; runs_others if odd, spawn_few; hear; there_and_back if clicked; relay; replans if many }
    schedule shattering { shatter, sum; sweep, shout; bomb, hear; pour, find_team }
    schedule picky {
        crown, shout, click; reign, heir, court if has_king, find_team; quarrel, tax, click_of_the_king; par_tax, pour if !has_king || odd;
        relay, hear
    }
    schedule picky_or_failing -> Result { crown, shout; judge, sum; reign, court, heir }
    schedule grouped {
        (pour, (shout, spawn_few; hear, bomb_on_mass) if odd && many, sum, relay) if more_than(4), find_team;
        (warm, react { (spread_heat, settle) if odd } max 4, whole; (seen) if more_than(30)) every 3 if odd || clicked;
        (inner, going_back, give) if whole_question, cull every 2; lost
    }
    schedule given -> Result {
        pour, add_mass(7), add_mass(11) as again, masses | fold, shout; masses | folded | fail_above if more_than(2), hear;
        (masses | fold as last, bomb) if odd; went
    }
    schedule all {
        pour, sum, age_tagged, age_untagged, tag, name, rename, spawn_few, spawn_many, cull, give, strip, shout, shout_too,
        hear, relay, heed, later, regroup, find_team, warm, seen, came, went, lost, follow
    }
}
