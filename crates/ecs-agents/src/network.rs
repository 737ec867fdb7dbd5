//! Networks: who knows whom, made by the models of the literature, read from a file, or taken from
//! a relation of a world, and put into one.
//!
//! A [`Network`] has nodes with numbers from 0. [`Network::relate`] makes it a relation between
//! agents, which is what a model works with: it stays right when agents die. [`Network::of`] takes it
//! from the relation again, to measure it.
//!
//! ```
//! use ecs::Many;
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Relation, Clone)]
//! #[relation(many, symmetric)]
//! struct Knows(Entity);
//!
//! #[derive(Component, PartialEq)]
//! enum Health { Well, Ill }
//!
//! world! {
//!     struct Town {
//!         include ecs_agents::random::random;
//!         components { Health, Many<Knows> }
//!     }
//!     schedule step { include ecs_agents::random::next_step; infect }
//! }
//!
//! /// Each acquaintance of someone ill falls ill with a probability of one half.
//! #[system(Town)]
//! fn infect(mut people: Query<(Entity, &Many<Knows>, &mut Health)>, random: Res<Random>) {
//!     let ill: Vec<Entity> =
//!         people.iter().filter(|(_, _, health)| **health == Health::Ill).map(|(entity, ..)| entity).collect();
//!     for person in ill {
//!         let Some((_, knows, _)) = people.get(person) else { continue };
//!         let near: Vec<Entity> = knows.iter().map(|knows| knows.0).collect();
//!         for other in near {
//!             if random.of("infect", other).random_bool(0.5) {
//!                 *people.get_mut(other).unwrap().2 = Health::Ill;
//!             }
//!         }
//!     }
//! }
//!
//! let mut random = Random::new(1);
//! let network = Network::barabasi_albert(1000, 3, &mut random);
//! let mut town = Town::new(random);
//! let people: Vec<Entity> =
//!     town.spawn_batch((0..1000).map(|i| if i == 0 { Health::Ill } else { Health::Well })).collect();
//! network.relate(&mut town, &people, Knows)?;
//! assert_eq!(Network::of::<Knows, _>(&town, &people), network);
//! for _ in 0..20 {
//!     town.step();
//! }
//! assert!(town.query::<&Health>().iter().filter(|health| **health == Health::Ill).count() > 900);
//! # Ok::<(), ecs::error::InsertError>(())
//! ```

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::io::{self, BufRead, Read};

use ecs::World;
use ecs::error::InsertError;
use ecs::prelude::*;
use ecs::relation::RelationIn;
/// The library of graphs, in the version in which [`Network`] speaks it.
#[doc(no_inline)]
pub use petgraph;
use petgraph::EdgeType;
use petgraph::graph::{Graph, IndexType, NodeIndex, UnGraph};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Geometric};

/// Nodes with numbers from 0, and edges between them: without direction, at most one between two
/// nodes, and none from a node to itself.
///
/// Two networks are equal if they have the same nodes and the same edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The neighbours of all nodes, node by node, each list in ascending order.
    neighbours: Vec<u32>,
    /// Where the list of each node begins, and the end.
    starts: Vec<usize>,
}

/// The wrong line of a list of edges, or a failed read: see [`Network::read_edges`].
#[derive(Debug)]
pub struct EdgeListError {
    /// The line, from 1.
    pub line: u64,
    reason: String,
    source: Option<io::Error>,
}

impl fmt::Display for EdgeListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the list of edges: {}", self.line, self.reason)
    }
}

