//! Systems that do not clash run at the same time. That the result is the same on any number of
//! threads is in `model/executors`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;

fn in_pool<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(f)
}

#[test]
fn systems_that_do_not_clash_run_at_the_same_time() {
    #[derive(Resource, Default)]
    struct Left(u32);
    #[derive(Resource, Default)]
    struct Right(u32);
    static TOGETHER: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    fn meet() {
        MOST.fetch_max(TOGETHER.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(50));
        TOGETHER.fetch_sub(1, Ordering::SeqCst);
    }
    world! {
        struct Dance { resources { Left, Right } }
        schedule apart { left, right }
        schedule close { left, also_left }
    }
    #[system(Dance)]
    fn left(mut left: ResMut<Left>) {
        left.0 += 1;
        meet();
    }
    #[system(Dance)]
    fn right(mut right: ResMut<Right>) {
        right.0 += 1;
        meet();
    }
    #[system(Dance)]
    fn also_left(left: Res<Left>) {
        assert!(left.0 > 0);
        meet();
    }
    in_pool(4, || {
        let mut dance = Dance::default();
        dance.set_parallelism(Parallelism::Always);
        dance.close();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 1);
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 2);
        // slow systems are detected
        dance.set_parallelism(Parallelism::Auto);
        dance.apart();
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 2);
        dance.set_parallelism(Parallelism::Never);
        dance.apart();
        assert_eq!(MOST.swap(0, Ordering::SeqCst), 1);
    });
}
