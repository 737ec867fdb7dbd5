//! Filters against their truth tables, over all subsets of four components.

use ecs::prelude::*;
use ecs::query::QueryFilter;

use super::fixture::{A, B, C, D, Expected, Four, all, expect, has};

/// Asserts that `F` passes exactly the entities for which `passes` is true, with any query data.
fn check<F: QueryFilter<Four>>(name: &str, passes: impl Fn(u8) -> bool) {
    for (mut world, expected) in all() {
        check_data::<F>(name, &world, &expected, &passes);
        let with_a = expect(&expected, |bits| has(bits, 0) && passes(bits));
        let query = world.query::<(Entity, &A)>().filter::<F>();
        assert_eq!(query.iter().map(|(entity, _)| entity).collect::<Vec<_>>(), with_a, "{name} of A");
        assert_eq!(query.len(), with_a.len(), "{name} of A");
        let mut seen = Vec::new();
        let writing = world.query_mut::<(Option<&mut B>, Entity, Is<C>, &mut A)>().filter::<F>();
        writing.for_each(|(_, entity, _, _)| seen.push(entity));
        assert_eq!(seen, with_a, "{name} of A, B and C");
    }
}

fn check_data<F: QueryFilter<Four>>(
    name: &str,
    world: &Four,
    expected: &Expected,
    passes: impl Fn(u8) -> bool,
) {
    let wanted = expect(expected, &passes);
    let query = world.query::<Entity>().filter::<F>();
    assert_eq!(query.iter().collect::<Vec<_>>(), wanted, "{name}");
    assert_eq!((query.len(), query.is_empty()), (wanted.len(), wanted.is_empty()), "{name}");
    assert!(query.to_set().iter().eq(wanted.iter().copied()), "{name}");
    let mut folded = Vec::new();
    query.iter().for_each(|entity| folded.push(entity));
    assert_eq!(folded, wanted, "{name}");
    for &(entity, bits) in expected {
        assert_eq!(query.contains(entity), passes(bits), "{name} of {entity}");
        assert_eq!(query.get(entity).is_some(), passes(bits), "{name} of {entity}");
    }
}

macro_rules! tables {
    ($($test:ident { $($filter:ty => |$a:ident, $b:ident, $c:ident, $d:ident| $passes:expr;)* })*) => {$(
        #[test]
        fn $test() {$(
            check::<$filter>(stringify!($filter), |bits| {
                let [$a, $b, $c, $d] = [0, 1, 2, 3].map(|component| has(bits, component));
                $passes
            });
        )*}
    )*};
}

