//! Casting: costs, times, cooldowns, ranges, targets and interruptions.

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::casting::{
    self, CastBegun, CastInterrupted, CastReason, CastRefusal, CastSpell, Casting, CastingKind, Interruption,
    Side, Spell, SpellCast, Spellbook, TargetRule, try_cast,
};
use ecs_mechanics::meters::{self, Health, Mana, Meter};
use ecs_mechanics::places::{Located, Place};
use ecs_mechanics::sight::Cell;
use ecs_mechanics::turns::{self, Clock, TURN, Turn, TurnClock};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Position(i32);

impl Located for Position {
    type Place = Cell;

    fn place(&self) -> Cell {
        Cell::new(self.0, 0)
    }
}

/// Spells on a line, in turns.
enum Lore {}

impl CastingKind for Lore {
    const NAME: &'static str = "lore";
    type Cost = Mana;
    type Life = Health;
    type Position = Position;
    type Clock = Turn;
}

#[derive(Resource, Default, Clone, Serialize, Deserialize)]
struct Heard {
    begun: Vec<Entity>,
    cast: Vec<(Entity, Option<Entity>)>,
    interrupted: Vec<Interruption>,
    refused: Vec<CastRefusal>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Plain {
        include turns::turns;
        include meters::health;
        include meters::mana;
        include casting::casting::<Lore>;
        components { Position }
        resources { Heard = Heard::default() }
    }
    schedule turn { include turns::begin_order; pass; include casting::run_casting::<Lore>; listen }
    schedule strict -> Result { try_cast::<Lore> }
}

#[system(Plain)]
fn pass(mut clock: ResMut<Clock<Turn>>) {
    clock.spend();
}

#[system(Plain)]
fn listen(
    mut begun: EventReader<CastBegun<Lore>>,
    mut cast: EventReader<SpellCast<Lore>>,
    mut interrupted: EventReader<CastInterrupted<Lore>>,
    mut refused: EventReader<CastRefusal>,
    mut heard: ResMut<Heard>,
) {
    heard.begun.extend(begun.iter().map(|begun| begun.spell));
    heard.cast.extend(cast.iter().map(|cast| (cast.spell, cast.target)));
    heard.interrupted.extend(interrupted.iter().map(|interrupted| interrupted.reason.clone()));
    heard.refused.extend(refused.iter().cloned());
}

struct Scene {
    world: Plain,
    mage: Entity,
    orc: Entity,
    /// At once, at another entity within 5.
    dart: Entity,
    /// Three turns, at another entity within 5, then two turns of cooldown.
    fire: Entity,
}

fn scene() -> Scene {
    let mut world = Plain::new();
    let dart = world.spawn(Spell::<Lore>::new(2, TargetRule::Other).range(5));
    let rules = Spell::<Lore>::new(4, TargetRule::Other).range(5).cast_time(3 * TURN).cooldown(2 * TURN);
    let fire = world.spawn(rules);
    let body = |at| (Position(at), Meter::<Health>::full(9), Meter::<Mana>::full(10));
    let mage = world.spawn((body(0), Spellbook::<Lore>::new([dart, fire])));
    let orc = world.spawn(body(5));
    Scene { world, mage, orc, dart, fire }
}

impl Scene {
    fn ask(&mut self, spell: Entity, target: Entity) {
        self.world.send(CastSpell::<Lore>::at(self.mage, spell, target));
        self.world.turn();
    }

    fn mana(&self) -> u32 {
        self.world.get::<Meter<Mana>>(self.mage).unwrap().now()
    }

    /// The reasons of the refusals since the last call.
    fn refused(&mut self) -> Vec<CastReason> {
        let refused = std::mem::take(&mut self.world.resource_mut::<Heard>().refused);
        refused.into_iter().map(|refusal| refusal.reason).collect()
    }

    fn interrupted(&mut self) -> Vec<Interruption> {
        std::mem::take(&mut self.world.resource_mut::<Heard>().interrupted)
    }
}

#[test]
fn a_spell_without_a_cast_time_takes_effect_at_once() {
    let mut scene = scene();
    let (orc, dart) = (scene.orc, scene.dart);
    scene.ask(dart, orc);
    scene.ask(dart, orc);
    assert_eq!(scene.world.resource::<Heard>().cast, [(dart, Some(orc)); 2]);
    assert_eq!((scene.mana(), scene.world.resource::<Heard>().begun.len()), (6, 0));
}

#[test]
fn a_spell_takes_its_time_and_then_its_cost_and_cools_down() {
    let mut scene = scene();
    let (mage, orc, fire, dart) = (scene.mage, scene.orc, scene.fire, scene.dart);
    scene.ask(fire, orc);
    assert_eq!((scene.world.resource::<Heard>().begun.as_slice(), scene.mana()), (&[fire][..], 10));
    scene.ask(dart, orc);
    assert_eq!(scene.refused(), [CastReason::Busy(fire)]);
    scene.world.turn();
    assert!(scene.world.has::<Casting<Lore>>(mage) && scene.world.resource::<Heard>().cast.is_empty());
    scene.world.turn();
    assert_eq!(scene.world.resource::<Heard>().cast, [(fire, Some(orc))]);
    assert_eq!((scene.mana(), scene.world.has::<Casting<Lore>>(mage)), (6, false));
    scene.ask(fire, orc);
    assert_eq!(scene.refused(), [CastReason::CoolingDown { left: TURN }]);
    scene.ask(fire, orc);
    assert_eq!(scene.refused(), []);
}

