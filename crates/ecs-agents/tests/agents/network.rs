//! Networks: known properties of the models, measures beside those of `petgraph`, and relations.

use ecs::Many;
use ecs::prelude::*;
use ecs_agents::network::petgraph::algo::{connected_components, dijkstra};
use ecs_agents::network::petgraph::graph::NodeIndex;
use ecs_agents::prelude::*;

#[derive(Relation, Clone)]
#[relation(many, symmetric)]
struct Knows(Entity);

#[derive(Relation, Clone)]
#[relation(many)]
struct Follows(Entity);

world! {
    struct Town { components { Many<Knows>, Many<Follows> } }
}

fn edges(network: &Network) -> Vec<(u32, u32)> {
    network.edges().collect()
}

#[test]
fn an_edge_is_there_once_and_in_both_lists() {
    let network = Network::from_edges(5, [(3, 1), (1, 3), (1, 3), (2, 2), (0, 1), (4, 3)]);
    assert_eq!(edges(&network), [(0, 1), (1, 3), (3, 4)]);
    assert_eq!((network.neighbours(1), network.neighbours(2)), ([0, 3].as_slice(), [].as_slice()));
    assert_eq!(network.degree_distribution(), [1, 2, 2]);
    assert!(Network::from_edges(0, []).is_empty());
    assert_eq!(Network::complete(6).edges().count(), 15);
}

#[test]
#[should_panic(expected = "an edge has node 5, and the network has 5 nodes")]
fn an_edge_to_a_missing_node_is_refused() {
    _ = Network::from_edges(5, [(3, 5)]);
}

#[test]
fn preferential_attachment_has_hubs_and_a_least_degree() {
    for (nodes, each) in [(2, 1), (500, 1), (2000, 3), (60, 20)] {
        let network = Network::barabasi_albert(nodes, each, &mut Random::new(4));
        let expected = each * (each + 1) / 2 + (nodes - each - 1) * each;
        assert_eq!(network.edges().count(), expected as usize);
        let degrees = (0..nodes).map(|node| network.degree(node));
        assert_eq!(degrees.clone().min(), Some(each as usize));
        assert!(nodes < 2000 || degrees.max().unwrap() > 60, "a hub has many edges");
        assert!(network.components().iter().all(|&component| component == 0));
        assert_eq!(network, Network::barabasi_albert(nodes, each, &mut Random::new(4)));
    }
    let [one, other] = [1, 2].map(|seed| Network::barabasi_albert(100, 2, &mut Random::new(seed)));
    assert_ne!(one, other);
}

#[test]
fn a_small_world_is_a_ring_with_other_ends() {
    let ring = Network::watts_strogatz(1000, 6, 0.0, &mut Random::new(1));
    assert_eq!(ring, Network::ring(1000, 6));
    assert!((0..1000).all(|node| ring.degree(node) == 6));
    assert!((ring.mean_clustering() - 0.6).abs() < 1e-12, "3 (k - 2) / 4 (k - 1)");
    assert_eq!(ring.distances(0)[500], Some(500_u32.div_ceil(3)));

    let few = Network::watts_strogatz(1000, 6, 0.05, &mut Random::new(1));
    assert_eq!(few.edges().count(), 3000);
    assert!(few.mean_clustering() > 0.45, "still clustered");
    let far = few.distances(0).into_iter().flatten().max().unwrap();
    assert!(far < 40, "a small world, not {far}");

    let random = Network::watts_strogatz(1000, 6, 1.0, &mut Random::new(1));
    assert_eq!(random.edges().count(), 3000);
    assert!((0..1000).all(|node| random.degree(node) >= 3), "each node keeps one end of three edges");
    assert!(random.mean_clustering() < 0.03);
    // where each node has an edge to each other one, there is no other end
    assert_eq!(Network::watts_strogatz(5, 4, 1.0, &mut Random::new(1)), Network::complete(5));
}

#[test]
fn a_random_network_has_the_mean_number_of_edges() {
    for (nodes, probability) in [(400, 0.01), (400, 0.5), (300, 0.9), (5000, 0.0005)] {
        let pairs = f64::from(nodes) * f64::from(nodes - 1) / 2.0;
        let numbers = (0..20).map(|seed| {
            Network::erdos_renyi(nodes, probability, &mut Random::new(seed)).edges().count() as f64
        });
        let mean = numbers.sum::<f64>() / 20.0;
        let error = (pairs * probability * (1.0 - probability) / 20.0).sqrt();
        assert!((mean - pairs * probability).abs() < 4.0 * error, "{nodes} {probability}: {mean}");
    }
    let all = Network::erdos_renyi(400, 0.1, &mut Random::new(3));
    let (low, high) =
        (0..200).map(|node| (all.degree(node), all.degree(node + 200))).unzip::<_, _, Vec<_>, Vec<_>>();
    let [low, high] = [low, high].map(|degrees| degrees.iter().sum::<usize>() as f64 / 200.0);
    assert!((low - 39.9).abs() < 2.0 && (high - 39.9).abs() < 2.0, "no node is preferred: {low} {high}");
    for nodes in 0..4 {
        assert_eq!(Network::erdos_renyi(nodes, 1.0, &mut Random::new(1)), Network::complete(nodes));
        assert_eq!(Network::erdos_renyi(nodes, 0.0, &mut Random::new(1)).edges().count(), 0);
    }
}

