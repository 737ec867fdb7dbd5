//! Versions that differ, tokens, and servers that were started again.

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, MessageError, Server, VersionDifference, same_token};
use serde::{Deserialize, Serialize};

use crate::game::{Game, GameClient, GameServer, Input, Name, Place, Room, Shown, View, client, room};
use crate::hostile::sealed;

const ANN: ClientId = ClientId(1);

/// The types of a later version of the program.
mod later {
    use super::*;

    #[derive(Component, Clone, Serialize, Deserialize)]
    pub(super) struct Place(i32, i32, i32);
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub(super) enum Input {
        Step(i32, i32, i32),
    }

    world! { #[derive(Clone)] pub(super) struct View { components { Place, Name } } }
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Extra(u8);
world! { #[derive(Clone)] struct Wide { components { Place, Name, Extra } } }

/// The difference that a client finds, which the server then reads.
fn difference<S: ecs::save::ComponentList<Game>, W: World, I, C: ecs::save::ComponentList<W>>(
    mut world: W,
) -> VersionDifference
where
    I: Serialize + serde::de::DeserializeOwned,
{
    let mut game = Game::new();
    game.spawn((Place(1, 2), Name("x".into())));
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut client = Client::<W, I>::new::<C>(Replica::new(), 1 << 20);
    let message = server.messages(&mut game, 1, |_, _| Selection::of::<S>()).unwrap().remove(0).1;
    let Err(MessageError::OtherVersion(found)) = client.receive(&mut world, &message) else {
        panic!("another version");
    };
    assert_eq!((client.frame(), client.replica().len()), (0, 0), "nothing was applied");
    let told = server.receive(ANN, &client.message().unwrap());
    assert!(matches!(told, Err(MessageError::OtherVersion(told)) if told == found));
    found
}

#[test]
fn a_client_of_another_version_is_told_the_component_that_differs() {
    let component = |name: &str| name.to_owned();
    let found = difference::<(Place, Name), _, Input, (later::Place, Name)>(later::View::new());
    assert_eq!(found, VersionDifference::Layout { component: component("Place") });
    let found = difference::<(Place, Name), _, Input, Place>(Wide::new());
    assert_eq!(found, VersionDifference::ServerOnly { component: component("Name") });
    let found = difference::<(Place, Name), _, Input, (Place, Extra, Name)>(Wide::new());
    assert_eq!(found, VersionDifference::ClientOnly { component: component("Extra") });
    let found = difference::<(Place, Name), _, Input, (Name, Place)>(Wide::new());
    assert_eq!(found, VersionDifference::Order { component: component("Place") });
    let found = difference::<(Place, Name), _, later::Input, (Place, Name)>(Wide::new());
    assert_eq!(found, VersionDifference::Inputs);
    let error = MessageError::OtherVersion(found).to_string();
    assert_eq!(error, "client and server differ: the type of the inputs has another layout on the server");
}

#[test]
fn events_of_another_version_are_found() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = Server::<Game, Input, u8>::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = Client::<View, Input, u16>::new::<Shown>(Replica::new(), 1 << 20);
    let message = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    let found = ann.receive(&mut view, &message);
    assert!(matches!(found, Err(MessageError::OtherVersion(VersionDifference::Events))));
}

#[test]
fn a_difference_from_the_network_is_bounded_and_written_with_escapes() {
    #[derive(Serialize)]
    struct Forged {
        connection: u64,
        difference: VersionDifference,
    }
    let mut server = GameServer::new(1, Limits::default());
    server.connect(ANN);
    let mut told = |component: String| {
        let difference = VersionDifference::Layout { component };
        let forged = Forged { connection: (1 << 32) + 1, difference };
        let bytes = postcard::to_stdvec(&forged).unwrap();
        server.receive(ANN, &sealed([b"erv3\0\0\0\0", &bytes[..]].concat()))
    };
    assert!(told("x".repeat(300)).is_ok(), "a name that no component has");
    let error = told("\u{1b}[2J".into()).unwrap_err().to_string();
    assert!(error.contains("\\u{1b}[2J"), "{error}");
    for body in [&b""[..], b"\x01", b"\x81\x80\x80\x80\x10\x09", b"\x81\x80\x80\x80\x10\x00\xff\xff\xff\x7fx"]
    {
        let bytes = sealed([b"erv3\0\0\0\0", body].concat());
        assert!(matches!(server.receive(ANN, &bytes), Err(MessageError::Damaged)));
    }
}

fn with_token(token: &[u8]) -> GameClient {
    client().token(token)
}

/// Gives a datagram to the server, as a program does.
fn arrives(server: &mut GameServer, from: ClientId, bytes: &[u8]) -> Result<Vec<Input>, Vec<u8>> {
    match server.join(from, bytes, |token| same_token(token, b"secret")) {
        Ok(true) => Ok(Vec::new()),
        Ok(false) => Ok(server.receive(from, bytes).unwrap()),
        Err(error) => Err(server.refusal(&error)),
    }
}

#[test]
fn a_client_joins_by_its_token() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    game.spawn((Place(1, 1), Room(1)));
    let (mut ann, mut eve) = (with_token(b"secret"), with_token(b"secret2"));
    let refusal = arrives(&mut server, ClientId(2), &eve.message().unwrap()).unwrap_err();
    assert!(matches!(eve.receive(&mut View::new(), &refusal), Err(MessageError::Refused)));
    assert_eq!(server.clients().count(), 0);
    // a join that is repeated connects once
    let join = ann.message().unwrap();
    for _ in 0..3 {
        assert!(arrives(&mut server, ANN, &join).is_ok());
    }
    let messages = server.messages(&mut game, 1, room).unwrap();
    assert!(ann.receive(&mut view, &messages[0].1).unwrap());
    ann.input(Input::Step(1, 0));
    assert_eq!(arrives(&mut server, ANN, &ann.message().unwrap()).unwrap(), [Input::Step(1, 0)]);
    // a copy of it that comes late changes nothing, for the first frames
    assert!(arrives(&mut server, ANN, &join).is_ok());
    assert_eq!(server.acknowledged(ANN), Some(1));
    // a program that is started anew joins again after that
    (2..20).for_each(|frame| _ = server.messages(&mut game, frame, room).unwrap());
    let (mut again, mut empty) = (with_token(b"secret"), View::new());
    assert!(arrives(&mut server, ANN, &again.message().unwrap()).is_ok());
    let messages = server.messages(&mut game, 20, room).unwrap();
    assert!(again.receive(&mut empty, &messages[0].1).unwrap());
    assert_eq!(again.replica().len(), 1);
}

#[test]
fn a_server_that_was_started_again_is_found() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    let mut ann = with_token(b"secret");
    game.spawn((Place(1, 1), Room(1)));
    let mut old = Vec::new();
    for frame in 1..=10 {
        old = ann.message().unwrap();
        assert!(arrives(&mut server, ANN, &old).is_ok());
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            ann.receive(&mut view, &message).unwrap();
        }
    }
    let late = server.refusal(&MessageError::NotConnected);
    // without a save: frames begin anew, and the server does not know the client
    let mut server = GameServer::new(2, Limits::default());
    let refusal = arrives(&mut server, ANN, &ann.message().unwrap()).unwrap_err();
    assert!(!ann.receive(&mut view, &refusal).unwrap());
    assert!(arrives(&mut server, ANN, &ann.message().unwrap()).is_ok());
    // an acknowledgement for the server before is not believed
    assert_eq!(arrives(&mut server, ANN, &old).unwrap(), []);
    assert_eq!(server.acknowledged(ANN), Some(0));
    for frame in 1..=3 {
        for (_, message) in server.messages(&mut game, frame, room).unwrap() {
            assert!(ann.receive(&mut view, &message).unwrap());
        }
        assert!(arrives(&mut server, ANN, &ann.message().unwrap()).is_ok());
    }
    assert_eq!((ann.frame(), server.acknowledged(ANN)), (3, Some(3)));
    // a refusal of the server before changes nothing
    assert!(!ann.receive(&mut view, &late).unwrap());
    ann.input(Input::Step(0, 1));
    assert_eq!(arrives(&mut server, ANN, &ann.message().unwrap()).unwrap(), [Input::Step(0, 1)]);
}

