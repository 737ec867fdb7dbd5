//! Sweeps: order, threads, interruptions, and files of others.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use ecs_agents::prelude::*;

fn sweep() -> Sweep {
    Sweep::new(9).vary("a", [1.0, 2.0]).vary("b", [0.5, 0.25, 0.1]).replicates(4)
}

/// A model whose numbers show a missing digit.
fn model(trial: &Trial) -> Outcome {
    let mut random = Random::new(trial.seed());
    let drawn: f64 = random.random_range(0.0..1.0);
    Outcome::new(random.next_u64()).with("x", trial.value("a") * drawn).with("y", trial.value("b") / 3.0)
}

/// A path of a file that is not there.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("ecs-agents-{}-{name}.csv", std::process::id()));
    _ = fs::remove_file(&path);
    path
}

#[test]
fn rows_are_in_order_whatever_the_threads() {
    let one = sweep().run(1, model);
    assert_eq!(one.rows().len(), 24);
    assert!(
        one.rows()
            .iter()
            .enumerate()
            .all(|(i, row)| row.trial.number() == i && row.outcome == model(&row.trial))
    );
    assert_eq!(one, sweep().run(3, model));
    let seeds = |rows: usize| one.rows()[rows].trial.seed();
    assert_eq!(seeds(0), seeds(4), "two values are compared with the same seeds");
    assert_ne!(seeds(0), seeds(1));
}

#[cfg(feature = "progress")]
#[test]
fn a_bar_changes_no_row() {
    let path = path("bar");
    let whole = sweep().run(1, model);
    assert_eq!(whole, sweep().with_progress().run(2, model));
    assert_eq!(whole, sweep().with_progress().run_into(&path, 2, model).unwrap());
    assert_eq!(whole, sweep().with_progress().run_into(&path, 2, model).unwrap(), "no trial is left");
}

#[test]
fn an_interrupted_sweep_goes_on_where_it_was() {
    let (whole, path) = (sweep().run(2, model), path("interrupted"));
    sweep().run_into(&path, 2, model).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let mut csv = Vec::new();
    whole.write_csv(&mut csv).unwrap();
    assert_eq!(text.as_bytes(), csv);
    for cut in 0..=text.len() {
        if cut % 97 != 0 && cut != text.len() {
            continue;
        }
        fs::write(&path, &text[..cut]).unwrap();
        let ran = AtomicUsize::new(0);
        let results = sweep().run_into(&path, 2, |trial| {
            ran.fetch_add(1, Ordering::Relaxed);
            model(trial)
        });
        assert_eq!(results.unwrap(), whole, "cut off after {cut} bytes");
        let kept = text[..cut].matches('\n').count().saturating_sub(1);
        assert_eq!(ran.into_inner(), 24 - kept);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_panic_of_the_model_loses_only_its_own_row() {
    let path = path("panic");
    let panics = |trial: &Trial| if trial.number() == 5 { panic!("trial 5") } else { model(trial) };
    assert!(std::panic::catch_unwind(|| sweep().run_into(&path, 1, panics)).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 6, "the names and five rows");
    assert_eq!(sweep().run_into(&path, 1, model).unwrap(), sweep().run(1, model));
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_of_another_sweep_is_refused_and_kept() {
    let path = path("other");
    sweep().run_into(&path, 1, model).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let others = [
        Sweep::new(8).vary("a", [1.0, 2.0]).vary("b", [0.5, 0.25, 0.1]).replicates(4),
        Sweep::new(9).vary("a", [1.0, 2.0]).vary("c", [0.5, 0.25, 0.1]).replicates(4),
        Sweep::new(9).vary("a", [1.0]).vary("b", [0.5, 0.25, 0.1]).replicates(4),
    ];
    for other in others {
        let error = other.run_into(&path, 1, |_| unreachable!("nothing is run")).unwrap_err();
        assert!(error.to_string().contains("a row of another sweep"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    for garbage in [
        "trial,hash\n0,xyz\n",
        "no csv of a sweep\nat all\n",
        "a,b\n1\n",
        "trial,a,b,replicate,seed,hash\n0,1,0.5,0,x,0\n",
    ] {
        fs::write(&path, garbage).unwrap();
        assert!(sweep().run_into(&path, 1, |_| unreachable!("nothing is run")).is_err(), "{garbage}");
        assert_eq!(fs::read_to_string(&path).unwrap(), garbage);
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn means_have_standard_errors() {
    let results = Sweep::new(1)
        .vary("a", [1.0, 2.0])
        .replicates(3)
        .run(2, |trial| Outcome::new(0).with("x", trial.value("a") * trial.replicate() as f64));
    let means = results.means("x");
    assert_eq!((means[0].mean, means[1].mean), (1.0, 2.0));
    assert!((means[0].error - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
}