impl std::error::Error for EdgeListError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// Making networks.
impl Network {
    /// A network of these edges. An edge that is given twice, also in the other direction, is there
    /// once. An edge from a node to itself is left out.
    ///
    /// # Panics
    /// If an edge has a node that is not less than `nodes`.
    #[must_use]
    pub fn from_edges(nodes: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| a != b).collect();
        // the lists of all nodes behind each other, as a counting sort makes them
        let mut starts = vec![0; nodes as usize + 1];
        for &(a, b) in &edges {
            let greater = a.max(b);
            assert!(greater < nodes, "an edge has node {greater}, and the network has {nodes} nodes");
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        let (mut ends, mut neighbours) = (starts.clone(), vec![0; 2 * edges.len()]);
        for (a, b) in edges.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            neighbours[ends[a as usize]] = b;
            ends[a as usize] += 1;
        }
        // in order, and each once
        let mut len = 0;
        for node in 0..nodes as usize {
            let (start, end) = (starts[node], ends[node]);
            neighbours[start..end].sort_unstable();
            starts[node] = len;
            for at in start..end {
                if len == starts[node] || neighbours[len - 1] != neighbours[at] {
                    neighbours[len] = neighbours[at];
                    len += 1;
                }
            }
        }
        starts[nodes as usize] = len;
        neighbours.truncate(len);
        Self { neighbours, starts }
    }

    /// A network in which each two nodes have an edge.
    #[must_use]
    pub fn complete(nodes: u32) -> Self {
        Self::from_edges(nodes, (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b))))
    }

    /// A ring in which each node has edges to its `degree` nearest nodes, half of them on each side.
    ///
    /// # Panics
    /// If `degree` is odd, or not less than `nodes`.
    #[must_use]
    pub fn ring(nodes: u32, degree: u32) -> Self {
        Self::from_edges(nodes, ring(nodes, degree))
    }

    /// A scale-free network by preferential attachment: a complete network of `edges + 1` nodes, to
    /// which nodes with `edges` edges are added one after the other. The probability of a node to
    /// get one is in proportion to the edges that it has. By Barabási and Albert, "Emergence of
    /// scaling in random networks", 1999.
    ///
    /// Each node has at least `edges` edges.
    ///
    /// # Panics
    /// If `edges` is 0, or not less than `nodes`.
    #[must_use]
    pub fn barabasi_albert(nodes: u32, edges: u32, random: &mut impl Rng) -> Self {
        assert!(
            0 < edges && edges < nodes,
            "each of {nodes} nodes is attached by {edges} edges, not by 1 to one less than there are nodes"
        );
        let first = (0..=edges).flat_map(|a| (0..a).map(move |b| (a, b)));
        let mut all: Vec<(u32, u32)> = first.collect();
        // each node as often as it has edges
        let mut ends: Vec<u32> = all.iter().flat_map(|&(a, b)| [a, b]).collect();
        let mut last_chosen_by = vec![0; nodes as usize];
        for node in edges + 1..nodes {
            let end = ends.len();
            for _ in 0..edges {
                let other = loop {
                    let other = ends[random.random_range(0..end)];
                    if last_chosen_by[other as usize] != node {
                        break other;
                    }
                };
                last_chosen_by[other as usize] = node;
                all.push((node, other));
                ends.extend([node, other]);
            }
        }
        Self::from_edges(nodes, all)
    }

    /// A small world: a [`ring`](Self::ring), of which each edge gets another second node with this
    /// probability. By Watts and Strogatz, "Collective dynamics of small-world networks", 1998.
    ///
    /// The number of edges is that of the ring.
    ///
    /// # Panics
    /// As [`ring`](Self::ring), and if the probability is not in `0.0..=1.0`.
    #[must_use]
    pub fn watts_strogatz(nodes: u32, degree: u32, probability: f64, random: &mut impl Rng) -> Self {
        check_probability(probability);
        let mut edges: Vec<(u32, u32)> = ring(nodes, degree).collect();
        let in_order = |a: u32, b: u32| (a.min(b), a.max(b));
        let mut taken: HashSet<(u32, u32)> = edges.iter().map(|&(a, b)| in_order(a, b)).collect();
        let mut degrees = vec![degree; nodes as usize];
        for edge in &mut edges {
            let (node, former) = *edge;
            // a node that has an edge to each other one keeps its edges
            if !random.random_bool(probability) || degrees[node as usize] == nodes - 1 {
                continue;
            }
            let other = loop {
                let other = random.random_range(0..nodes);
                if other != node && taken.insert(in_order(node, other)) {
                    break other;
                }
            };
            taken.remove(&in_order(node, former));
            degrees[former as usize] -= 1;
            degrees[other as usize] += 1;
            *edge = (node, other);
        }
        Self::from_edges(nodes, edges)
    }

    /// A random network, in which each two nodes have an edge with this probability. By Erdős and
    /// Rényi, "On random graphs", 1959, and Gilbert, "Random graphs", 1959.
    ///
    /// # Cost
    /// Linear in the number of nodes and edges: the number of pairs between two edges is drawn, as
    /// in Batagelj and Brandes, "Efficient generation of large random networks", 2005.
    ///
    /// # Panics
    /// If the probability is not in `0.0..=1.0`.
    #[must_use]
    pub fn erdos_renyi(nodes: u32, probability: f64, random: &mut impl Rng) -> Self {
        check_probability(probability);
        let mut edges = Vec::new();
        if let Some(skipped) = Geometric::new(probability).ok().filter(|_| probability > 0.0) {
            // the pair `(a, b)` with `b < a`, and the number of `b` may be too large for this `a`
            let (mut a, mut b) = (1, skipped.sample(random));
            while a < u64::from(nodes) {
                if b < a {
                    edges.push((a as u32, b as u32));
                    b = b.saturating_add(1).saturating_add(skipped.sample(random));
                } else {
                    b -= a;
                    a += 1;
                }
            }
        }
        Self::from_edges(nodes, edges)
    }

    /// Reads a list of edges: on each line the numbers of two nodes, with spaces, tabulators, a comma
    /// or a semicolon between them. Further columns are ignored, as are empty lines, lines that begin
    /// with `#` or `%`, and a first line without numbers, which has the names of the columns. The
    /// network has all nodes up to the greatest number. See [`from_edges`](Self::from_edges).
    ///
    /// ```
    /// # use ecs_agents::prelude::*;
    /// let csv = "source,target\n0,1\n1,2\n";
    /// let network = Network::read_edges(csv.as_bytes(), 1000, 1000).unwrap();
    /// assert_eq!((network.len(), network.edges().count()), (3, 2));
    /// let wrong = Network::read_edges("0 1\n1 x".as_bytes(), 1000, 1000).unwrap_err();
    /// assert_eq!(wrong.to_string(), "line 2 of the list of edges: `x` is not the number of a node");
    /// ```
    ///
    /// # Errors
    /// If reading fails, a line does not begin with two numbers or has more than 4,096 bytes, a
    /// number is not less than `most_nodes`, or there are more than `most_edges` edges. The error
    /// names the line.
    pub fn read_edges(
        mut from: impl BufRead,
        most_nodes: u32,
        most_edges: usize,
    ) -> Result<Self, EdgeListError> {
        let (mut edges, mut nodes, mut bytes) = (Vec::new(), 0, Vec::new());
        for line in 1.. {
            let wrong = |reason: String| EdgeListError { line, reason, source: None };
            bytes.clear();
            let read = Read::take(&mut from, LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
            match read {
                Ok(0) => break,
                Ok(_) if bytes.len() as u64 > LONGEST_LINE => {
                    return Err(wrong(format!("it has more than {LONGEST_LINE} bytes")));
                }
                Ok(_) => {}
                Err(source) => {
                    return Err(EdgeListError { line, reason: "reading fails".into(), source: Some(source) });
                }
            }
            let text = str::from_utf8(&bytes).map_err(|_| wrong("it is not UTF-8".into()))?;
            let Some((a, b)) = parse_edge(text, line).map_err(wrong)? else { continue };
            let greater = a.max(b);
            if greater >= most_nodes {
                return Err(wrong(format!("node {greater}, and at most {most_nodes} nodes are allowed")));
            }
            if edges.len() == most_edges {
                return Err(wrong(format!("more than {most_edges} edges")));
            }
            nodes = nodes.max(greater + 1);
            edges.push((a, b));
        }
        Ok(Self::from_edges(nodes, edges))
    }

    /// The network of a graph of `petgraph`: nodes by their index, edges without direction. See
    /// [`from_edges`](Self::from_edges).
    ///
    /// # Panics
    /// If the graph has 2³² nodes.
    #[must_use]
    pub fn from_petgraph<N, E, Ty: EdgeType, Ix: IndexType>(graph: &Graph<N, E, Ty, Ix>) -> Self {
        let nodes = u32::try_from(graph.node_count()).expect("a network has less than 2^32 nodes");
        let ends = graph.raw_edges().iter().map(|edge| (edge.source(), edge.target()));
        Self::from_edges(nodes, ends.map(|(a, b)| (a.index() as u32, b.index() as u32)))
    }

    /// The network as a graph of `petgraph`, for its algorithms: the index of a node is its number.
    #[must_use]
    pub fn to_petgraph(&self) -> UnGraph<(), ()> {
        let mut graph = UnGraph::with_capacity(self.len() as usize, self.neighbours.len() / 2);
        (0..self.len()).for_each(|_| _ = graph.add_node(()));
        for (a, b) in self.edges() {
            graph.add_edge(NodeIndex::new(a as usize), NodeIndex::new(b as usize), ());
        }
        graph
    }

    /// The network of a relation: a node for each of these agents, and an edge between two of them if
    /// one is related to the other. Targets that are not one of the agents are left out.
    ///
    /// # Panics
    /// If there are 2³² agents.
    #[must_use]
    pub fn of<R: RelationIn<W>, W: World>(world: &W, agents: &[Entity]) -> Self {
        let nodes = u32::try_from(agents.len()).expect("a network has less than 2^32 nodes");
        let mut numbers: Vec<(Entity, u32)> = agents.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let number = |agent: Entity| {
            let at = numbers.binary_search_by_key(&agent, |&(agent, _)| agent).ok()?;
            Some(numbers[at].1)
        };
        let edges = agents.iter().zip(0..).flat_map(|(&agent, a)| {
            let targets = world.relations::<R>(agent).iter().map(R::target);
            targets.filter_map(number).map(move |b| (a, b))
        });
        Self::from_edges(nodes, edges)
    }
}