tables! {
    single_filters_follow_their_truth_table {
        () => |_a, _b, _c, _d| true;
        With<A> => |a, _b, _c, _d| a;
        With<D> => |_a, _b, _c, d| d;
        Without<A> => |a, _b, _c, _d| !a;
        Without<D> => |_a, _b, _c, d| !d;
        Not<With<C>> => |_a, _b, c, _d| !c;
        Not<Without<C>> => |_a, _b, c, _d| c;
        Not<Not<With<B>>> => |_a, b, _c, _d| b;
        Not<Not<Not<With<B>>>> => |_a, b, _c, _d| !b;
    }
    empty_and_is_all_and_empty_or_is_none {
        And<()> => |_a, _b, _c, _d| true;
        Or<()> => |_a, _b, _c, _d| false;
        Not<And<()>> => |_a, _b, _c, _d| false;
        Not<Or<()>> => |_a, _b, _c, _d| true;
        Not<()> => |_a, _b, _c, _d| false;
        And<(Or<()>, With<A>)> => |_a, _b, _c, _d| false;
        Or<(And<()>, With<A>)> => |_a, _b, _c, _d| true;
        Or<(Or<()>, With<A>)> => |a, _b, _c, _d| a;
        Or<((), With<A>)> => |_a, _b, _c, _d| true;
    }
    conjunctions_follow_their_truth_table {
        (With<A>, With<B>) => |a, b, _c, _d| a && b;
        And<(With<A>, With<B>)> => |a, b, _c, _d| a && b;
        (With<A>, Without<B>) => |a, b, _c, _d| a && !b;
        (Without<A>, Without<B>, Without<C>, Without<D>) => |a, b, c, d| !a && !b && !c && !d;
        And<(With<A>, With<B>, With<C>, With<D>)> => |a, b, c, d| a && b && c && d;
        ((With<A>, (Without<B>,)), And<(With<C>, And<(Without<D>,)>)>) => |a, b, c, d| a && !b && c && !d;
        Not<And<(With<A>, With<B>)>> => |a, b, _c, _d| !(a && b);
        Not<(With<A>, Without<B>)> => |a, b, _c, _d| !a || b;
    }
    disjunctions_follow_their_truth_table {
        Or<(With<A>,)> => |a, _b, _c, _d| a;
        Or<(With<A>, With<B>)> => |a, b, _c, _d| a || b;
        Or<(With<A>, Without<B>)> => |a, b, _c, _d| a || !b;
        Or<(Without<A>, Without<B>)> => |a, b, _c, _d| !a || !b;
        Or<(With<A>, With<B>, With<C>, With<D>)> => |a, b, c, d| a || b || c || d;
        Not<Or<(With<A>, With<B>)>> => |a, b, _c, _d| !(a || b);
        Not<Or<(Without<A>, With<B>, Without<C>)>> => |a, b, c, _d| a && !b && c;
        (Or<(With<A>, With<B>)>, Or<(With<C>, With<D>)>) => |a, b, c, d| (a || b) && (c || d);
    }
    nested_filters_follow_their_truth_table {
        Or<((With<A>, With<B>), (With<C>, With<D>))> => |a, b, c, d| (a && b) || (c && d);
        Or<(And<(With<A>, With<B>)>, Not<Or<(With<C>, With<D>)>>)> => |a, b, c, d| (a && b) || !(c || d);
        Or<(And<(With<A>, Or<(With<B>, Not<With<C>>)>)>, With<D>)> => |a, b, c, d| (a && (b || !c)) || d;
        Not<Or<(And<(With<A>, Or<(With<B>, Not<With<C>>)>)>, With<D>)>>
            => |a, b, c, d| !((a && (b || !c)) || d);
        And<(Or<(With<A>, With<B>)>, Not<And<(With<A>, With<B>)>>)> => |a, b, _c, _d| a != b;
        Or<((With<A>, Without<B>), (Without<A>, With<B>))> => |a, b, _c, _d| a != b;
        Not<Or<((With<C>, Without<D>), (Without<C>, With<D>))>> => |_a, _b, c, d| c == d;
        Or<(Not<(With<A>, Without<B>, With<C>)>, Not<Not<With<D>>>)> => |a, b, c, d| !(a && !b && c) || d;
    }
}

#[test]
fn filters_beyond_the_end_of_short_columns_are_right() {
    let mut world = Four::new();
    world.spawn((A(1), D));
    let late: Vec<Entity> = (0..5000).map(|n| world.spawn(B(n))).collect();
    let last = *late.last().unwrap();
    assert!(world.query::<Entity>().filter::<Without<A>>().contains(last));
    assert!(world.query::<Entity>().filter::<Not<With<A>>>().contains(last));
    assert_eq!(world.query::<&B>().filter::<(Without<A>, Not<With<C>>)>().len(), 5000);
    assert_eq!(world.query::<Entity>().filter::<Or<(With<A>, Without<D>)>>().len(), 5001);
    assert_eq!(world.query::<&B>().filter::<Or<(With<A>, With<D>, With<C>)>>().len(), 0);
}

#[test]
fn filters_are_always_up_to_date() {
    let mut world = Four::new();
    let entity = world.spawn(A(1));
    type Excluded = (With<A>, Without<D>);
    assert!(world.query::<Entity>().filter::<Excluded>().contains(entity));
    world.insert(entity, D).unwrap();
    assert!(!world.query::<Entity>().filter::<Excluded>().contains(entity));
    world.remove::<D>(entity).unwrap();
    assert!(world.query::<Entity>().filter::<Excluded>().contains(entity));
    world.despawn(entity).unwrap();
    assert!(world.query::<Entity>().filter::<Excluded>().is_empty());
}
