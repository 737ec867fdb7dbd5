"""The models of this folder on mesa: `pip install mesa networkx pandas`, `python mesa.py "wolf-sheep small"`.

Prints a line for each of three seeds: the processor time of a run with its setup, in milliseconds, and the figure that is
compared with the other libraries, or `nan`. With `--curves`, it prints the means of the numbers of sheep and of wolves after
each step. The models have the rules of `examples/models`, written as those that mesa is shipped with. Schelling, flocking and
life are mesa's own: Schelling moves who has less than three eighths of neighbours alike, and birds have other weights.
"""

import statistics
import sys
import time

sys.path = [path for path in sys.path if path not in ("", sys.path[0])]  # not this file, which has the name of the package

import networkx
from mesa import Model
from mesa.discrete_space import CellAgent, FixedAgent, Network, OrthogonalMooreGrid, OrthogonalVonNeumannGrid
from mesa.examples import BoidFlockers, ConwaysGameOfLife, Schelling

SEEDS = 3


class Animal(CellAgent):
    def __init__(self, model, cell, energy):
        super().__init__(model)
        self.cell = cell
        self.energy = energy

    def live(self):
        self.energy -= 1
        if self.energy < 0:
            self.remove()
        elif self.random.random() < self.BIRTH:
            self.energy //= 2
            type(self)(self.model, self.cell, self.energy)


class Sheep(Animal):
    def graze(self):
        self.cell = self.cell.neighborhood.select_random_cell()
        grass = self.model.grass
        if grass[self.cell.coordinate] == 0:
            grass[self.cell.coordinate] = self.model.regrowth
            self.energy += self.MEAL


class Wolf(Animal):
    def hunt(self):
        self.cell = self.cell.neighborhood.select_random_cell()
        prey = next((animal for animal in self.cell.agents if isinstance(animal, Sheep)), None)
        if prey is not None:
            prey.remove()
            self.energy += self.MEAL


class Meadow(Model):
    def __init__(self, seed, width, numbers, meals, births, regrowth):
        super().__init__(seed=seed)
        self.regrowth = regrowth
        self.grid = OrthogonalMooreGrid((width, width), torus=True, random=self.random)
        self.grass = {
            cell.coordinate: 0 if self.random.random() < 0.5 else self.random.randrange(regrowth) for cell in self.grid
        }
        for kind, number, meal, birth in zip((Sheep, Wolf), numbers, meals, births):
            kind.MEAL, kind.BIRTH = meal, birth
            for _ in range(number):
                kind(self, self.grid.all_cells.select_random_cell(), self.random.randrange(2 * meal))

    def step(self):
        kinds = self.agents_by_type
        if Sheep in kinds:
            kinds[Sheep].shuffle_do("graze")
        if Wolf in kinds:
            kinds[Wolf].shuffle_do("hunt")
        self.agents.do("live")
        for place, wait in self.grass.items():
            if wait > 0:
                self.grass[place] = wait - 1

    def numbers(self):
        return [len(self.agents_by_type.get(kind, [])) for kind in (Sheep, Wolf)]


class Tree(FixedAgent):
    def __init__(self, model, cell, burns):
        super().__init__(model)
        self.cell = cell
        self.state = "burning" if burns else "green"

    def burn(self):
        self.state = "ash"
        for tree in self.cell.neighborhood.agents:
            if tree.state == "green":
                tree.state = "burning"
                self.model.next.append(tree)


class Forest(Model):
    def __init__(self, seed, width, density):
        super().__init__(seed=seed)
        self.grid = OrthogonalVonNeumannGrid((width, width), torus=False, random=self.random)
        trees = [cell for cell in self.grid if self.random.random() < density]
        self.trees = [Tree(self, cell, cell.coordinate[0] == 0) for cell in trees]
        self.front = [tree for tree in self.trees if tree.state == "burning"]

    def step(self):
        self.next = []
        for tree in self.front:
            tree.burn()
        self.front = self.next

    def figure(self):
        return sum(tree.state == "ash" for tree in self.trees)


class Person(FixedAgent):
    def __init__(self, model, cell, state):
        super().__init__(model)
        self.cell = cell
        self.state = state

    def infect(self):
        for cell in self.cell.connections.values():
            if self.random.random() < 0.05:
                self.model.next.append(cell.agents[0])
        if self.random.random() < 0.05:
            self.state = "recovered"


class Town(Model):
    def __init__(self, seed, number):
        super().__init__(seed=seed)
        network = networkx.barabasi_albert_graph(number, 3, seed=seed)
        self.grid = Network(network, capacity=1, random=self.random)
        for place, cell in enumerate(self.grid.all_cells):
            Person(self, cell, "infected" if place < number // 100 else "susceptible")

    def step(self):
        self.next = []
        self.agents.select(lambda person: person.state == "infected").do("infect")
        for person in self.next:
            if person.state == "susceptible":
                person.state = "infected"

    def figure(self):
        return sum(person.state == "recovered" for person in self.agents)


class Life(ConwaysGameOfLife):
    def figure(self):
        return sum(cell.state for cell in self.agents)


def schelling(width, agents):
    density = agents / (width * width)
    return lambda seed: Schelling(height=width, width=width, density=density, minority_pc=0.5, homophily=3 / 8, radius=1, seed=seed)


def flocking(birds, size, sight, apart):
    return lambda seed: BoidFlockers(population_size=birds, width=size, height=size, vision=sight, separation=apart, seed=seed)


def meadow(*rules):
    return lambda seed: Meadow(seed, *rules)


MODELS = {
    "Schelling small": (schelling(40, 1000), 20),
    "Schelling large": (schelling(100, 8000), 20),
    "flocking small": (flocking(200, 100, 5, 1), 100),
    "flocking large": (flocking(400, 150, 15, 5), 100),
    "wolf-sheep small": (meadow(25, (60, 40), (5, 13), (0.2, 0.1), 20), 100),
    "wolf-sheep large": (meadow(100, (960, 640), (5, 13), (0.2, 0.1), 20), 100),
    "SIR small": (lambda seed: Town(seed, 1000), 100),
    "fire small": (lambda seed: Forest(seed, 100, 0.7), 100),
    "fire large": (lambda seed: Forest(seed, 500, 0.9), 100),
    "life small": (lambda seed: Life(100, 100, initial_fraction_alive=0.3, seed=seed), 100),
}


def run(new, steps, seed):
    """The time of a run in milliseconds, the numbers after each step of a meadow, and the model."""
    start, numbers, model = time.process_time(), [], new(seed)
    for _ in range(steps):
        model.step()
        if isinstance(model, Meadow):
            numbers.append(model.numbers())
    return (time.process_time() - start) * 1e3, numbers, model


def main():
    if sys.argv[1] not in MODELS:
        return
    runs = [run(*MODELS[sys.argv[1]], seed) for seed in range(SEEDS)]
    if "--curves" in sys.argv:
        for step in zip(*(numbers for _, numbers, _ in runs)):
            print(*(statistics.mean(kind) for kind in zip(*step)))
        return
    for passed, numbers, model in runs:
        figure = sum(map(sum, numbers[:-1])) if numbers else getattr(model, "figure", lambda: float("nan"))()
        print(passed, figure)


main()