#[test]
fn damage_and_movement_interrupt_a_spell_and_cost_nothing() {
    let mut scene = scene();
    let (mage, orc, fire) = (scene.mage, scene.orc, scene.fire);
    scene.ask(fire, orc);
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().take(1);
    scene.world.turn();
    scene.ask(fire, orc);
    scene.world.get_mut::<Position>(mage).unwrap().0 = 1;
    scene.world.turn();
    assert_eq!(scene.interrupted(), [Interruption::Damage, Interruption::Movement]);
    assert!(scene.mana() == 10 && scene.world.resource::<Heard>().cast.is_empty());

    let spell = scene.world.get_mut::<Spell<Lore>>(fire).unwrap();
    *spell = spell.steady().on_the_move();
    scene.ask(fire, orc);
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().take(1);
    scene.world.get_mut::<Position>(mage).unwrap().0 = 2;
    (0..3).for_each(|_| scene.world.turn());
    assert_eq!(scene.world.resource::<Heard>().cast, [(fire, Some(orc))]);
}

#[test]
fn healing_does_not_hide_damage_that_follows_it() {
    let mut scene = scene();
    let (mage, orc, fire) = (scene.mage, scene.orc, scene.fire);
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().set(5);
    scene.ask(fire, orc);
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().add(3);
    scene.world.turn();
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().take(1);
    scene.world.turn();
    assert_eq!(scene.interrupted(), [Interruption::Damage]);
}

#[test]
fn a_spell_that_has_become_impossible_ends_without_effect() {
    for (change, reason) in [
        (|scene: &mut Scene| scene.world.despawn(scene.orc).unwrap(), CastReason::TargetGone),
        (
            |scene: &mut Scene| scene.world.get_mut::<Position>(scene.orc).unwrap().0 = 6,
            CastReason::OutOfRange,
        ),
        (
            |scene: &mut Scene| scene.world.get_mut::<Meter<Mana>>(scene.mage).unwrap().set(3),
            CastReason::NotEnough { meter: "mana".into(), needed: 4, now: 3 },
        ),
        (|scene: &mut Scene| scene.world.despawn(scene.fire).unwrap(), CastReason::NotASpell),
    ] as [(fn(&mut Scene), CastReason); 4]
    {
        let mut scene = scene();
        scene.ask(scene.fire, scene.orc);
        change(&mut scene);
        (0..3).for_each(|_| scene.world.turn());
        assert_eq!(scene.interrupted(), [Interruption::NotPossible(reason)]);
        assert!(!scene.world.has::<Casting<Lore>>(scene.mage));
    }
}

#[test]
fn lenient_a_cast_that_is_not_possible_is_refused_with_its_reason() {
    let mut scene = scene();
    let (mage, orc, dart, fire) = (scene.mage, scene.orc, scene.dart, scene.fire);
    let far = scene.world.spawn(Position(6));
    let nowhere = scene.world.spawn(());
    let gone = scene.world.spawn(());
    scene.world.despawn(gone).unwrap();
    let unknown = scene.world.spawn(Spell::<Lore>::new(0, TargetRule::Nobody));
    for (entity, spell, target) in [
        (orc, dart, mage),
        (mage, unknown, orc),
        (mage, dart, far),
        (mage, dart, nowhere),
        (mage, dart, gone),
    ] {
        scene.world.send(CastSpell::<Lore>::at(entity, spell, target));
    }
    scene.world.send(CastSpell::<Lore>::new(mage, dart));
    scene.ask(dart, mage);
    let expected = [
        CastReason::NoSpellbook,
        CastReason::NotKnown,
        CastReason::OutOfRange,
        CastReason::OutOfRange,
        CastReason::TargetGone,
        CastReason::NoTarget,
        CastReason::WrongTarget(TargetRule::Other),
    ];
    assert_eq!(scene.refused(), expected);
    scene.world.get_mut::<Meter<Mana>>(mage).unwrap().set(1);
    scene.ask(dart, orc);
    scene.world.despawn(fire).unwrap();
    scene.ask(fire, orc);
    scene.world.get_mut::<Meter<Health>>(mage).unwrap().set(0);
    scene.ask(dart, orc);
    let expected = [
        CastReason::NotEnough { meter: "mana".into(), needed: 2, now: 1 },
        CastReason::NotASpell,
        CastReason::Lifeless,
    ];
    assert_eq!(scene.refused(), expected);
    assert!(scene.world.resource::<Heard>().cast.is_empty());
}