/// The longest line of a list of edges.
const LONGEST_LINE: u64 = 4096;

/// The nodes of a line; `None` if it has none.
fn parse_edge(text: &str, line: u64) -> Result<Option<(u32, u32)>, String> {
    // the byte order mark of files of some spreadsheets
    let text = text.trim_start_matches('\u{FEFF}').trim();
    if text.is_empty() || text.starts_with(['#', '%']) {
        return Ok(None);
    }
    let mut columns = text.split([',', ';', ' ', '\t']).filter(|column| !column.is_empty());
    let (first, second) = (columns.next().unwrap_or_default(), columns.next());
    let number = |text: &str| match text.parse::<u32>() {
        Ok(number) if number < u32::MAX => Ok(number),
        _ => {
            let start: String = text.chars().take(40).collect();
            Err(format!("`{}` is not the number of a node", start.escape_debug()))
        }
    };
    let Some(second) = second else {
        return Err(format!("`{}` is one column, not two", text.escape_debug()));
    };
    match (number(first), number(second)) {
        (Err(_), Err(_)) if line == 1 => Ok(None),
        (first, second) => Ok(Some((first?, second?))),
    }
}

fn check_probability(probability: f64) {
    assert!((0.0..=1.0).contains(&probability), "the probability is {probability}, not in 0.0..=1.0");
}