/// The server has inputs of the earlier program, and no answer to the state that it sends now.
#[test]
fn a_program_that_is_started_anew_while_its_connection_begins_anew_joins_again() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    let mut ann = with_token(b"secret");
    game.spawn((Place(1, 1), Room(1)));
    arrives(&mut server, ANN, &ann.message().unwrap()).unwrap();
    ann.receive(&mut view, &server.messages(&mut game, 1, room).unwrap()[0].1).unwrap();
    ann.input(Input::Step(1, 0));
    assert_eq!(arrives(&mut server, ANN, &ann.message().unwrap()).unwrap().len(), 1);
    server.set_budget(ANN, Some(200));
    let (mut ann, mut view) = (with_token(b"secret"), View::new());
    for frame in 2..20 {
        ann.receive(&mut view, &server.messages(&mut game, frame, room).unwrap()[0].1).unwrap();
        arrives(&mut server, ANN, &ann.message().unwrap()).unwrap();
    }
    assert_eq!((ann.frame(), ann.replica().len()), (19, 1));
}

#[test]
fn a_program_joins_again_if_messages_of_an_earlier_one_arrive() {
    let (mut game, mut view) = (Game::new(), View::new());
    let mut server = GameServer::new(1, Limits::default());
    let mut ann = with_token(b"secret");
    game.spawn((Place(1, 1), Room(1)));
    arrives(&mut server, ANN, &ann.message().unwrap()).unwrap();
    let first = server.messages(&mut game, 1, room).unwrap().remove(0).1;
    ann.receive(&mut view, &first).unwrap();
    ann.input(Input::Step(1, 0));
    let late = ann.message().unwrap();
    let (mut ann, mut view) = (with_token(b"secret"), View::new());
    assert!(ann.receive(&mut view, &first).unwrap());
    assert_eq!(arrives(&mut server, ANN, &late).unwrap().len(), 1);
    let mut refused = 0;
    for frame in 2..20 {
        let message = server.messages(&mut game, frame, room).unwrap().remove(0).1;
        refused += u32::from(ann.receive(&mut view, &message).is_err());
        arrives(&mut server, ANN, &ann.message().unwrap()).unwrap();
    }
    assert!(refused < 9 && ann.frame() == 19, "{refused}, {}", ann.frame());
}

