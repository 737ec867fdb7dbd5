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

/// The numbers of points in each of `parts` equal parts of 0 to 1.
fn counts(places: impl Iterator<Item = f64>, parts: usize) -> Vec<usize> {
    let mut counts = vec![0; parts];
    places.for_each(|place| counts[(place * parts as f64) as usize] += 1);
    counts
}

#[test]
fn each_part_of_a_range_has_one_point_of_a_latin_hypercube() {
    for (seed, points) in [(1, 1), (2, 7), (3, 50), (4, 64)] {
        let ranges = [("a", 0.0..1.0), ("b", -3.0..5.0), ("c", 0.0..1.0)];
        let trials = Sweep::new(seed).latin_hypercube(points, ranges).trials();
        assert_eq!(trials.len(), points);
        let places = |name: &str| trials.iter().map(|trial| trial.value(name)).collect::<Vec<_>>();
        let one_each = vec![1; points];
        assert_eq!(counts(places("a").into_iter(), points), one_each);
        assert_eq!(counts(places("b").into_iter().map(|b| (b + 3.0) / 8.0), points), one_each);
        assert!(points == 1 || places("a") != places("c"), "each parameter has draws of its own");
        // in random order, and at random places of the parts
        assert!(points < 50 || !places("a").is_sorted());
        assert!(places("a").iter().all(|a| (a * points as f64).fract() != 0.5));
    }
    let of = |seed| Sweep::new(seed).latin_hypercube(9, [("a", 0.0..1.0)]).trials()[0].value("a");
    assert!(of(1) == of(1) && of(1) != of(2), "the points follow from the seed");
}

#[cfg(feature = "sobol")]
#[test]
fn a_sobol_sequence_fills_lines_and_planes() {
    let names: Vec<String> = (0..6).map(|i| format!("p{i}")).collect();
    let trials = Sweep::new(5).sobol(64, names.iter().map(|name| (name.as_str(), 0.0..1.0))).trials();
    // each first 2ⁿ points have one in each of 2ⁿ parts of each parameter
    for points in [8, 16, 32, 64] {
        for name in &names {
            let places = trials[..points].iter().map(|trial| trial.value(name));
            assert_eq!(counts(places, points), vec![1; points], "{name}");
        }
    }
    // the first two parameters: one point in each of 8 x 8 squares
    let square = |trial: &Trial| (trial.value("p0") * 8.0).floor() / 8.0 + trial.value("p1") / 8.0;
    assert_eq!(counts(trials.iter().map(square), 64), vec![1; 64]);
    let first = |seed| Sweep::new(seed).sobol(1, [("a", 0.0..1.0)]).trials()[0].value("a");
    assert!(first(1) == first(1) && first(1) != first(2), "the scrambling follows from the seed");
}

/// Designs are sweeps as others: the same on any number of threads, and resumed.
#[test]
fn a_design_has_the_same_rows_whatever_the_threads_and_goes_on_where_it_was() {
    let design = || {
        let sweep = Sweep::new(9).latin_hypercube(5, [("a", 0.5..2.0), ("c", 0.0..1e-3)]);
        #[cfg(feature = "sobol")]
        let sweep = sweep.sobol(4, [("d", -1.0..1.0)]);
        sweep.vary_together(["b", "e"], [[0.5, 1.0], [0.25, 2.0]]).replicates(2)
    };
    let (whole, path) = (design().run(1, model), path("design"));
    let points = if cfg!(feature = "sobol") { 5 * 4 } else { 5 };
    assert_eq!(whole.rows().len(), points * 2 * 2);
    assert_eq!(whole, design().run(3, model));
    design().run_into(&path, 2, model).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for cut in [0, text.len() / 3, text.len() / 2, text.len()] {
        fs::write(&path, &text[..cut]).unwrap();
        assert_eq!(design().run_into(&path, 2, model).unwrap(), whole, "cut off after {cut} bytes");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let other = Sweep::new(9).latin_hypercube(5, [("a", 0.5..2.1), ("c", 0.0..1e-3)]).replicates(2);
    assert!(other.run_into(&path, 1, |_| unreachable!("nothing is run")).is_err());
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_parameter_is_named_once_and_has_a_range() {
    let message = |make: fn() -> Sweep| {
        let panic = std::panic::catch_unwind(make).unwrap_err();
        panic.downcast::<String>().map(|text| *text).unwrap()
    };
    let twice = message(|| Sweep::new(1).vary("a", [1.0]).latin_hypercube(2, [("a", 0.0..1.0)]));
    assert_eq!(twice, "the sweep varies `a` twice");
    assert_eq!(message(|| Sweep::new(1).vary_together(["a", "a"], [])), "the sweep varies `a` twice");
    for range in [1.0..1.0, 2.0..1.0, 0.0..f64::INFINITY, f64::NAN..1.0, f64::MIN..f64::MAX] {
        let panics = std::panic::catch_unwind(|| Sweep::new(1).latin_hypercube(2, [("a", range.clone())]));
        let text = panics.unwrap_err().downcast::<String>().unwrap();
        assert!(text.starts_with("the range of `a`, ") && text.ends_with("is empty or not finite"), "{text}");
    }
}

#[test]
fn parts_of_a_sweep_are_put_together() {
    let whole = sweep().run(1, model);
    // more parts than trials: the last ones are empty
    let files: Vec<PathBuf> = (0..30).map(|part| path(&format!("part-{part}"))).collect();
    for (part, file) in files.iter().enumerate() {
        let rows = sweep().part(part, 30).run_into(file, 2, model).unwrap();
        assert!(rows.rows().iter().all(|row| row.trial.number() == part));
        assert_eq!(
            rows,
            sweep().part(part, 30).run_into(file, 2, |_| unreachable!("nothing is left")).unwrap()
        );
    }
    assert_eq!(sweep().gather(&files).unwrap(), whole);
    assert_eq!(sweep().gather(files.iter().rev().chain(&files[3..9])).unwrap(), whole);

    let missing = sweep().gather(files[..20].iter().chain(&files[21..])).unwrap_err();
    assert_eq!(missing.to_string(), "the files have 23 of 24 trials: 20 is missing");
    let other = path("differs");
    let differs = |trial: &Trial| Outcome { hash: 0, ..model(trial) };
    sweep().part(7, 24).run_into(&other, 1, differs).unwrap();
    let error = sweep().gather(files.iter().chain([&other])).unwrap_err();
    assert_eq!(error.to_string(), "two files differ in the outcome of trial 7");
    let another = Sweep::new(8).vary("a", [1.0, 2.0]).gather(&files).unwrap_err();
    assert!(another.to_string().contains("a row of another sweep"), "{another}");
    files.iter().chain([&other]).for_each(|file| fs::remove_file(file).unwrap());
}

#[test]
fn a_number_that_is_nan_does_not_differ_from_itself() {
    let files = [path("nan-0"), path("nan-1")];
    let nan = |trial: &Trial| model(trial).with("nan", f64::NAN);
    files.iter().for_each(|file| _ = sweep().run_into(file, 1, nan).unwrap());
    assert_eq!(sweep().gather(&files).unwrap().rows().len(), 24);
    files.iter().for_each(|file| fs::remove_file(file).unwrap());
}