#[test]
fn strict_the_first_cast_that_is_not_possible_is_an_error() {
    let mut scene = scene();
    let Scene { mage, orc, dart, .. } = scene;
    for target in [orc, mage, orc] {
        scene.world.send(CastSpell::<Lore>::at(mage, dart, target));
    }
    let error = scene.world.strict().unwrap_err().to_string();
    let expected = format!(
        "entity {mage} cannot cast spell {dart} of lore: the spell takes another entity than the caster"
    );
    assert!(error.contains(&expected), "{error}");
    assert_eq!(scene.mana(), 8, "the first is carried out, the third is not");
}

#[test]
fn target_rules() {
    let mut scene = scene();
    let (mage, orc) = (scene.mage, scene.orc);
    let ally = scene.world.spawn((Position(1), Side(1)));
    scene.world.insert(mage, Side(1)).unwrap();
    scene.world.insert(orc, Side(2)).unwrap();
    let stone = scene.world.spawn(Position(1));
    let mut allowed = |rule| {
        let spell = scene.world.spawn(Spell::<Lore>::new(0, rule));
        scene.world.get_mut::<Spellbook<Lore>>(mage).unwrap().learn(spell);
        scene.world.send(CastSpell::<Lore>::new(mage, spell));
        for target in [mage, ally, orc, stone] {
            scene.world.send(CastSpell::<Lore>::at(mage, spell, target));
        }
        scene.world.turn();
        let cast = std::mem::take(&mut scene.world.resource_mut::<Heard>().cast);
        cast.into_iter().map(|(_, target)| target).collect::<Vec<_>>()
    };
    assert_eq!(allowed(TargetRule::Nobody), [None]);
    assert_eq!(allowed(TargetRule::Caster), [Some(mage), Some(mage)]);
    assert_eq!(allowed(TargetRule::Other), [Some(ally), Some(orc), Some(stone)]);
    assert_eq!(allowed(TargetRule::Anybody), [Some(mage), Some(ally), Some(orc), Some(stone)]);
    assert_eq!(allowed(TargetRule::Friend), [Some(mage), Some(mage), Some(ally)]);
    assert_eq!(allowed(TargetRule::Foe), [Some(orc)]);
}

#[test]
fn a_world_that_is_saved_in_the_middle_of_a_cast_continues_with_it() {
    let mut scene = scene();
    let (mage, orc, fire) = (scene.mage, scene.orc, scene.fire);
    scene.ask(fire, orc);
    let text = serde_json::to_string(&scene.world).unwrap();
    let snapshot = scene.world.snapshot();
    let mut others = [
        scene.world.clone(),
        Plain::load(&scene.world.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&text).unwrap(),
    ];
    let finish = |world: &mut Plain| {
        (0..3).for_each(|_| world.turn());
        assert_eq!(world.resource::<Heard>().cast, [(fire, Some(orc))]);
        assert_eq!(world.get::<Spellbook<Lore>>(mage).unwrap().ready_at(fire), Some(6 * TURN));
        world.hash()
    };
    let hash = finish(&mut scene.world);
    for other in &mut others {
        assert_eq!(finish(other), hash);
    }
    scene.world.restore(&snapshot);
    assert_eq!(finish(&mut scene.world), hash);
}

#[test]
fn a_spellbook_knows_what_it_has_learned() {
    let mut world = Plain::new();
    let [one, other] = [world.spawn(()), world.spawn(())];
    let mut book = Spellbook::<Lore>::new([one, one]);
    assert!(book.learn(other) && !book.learn(other) && book.knows(one));
    assert_eq!(book.spells().collect::<Vec<_>>(), [one, other]);
    assert!(book.forget(one) && !book.forget(one) && !book.knows(one));
    assert_eq!((book.ready_at(one), book.ready_at(other)), (None, Some(Duration::ZERO)));
}

#[test]
fn a_spell_in_a_file_may_leave_out_what_is_usual() {
    let spell: Spell<Lore> = serde_json::from_str(r#"{"cost": 3, "target": "Foe"}"#).unwrap();
    assert_eq!(format!("{spell:?}"), format!("{:?}", Spell::<Lore>::new(3, TargetRule::Foe)));
    let error = serde_json::from_str::<Spell<Lore>>(r#"{"cost": 3, "target": "Enemy"}"#).unwrap_err();
    assert!(error.to_string().contains("unknown variant `Enemy`"), "{error}");
}

#[test]
fn a_range_is_measured_in_cells_in_length_or_not_at_all() {
    use ecs_mechanics::movement::Vec2;

    let reaches = |x, y, range| Cell::new(i32::MIN, 0).is_within(Cell::new(x, y), range);
    assert!(
        reaches(i32::MIN + 3, -4, 5) && !reaches(i32::MIN + 3, -4, 4) && !reaches(i32::MAX, 0, u32::MAX - 1)
    );
    let at = Vec2::new;
    assert!(at(1.0, 1.0).is_within(at(4.0, 5.0), 5) && !at(1.0, 1.0).is_within(at(4.0, 5.1), 5));
    assert!(!at(0.0, f32::NAN).is_within(at(0.0, 0.0), u32::MAX), "no place is no distance");
    let mut world = Plain::new();
    let [hall, attic] = [world.spawn(()), world.spawn(())];
    assert!(hall.is_within(hall, 0) && !hall.is_within(attic, u32::MAX));
}
