//! Every small example prints exactly its file in `outputs/`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The path of a built example, in the profile of this test.
fn built(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("a running test has a path");
    let profile = this.ancestors().nth(2).expect("tests stand in a folder of the profile's");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn prints_as_recorded(name: &str) {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("outputs").join(format!("{name}.txt"));
    let expected = std::fs::read_to_string(&recorded).expect("every example has a recorded output");
    let output = Command::new(built(name)).output().expect("the example was built with this test");
    assert!(output.status.success(), "{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name} prints something else");
}

macro_rules! examples {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            prints_as_recorded(stringify!($name));
        }
    )*};
}
examples!(hello queries bundles events structure reactions family stages rollback history generic swap_minds);
examples!(definitions mods parts names prefabs autosave lobby unit_tests);
