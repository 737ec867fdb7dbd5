# The daily commands; `just` lists them.
default:
    @just --list

# the game
dungeon *arguments:
    cargo run --release -p dungeon -- {{arguments}}

# everything that is tested
test:
    cargo test

# one subject of behaviour tests: world, query, schedule, save or optional
behaviour subject name="":
    cargo test -p ecs-tests --test {{subject}} {{name}}

# the random tests with other cases than each run has, and five times as many
explore:
    PROPTEST_RNG_SEED=$RANDOM PROPTEST_CASES=1500 cargo test -p ecs-tests --test model --test limits

# the compile-fail cases whose path contains a text
ui name="":
    cargo test -p ecs-tests --test ui -- refused {{ if name == "" { "" } else { "trybuild=" + name } }}

# writes the messages of these cases anew, to be read afterwards
ui-overwrite name="":
    TRYBUILD=overwrite cargo test -p ecs-tests --test ui -- refused {{ if name == "" { "" } else { "trybuild=" + name } }}

# writes the guide's quotations of messages anew
guide-overwrite:
    GUIDE=overwrite cargo test -p ecs-guide --test text

# formats and lints
lint:
    cargo fmt --all
    cargo clippy --all-targets -- -D warnings

# measures one workload
bench workload:
    cargo run --release --manifest-path ecs/benches/Cargo.toml -- --only {{workload}}

# all that must hold before a change lands
ci:
    .ci/run