/// The edges of a ring: first those to the next node, then those to the next but one.
fn ring(nodes: u32, degree: u32) -> impl Iterator<Item = (u32, u32)> {
    assert!(
        degree.is_multiple_of(2) && degree < nodes,
        "each of {nodes} nodes of a ring has {degree} neighbours, not an even number below that of nodes"
    );
    let after = move |node: u32, by: u32| ((u64::from(node) + u64::from(by)) % u64::from(nodes)) as u32;
    (1..=degree / 2).flat_map(move |by| (0..nodes).map(move |node| (node, after(node, by))))
}

/// Into a world.
impl Network {
    /// Relates agents, the first of which is node 0: for each edge the first agent to the second one,
    /// with the relation that `relation` makes of the second agent. A relation that is not
    /// `symmetric` is also added in the other direction. Returns the number of edges.
    ///
    /// # Errors
    /// As [`Relations::relate_batch`], which adds all
    /// relations at once.
    ///
    /// # Panics
    /// If there are fewer agents than nodes.
    pub fn relate<W: World, R: RelationIn<W>>(
        &self,
        world: &mut W,
        agents: &[Entity],
        relation: impl Fn(Entity) -> R,
    ) -> Result<usize, InsertError> {
        let (nodes, number) = (self.len(), agents.len());
        assert!(number >= nodes as usize, "{number} agents are related by a network of {nodes} nodes");
        let related = |(a, b): (u32, u32)| (agents[a as usize], relation(agents[b as usize]));
        if R::RELATION_SYMMETRIC {
            world.relate_batch(self.edges().map(related))?;
        } else {
            let both = self.edges().flat_map(|(a, b)| [(a, b), (b, a)]);
            world.relate_batch(both.map(related))?;
        }
        Ok(self.neighbours.len() / 2)
    }
}

