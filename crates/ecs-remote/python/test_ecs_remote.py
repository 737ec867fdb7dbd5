"""Tests the client with the world of `tests/remote/game.rs`: `test_ecs_remote.py PORT SILENT_PORT`.

A program listens on the second port that does not serve.
"""

import doctest
import sys
import unittest
import warnings

import ecs_remote
from ecs_remote import RemoteError, World

ecs_remote.PORT, SILENT = int(sys.argv[1]), int(sys.argv[2])
PACK, WOLF, OTHER = (1 << 32 | slot for slot in (0, 4, 8))


class Client(unittest.TestCase):
    def setUp(self):
        self.world = World(timeout=5)

    def tearDown(self):
        self.world.close()

    def test_docstring(self):
        result = doctest.testmod(ecs_remote, optionflags=doctest.ELLIPSIS)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 10)

    def test_columns_have_the_rows_of_a_query(self):
        columns = self.world.query("?Position, ?Name, with ChildOf")
        self.assertEqual(columns["entity"], [WOLF, OTHER])
        self.assertEqual((columns["Name"], columns["Position"][1]), (["wolf", None], None))
        whole = self.world.query("Mind", flat=False)
        self.assertEqual(whole["Mind"], [{"Hunts": {"whom": WOLF}}])
        self.assertEqual(self.world.query("Name, Frozen"), {"entity": []})
        self.assertEqual(self.world.query("Health", limit=1)["entity"], [WOLF])

    def test_values_are_set_inserted_and_removed(self):
        world, cub = self.world, self.world.spawn(Name="cub")
        world.set(cub, "Health", {"now": 1, "max": 4})
        world.set(cub, "Health.max", 6)
        self.assertEqual(world.get(cub, "Health"), {"now": 1, "max": 6})
        self.assertEqual(world.components(cub), ["Name", "Health"])
        world.remove(cub, "Health")
        self.assertEqual(world.components(cub), ["Name"])
        world.despawn(cub)
        with self.assertRaises(RemoteError) as raised:
            world.get(cub, "Name")
        self.assertEqual(raised.exception.code, -23401)
        world.set_resource("Clock.leader", WOLF)
        self.assertEqual(world.resource("Clock")["leader"], WOLF)

    def test_streams_tell_what_changes(self):
        world = self.world
        wolf = world.spawn(Health={"now": 9, "max": 9})
        values = world.watch(wolf, "Health", "Frozen", timeout=5)
        self.assertEqual(next(values), {"Health": {"now": 9, "max": 9}})
        world.set(wolf, "Frozen", None)
        self.assertEqual(next(values), {"Health": {"now": 9, "max": 9}, "Frozen": None})
        world.remove(wolf, "Frozen")
        self.assertEqual(next(values), {"Health": {"now": 9, "max": 9}})
        rows = world.watch_query("Health, Health.now = 9", timeout=5)
        self.assertEqual(list(next(rows)), [wolf])
        world.despawn(wolf)
        self.assertEqual(next(rows), {})
        with self.assertRaises(RemoteError):
            next(values)
        rows.close()
        frames = world.watch_resource("Clock", timeout=5)
        first = next(frames)["frame"]
        self.assertGreater(next(frames)["frame"], first)
        frames.close()

    def test_events_are_told_from_the_call_on(self):
        self.world.send("Hit", 0)
        hits = self.world.events("Hit", timeout=5)
        self.world.send("Hit", 0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(next(hits), 0)
        hits.close()

    def test_mistakes_have_messages(self):
        with self.assertRaisesRegex(RemoteError, "did you mean `world.query`|rpc.discover"):
            self.world.call("world.qery")
        with self.assertRaisesRegex(RemoteError, "a part of a query"):
            self.world.query("Health,,")
        with self.assertRaisesRegex(RemoteError, "no event `Hot`"):
            self.world.events("Hot")
        with self.assertRaisesRegex(RemoteError, "no method that watches"):
            self.world.stream("world.list_resources")
        with self.assertRaisesRegex(ConnectionRefusedError, "no program listens"):
            World(port=1).components()
        with self.assertRaisesRegex(RemoteError, "not answered in time"):
            World(port=SILENT).components()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
