"""Times of mesa's own models of Schelling and of flocking: `pip install mesa networkx pandas`, `python mesa.py`.

The processor time of a run with its setup, in milliseconds, as the median of five seeds. The models are those that mesa is
shipped with, at the sizes of this folder. Their rules differ a little: Schelling moves who has less than three eighths of
neighbours alike, and birds have other weights.
"""

import statistics
import sys
import time

sys.path = [path for path in sys.path if path not in ("", sys.path[0])]  # not this file, which has the name of the package

import mesa
from mesa.examples import BoidFlockers, Schelling


def row(name, new, steps, seeds=5):
    times = []
    for seed in range(seeds):
        start = time.process_time()
        model = new(seed)
        for _ in range(steps):
            model.step()
        times.append((time.process_time() - start) * 1e3)
    print(f"| {name} | {statistics.median(times):.0f} | {min(times):.0f} |", flush=True)


def schelling(width, agents):
    density = agents / (width * width)
    return lambda seed: Schelling(height=width, width=width, density=density, minority_pc=0.5, homophily=3 / 8, radius=1, seed=seed)


def flocking(birds, size, sight, apart):
    return lambda seed: BoidFlockers(population_size=birds, width=size, height=size, vision=sight, separation=apart, seed=seed)


print(f"mesa {mesa.__version__}, Python {sys.version.split()[0]}")
row("Schelling small", schelling(40, 1000), 20)
row("Schelling large", schelling(100, 8000), 20)
row("flocking small", flocking(200, 100, 5, 1), 100)
row("flocking large", flocking(400, 150, 15, 5), 100)
