//! A server with several worlds on tokio: each room is a task that owns its world, and connections
//! send it messages.

use ecs::prelude::*;
use tokio::sync::{mpsc, oneshot};

#[derive(Component)]
struct Player(String);

#[derive(Component)]
struct Score(u32);

world! {
    struct Room { components { Player, Score } }
    schedule tick { reward }
}

#[system(Room)]
fn reward(score: &mut Score, player: &Player) {
    score.0 += player.0.len() as u32;
}

/// A message to a room. An answer is sent back through a channel of its own.
enum Message {
    Join(String),
    Tick,
    Scores(oneshot::Sender<Vec<(String, u32)>>),
}

/// The task of a room. A world is `Send`, so the task may run on any thread; no lock is needed,
/// since the task owns the world.
async fn run(mut messages: mpsc::Receiver<Message>) {
    let mut room = Room::new();
    while let Some(message) = messages.recv().await {
        match message {
            Message::Join(name) => drop(room.spawn((Player(name), Score(0)))),
            Message::Tick => room.tick(),
            Message::Scores(answer) => {
                let scores = room.query::<(&Player, &Score)>();
                // a client that has left waits for no answer
                let _ =
                    answer.send(scores.iter().map(|(player, score)| (player.0.clone(), score.0)).collect());
            }
        }
    }
}

async fn play() -> Result<(), Box<dyn std::error::Error>> {
    for (number, names) in [["ann", "ben"], ["carla", "dee"]].into_iter().enumerate() {
        let (room, messages) = mpsc::channel(16);
        let task = tokio::spawn(run(messages));
        for name in names {
            room.send(Message::Join(name.into())).await?;
            room.send(Message::Tick).await?;
        }
        let (answer, scores) = oneshot::channel();
        room.send(Message::Scores(answer)).await?;
        println!("room {number}: {:?}", scores.await?);
        drop(room); // the task ends with its last sender
        task.await?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().build()?.block_on(play())
}