#[test]
fn a_client_without_a_token_is_told_that_it_is_not_connected() {
    let server = GameServer::new(1, Limits::default());
    let refusal = server.refusal(&MessageError::NotConnected);
    assert!(matches!(client().receive(&mut View::new(), &refusal), Err(MessageError::NotConnected)));
    for cut in 0..refusal.len() {
        assert!(client().receive(&mut View::new(), &refusal[..cut]).is_err());
    }
}

#[test]
fn hostile_joins_are_refused() {
    let mut server = GameServer::new(1, Limits::default());
    let accepts = |_: &[u8]| panic!("not asked");
    let long = with_token(&[7; 5_000]).message().unwrap();
    assert!(matches!(server.join(ANN, &long, accepts), Err(MessageError::TooLong { limit: 4_096, .. })));
    let mut damaged = with_token(b"secret").message().unwrap();
    damaged[9] ^= 1;
    assert!(matches!(server.join(ANN, &damaged, accepts), Err(MessageError::Damaged)));
    assert!(matches!(server.join(ANN, b"", accepts), Err(MessageError::NotConnected)));
    assert_eq!(server.clients().count(), 0);
    // any bytes are a token, and the program decides
    let join = with_token(b"").message().unwrap();
    assert!(server.join(ANN, &join, |token| token.is_empty()).unwrap());
    assert!(!server.join(ANN, &join, accepts).unwrap(), "it is connected");
}

#[test]
fn tokens_are_equal_if_all_their_bytes_are() {
    let same = |one: &[u8], two: &[u8]| same_token(one, two);
    assert!(same(b"", b"") && same(b"abc", b"abc"));
    assert!(!same(b"abc", b"") && !same(b"", b"abc") && !same(b"abcabc", b"abc") && !same(b"abc", b"abcabc"));
    assert!((0..3).all(|at| {
        let mut other = *b"abc";
        other[at] ^= 0x80;
        !same(&other, b"abc")
    }));
}