#[test]
fn measures_agree_with_petgraph_and_with_a_search() {
    for seed in 0..20 {
        let network = Network::erdos_renyi(60, 0.03 + 0.005 * seed as f64, &mut Random::new(seed));
        let graph = network.to_petgraph();
        assert_eq!(Network::from_petgraph(&graph), network);
        let components = network.components();
        let number = components.iter().max().unwrap() + 1;
        assert_eq!(number as usize, connected_components(&graph));
        for from in [0, 17, 59] {
            let expected = dijkstra(&graph, NodeIndex::new(from as usize), None, |_| 1_u32);
            let distances = network.distances(from);
            for to in 0..60 {
                let distance = expected.get(&NodeIndex::new(to as usize)).copied();
                assert_eq!(distances[to as usize], distance);
                assert_eq!(components[to as usize] == components[from as usize], distance.is_some());
                let path = network.shortest_path(from, to);
                assert_eq!(path.as_ref().map(|path| path.len() as u32 - 1), distance);
                for pair in path.iter().flat_map(|path| path.windows(2)) {
                    assert!(network.neighbours(pair[0]).contains(&pair[1]));
                }
            }
        }
        for node in 0..60 {
            let near = network.neighbours(node);
            let pairs = near.iter().flat_map(|a| near.iter().map(move |b| (a, b))).filter(|(a, b)| a < b);
            let linked = pairs.clone().filter(|&(&a, b)| network.neighbours(a).contains(b)).count();
            let expected = if near.len() < 2 { 0.0 } else { linked as f64 / pairs.count() as f64 };
            assert_eq!(network.clustering(node), expected);
        }
    }
    let hub = Network::from_edges(100, (1..100).map(|node| (0, node)).chain([(1, 2), (3, 4)]));
    assert_eq!((hub.clustering(1), hub.clustering(0)), (1.0, 4.0 / (99.0 * 98.0)));
}

#[test]
fn a_network_becomes_a_relation_and_back() {
    let network = Network::barabasi_albert(300, 2, &mut Random::new(9));
    let mut town = Town::new();
    let agents: Vec<Entity> = town.spawn_batch([(); 301]).collect();
    assert_eq!(network.relate(&mut town, &agents, Knows).unwrap(), network.edges().count());
    assert_eq!(network.relate(&mut town, &agents, Follows).unwrap(), network.edges().count());
    assert_eq!(Network::of::<Knows, _>(&town, &agents[..300]), network);
    assert_eq!(Network::of::<Follows, _>(&town, &agents[..300]), network);
    for node in 0..300 {
        let near = network.neighbours(node).iter().map(|&near| agents[near as usize]);
        let known = town.relations::<Knows>(agents[node as usize]).iter().map(|knows| knows.0);
        assert!(known.eq(near.clone()));
        assert_eq!(town.relations::<Follows>(agents[node as usize]).len(), near.len());
    }
    // who has died is not in the network, and no list of the others has it
    town.despawn(agents[0]).unwrap();
    let rest = Network::of::<Knows, _>(&town, &agents[1..300]);
    assert!(rest.edges().eq(network.edges().filter(|&(a, _)| a != 0).map(|(a, b)| (a - 1, b - 1))));
    assert!(network.relate(&mut town, &agents, Knows).is_err());
}

#[test]
fn a_list_of_edges_is_read_and_a_wrong_line_named() {
    let read = |text: &str| Network::read_edges(text.as_bytes(), 100, 4);
    let expected = Network::from_edges(8, [(0, 1), (1, 7)]);
    for text in [
        "0 1\n1 7\n",
        "source,target,weight\n0,1,0.5\n1,7,2\n",
        "\u{FEFF}from;to\r\n0;1\r\n\r\n7;1",
        "# a comment\n% another\n  0\t1\n7\t1\n1\t7\n",
    ] {
        assert_eq!(read(text).unwrap(), expected, "{text}");
    }
    assert_eq!(read("").unwrap().len(), 0);
    for (text, message) in [
        ("0 1\n\n1 x\n", "line 3 of the list of edges: `x` is not the number of a node"),
        ("0 1\n-1 2", "line 2 of the list of edges: `-1` is not the number of a node"),
        ("0 1\n7", "line 2 of the list of edges: `7` is one column, not two"),
        ("0 1\n1 \x1b[2J", "line 2 of the list of edges: `\\u{1b}[2J` is not the number of a node"),
        ("a b\nc d", "line 2 of the list of edges: `c` is not the number of a node"),
        ("a 1", "line 1 of the list of edges: `a` is not the number of a node"),
        ("0 100", "line 1 of the list of edges: node 100, and at most 100 nodes are allowed"),
        ("0 4294967295", "line 1 of the list of edges: `4294967295` is not the number of a node"),
        ("0 1\n0 2\n0 3\n0 4\n0 5", "line 5 of the list of edges: more than 4 edges"),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
    let long = "0 1\n".to_owned() + &" ".repeat(5000) + "0 1\n";
    assert_eq!(
        read(&long).unwrap_err().to_string(),
        "line 2 of the list of edges: it has more than 4096 bytes"
    );
    let bytes = Network::read_edges([b'0', b' ', 0xFF].as_slice(), 9, 9).unwrap_err();
    assert_eq!((bytes.line, bytes.to_string().contains("UTF-8")), (1, true));
}
