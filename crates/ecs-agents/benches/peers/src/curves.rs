//! The sheep and the wolves of all four, as means over the seeds, drawn by the crate's recorder.

use ecs_agents::prelude::*;

use crate::{Each, SEEDS, bevy, krabmaga, mesa, ours};

const STEPS: usize = 99;

/// The means over the seeds, step by step, of a function that calls back with the numbers after each
/// step.
fn means(run: impl Fn(u64, Each)) -> Vec<[f64; 2]> {
    let mut sums = vec![[0.0; 2]; STEPS];
    for seed in 0..SEEDS {
        let mut step = 0;
        run(seed, &mut |numbers| {
            if let Some(sum) = sums.get_mut(step) {
                [0, 1].into_iter().for_each(|kind| sum[kind] += numbers[kind] as f64);
            }
            step += 1;
        });
    }
    sums.iter().map(|sum| sum.map(|sum| sum / SEEDS as f64)).collect()
}

/// Draws them into a file of SVG.
pub(crate) fn draw(path: &str, python: Option<&str>) {
    let (name, width, numbers, rules) = ours::MEADOWS[1];
    let mut curves = vec![
        ("checked-ecs", means(|seed, each| drop(ours::wolf_sheep(seed, width, numbers, rules, each)))),
        (
            "bevy_ecs",
            means(|seed, each| bevy::wolf_sheep::wolf_sheep(seed, width, numbers, rules, 100, each)),
        ),
        ("krABMaga", means(|seed, each| krabmaga::wolf_sheep(seed, width, numbers, rules, 100, each))),
    ];
    curves.extend(python.map(|python| ("mesa", mesa::curves(python, name))));
    let mut recorder = Recorder::<usize>::new();
    let mut names = Vec::new();
    for (peer, curve) in curves {
        for (kind, animals) in ["sheep", "wolves"].into_iter().enumerate() {
            let curve: Vec<f64> = curve.iter().map(|numbers| numbers[kind]).collect();
            names.push(format!("{animals}, {peer}"));
            recorder = recorder.column(&names[names.len() - 1], move |&step| curve[step]);
        }
    }
    run(&mut 0, |step| *step += 1, STEPS as u64 - 1, &mut recorder);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    std::fs::write(path, recorder.table().plot(&names).expect("finite numbers")).expect("it can be written");
}