/// Measures. Each panics if a node is not one of the network.
impl Network {
    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges, in ascending order, with the lower node first.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        let greater = |a: u32| self.neighbours(a).iter().filter(move |&&b| a < b).map(move |&b| (a, b));
        (0..self.len()).flat_map(greater)
    }

    /// The neighbours of a node, in ascending order.
    #[must_use]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.neighbours[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// The number of neighbours of a node.
    #[must_use]
    pub fn degree(&self, node: u32) -> usize {
        self.neighbours(node).len()
    }

    /// For each degree, from 0, the number of nodes that have it.
    #[must_use]
    pub fn degree_distribution(&self) -> Vec<usize> {
        let mut numbers = Vec::new();
        for degree in (0..self.len()).map(|node| self.degree(node)) {
            numbers.resize(numbers.len().max(degree + 1), 0);
            numbers[degree] += 1;
        }
        numbers
    }

    /// For each node the number of its connected component. Components have numbers from 0, in the
    /// order of their lowest nodes.
    #[must_use]
    pub fn components(&self) -> Vec<u32> {
        let (mut components, mut number) = (vec![u32::MAX; self.len() as usize], 0);
        let mut open = Vec::new();
        for node in 0..self.len() {
            if components[node as usize] != u32::MAX {
                continue;
            }
            components[node as usize] = number;
            open.push(node);
            while let Some(node) = open.pop() {
                for &near in self.neighbours(node) {
                    if components[near as usize] == u32::MAX {
                        components[near as usize] = number;
                        open.push(near);
                    }
                }
            }
            number += 1;
        }
        components
    }

    /// For each node the number of edges on a shortest path from a node; `None` if there is no path.
    #[must_use]
    pub fn distances(&self, from: u32) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.len() as usize];
        distances[from as usize] = Some(0);
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((node, distance)) = open.pop_front() {
            for &near in self.neighbours(node) {
                if distances[near as usize].is_none() {
                    distances[near as usize] = Some(distance + 1);
                    open.push_back((near, distance + 1));
                }
            }
        }
        distances
    }

    /// The nodes of a shortest path, with both ends; `None` if there is no path. Of several, the one
    /// whose nodes have the lowest numbers, compared from the start.
    #[must_use]
    pub fn shortest_path(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let distances = self.distances(to);
        let (mut path, mut left) = (vec![from], distances[from as usize]?);
        let mut node = from;
        while left > 0 {
            left -= 1;
            let closer = |&near: &u32| distances[near as usize] == Some(left);
            node = self.neighbours(node).iter().copied().find(closer)?;
            path.push(node);
        }
        Some(path)
    }

    /// The part of the pairs of neighbours of a node that are neighbours of each other: the local
    /// clustering coefficient of Watts and Strogatz. 0 for a node with fewer than two neighbours.
    #[must_use]
    pub fn clustering(&self, node: u32) -> f64 {
        let near = self.neighbours(node);
        if near.len() < 2 {
            return 0.0;
        }
        let both: usize = near.iter().map(|&other| common(near, self.neighbours(other))).sum();
        both as f64 / (near.len() * (near.len() - 1)) as f64
    }

    /// The mean of [`clustering`](Self::clustering) of all nodes; NaN if there are none.
    #[must_use]
    pub fn mean_clustering(&self) -> f64 {
        (0..self.len()).map(|node| self.clustering(node)).sum::<f64>() / f64::from(self.len())
    }
}

/// The number of elements that two lists in ascending order have in common.
fn common(one: &[u32], other: &[u32]) -> usize {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    // a node with few neighbours beside one with many: search, do not walk
    if short.len() * 16 < long.len() {
        return short.iter().filter(|node| long.binary_search(node).is_ok()).count();
    }
    let (mut number, mut rest) = (0, long);
    for node in short {
        while let [first, after @ ..] = rest
            && first < node
        {
            rest = after;
        }
        number += usize::from(rest.first() == Some(node));
    }
    number
}
