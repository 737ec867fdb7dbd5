"""Asks a running world of `checked-ecs` from Python, for instance in a notebook.

The program serves its world with the package `checked-ecs-remote`. This file needs the standard
library of Python 3.8 only: copy it beside the notebook.

    >>> from ecs_remote import World
    >>> world = World()                     # port 27750 of this machine
    >>> world.query("Name, Health")         # columns: `pandas.DataFrame(world.query(..))`
    {'entity': [4294967300], 'Name': ['wolf'], 'Health.now': [3], 'Health.max': [7]}
    >>> [wolf] = world.query("Name")["entity"][1:]
    >>> world.get(wolf, "Health.now")
    3
    >>> world.set(wolf, "Health.now", 5)    # the program must allow changes: `Options::writes`
    >>> world.get(wolf, "Health", "Name")
    {'Health': {'now': 5, 'max': 7}, 'Name': 'wolf'}
    >>> cub = world.spawn(Name="cub", Health={"now": 1, "max": 4})
    >>> world.despawn(cub)

Generators follow the world, without asking again and again:

    >>> rows = world.watch_query("Health")  # a dict of the rows, after each change
    >>> next(rows)[wolf]
    {'Health': {'now': 5, 'max': 7}}
    >>> world.send("Hit", 2)                # systems read the event
    >>> next(rows)[wolf]
    {'Health': {'now': 3, 'max': 7}}
    >>> rows.close()

An error of the program is a `RemoteError`, with its code and message:

    >>> world.get(wolf, "Helth")
    Traceback (most recent call last):
    ecs_remote.RemoteError: world `Game` has no component `Helth`: did you mean `Health`?
"""

import http.client
import json
import time
import warnings

__all__ = ["World", "RemoteError"]

#: The port at which a program listens by default.
PORT = 27750

# The server closes a connection that has been idle for two seconds.
_IDLE = 1.0


class RemoteError(Exception):
    """An error that the program reports. `code` is that of JSON-RPC, or the status of HTTP."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class World:
    """A running world. Use one for each thread.

    An entity is the number that queries return, or a text such as "4v1".
    """

    def __init__(self, port=None, host="127.0.0.1", token=None, timeout=10.0):
        self._address = (host, PORT if port is None else port)
        self._headers = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = "Bearer " + token
        self._timeout = timeout
        self._connection, self._used = None, 0.0

    def __repr__(self):
        return "World(host={!r}, port={})".format(*self._address)

    def close(self):
        """Closes the connection. A later call opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # any method

    def call(self, method, **params):
        """Calls a method of JSON-RPC: `call("rpc.discover")` lists them. Returns the result."""
        return self._call(method, params)["result"]

    def _call(self, method, params):
        body = _body(method, params)
        # a connection that the server has closed meanwhile is found by asking, which must not be
        # done twice if it may change the world
        reads = method.startswith(("world.get_", "world.list_", "world.query", "schedule.", "registry.", "rpc."))
        if not reads or time.monotonic() - self._used > _IDLE:
            self.close()
        try:
            return self._answer(body)
        except (ConnectionError, http.client.RemoteDisconnected):
            if not reads or self._connection is None:
                raise
            self.close()
            return self._answer(body)

    def _answer(self, body):
        is_new = self._connection is None
        if is_new:
            self._connection = _connect(self._address, self._timeout)
        try:
            self._connection.request("POST", "/", body, self._headers)
            response = self._connection.getresponse()
            answer = _checked(response.status, response.read())
            self._used = time.monotonic()
            return answer
        except RemoteError:
            raise
        except BaseException:
            # the rest of the answer is not that of the next request
            self._connection.close()
            if is_new:
                self._connection = None
            raise

    # entities

    def query(self, text, limit=None, flat=True):
        """Returns the rows of a query in text as columns: a dict of lists, with the list `entity`.

        The guide of `checked-ecs` describes the text: "Health, ?Name, without Frozen, Health.now < 5,
        order by Health.now desc". The fields of a value are columns of their own, `Health.now`, unless
        `flat` is false. A row that lacks a value has `None`.
        """
        rows = []
        for row in self._rows(text, limit):
            components = {}
            for name, value in row["components"].items():
                _flatten(name, value, components) if flat else components.update({name: value})
            rows.append((row["entity"], components))
        columns = {"entity": [entity for entity, _ in rows]}
        for name in dict.fromkeys(name for _, components in rows for name in components):
            columns[name] = [components.get(name) for _, components in rows]
        return columns

    def _rows(self, text, limit):
        """The rows, page by page if the server's limit is lower."""
        if limit is not None or "order by" in text or "limit" in text:
            yield from self.call("world.query", text=text, limit=limit)
            return
        after = None
        while True:
            answer = self._call("world.query", {"text": text, "limit": 10000, "after": after})
            yield from answer["result"]
            if not answer.get("more"):
                return
            after = answer["result"][-1]["entity"]

    def get(self, entity, *components):
        """Returns the value of a component or of a part of it ("Health.now"); a dict for several."""
        values = self.call("world.get_components", entity=entity, components=components, strict=True)
        return values[components[0]] if len(components) == 1 else values

    def components(self, entity=None):
        """Returns the names of an entity's components; without an entity, of the world's."""
        return self.call("world.list_components", entity=entity)

    def set(self, entity, path, value):
        """Sets a component ("Health"), which may be new, or a part of it ("Health.now")."""
        component, part = _split(path)
        if part:
            self.call("world.mutate_components", entity=entity, component=component, path=part, value=value)
        else:
            self.call("world.insert_components", entity=entity, components={component: value})

    def remove(self, entity, *components):
        """Removes components."""
        self.call("world.remove_components", entity=entity, components=components)

    def spawn(self, **components):
        """Spawns an entity, and returns it: `spawn(Health={"now": 1, "max": 4})`."""
        return self.call("world.spawn_entity", components=components)["entity"]

    def despawn(self, entity):
        """Despawns an entity."""
        self.call("world.despawn_entity", entity=entity)

    # resources and events

    def resource(self, name):
        """Returns the value of a resource."""
        return self.call("world.get_resources", resource=name)["value"]

    def set_resource(self, path, value):
        """Sets a resource ("Clock"), or a part of it ("Clock.frame")."""
        resource, part = _split(path)
        if part:
            self.call("world.mutate_resources", resource=resource, path=part, value=value)
        else:
            self.call("world.insert_resources", resource=resource, value=value)

    def send(self, event, value=None):
        """Sends an event."""
        self.call("world.write_message", message=event, value=value)

    # following the world

    def watch(self, entity, *components, timeout=None):
        """Yields a dict of the present values of components, at once and after each change.

        Ends with a `RemoteError` when the entity is despawned. All generators can be closed; with a
        `timeout`, they raise `TimeoutError` if nothing changes for these seconds.
        """
        messages = self.stream("world.get_components+watch", timeout, entity=entity, components=components)
        return _values(messages)

    def watch_query(self, text, timeout=None):
        """Yields the rows of a query, at once and after each change: a dict of the components of each
        entity, which the next change changes."""
        return _table(self.stream("world.query+watch", timeout, text=text))

    def watch_resource(self, name, timeout=None):
        """Yields the value of a resource, at once and after each change."""
        messages = self.stream("world.get_resources+watch", timeout, resource=name)
        return (message["result"]["value"] for message in messages)

    def events(self, name, timeout=None):
        """Yields the events of a type that are sent from now on. Warns of those that were missed."""
        return _events(name, self.stream("world.observe+watch", timeout, event=name))

    def stream(self, method, timeout=None, **params):
        """Yields the messages of a method that watches, as the program sends them. The member
        `missed` of a message says how many others the client has missed: its result is the whole
        state, or, of events, what comes after them."""
        # the watch begins now, and not with the first message that is asked for
        connection = _connect(self._address, self._timeout)
        try:
            connection.request("POST", "/", _body(method, params), self._headers)
            response = connection.getresponse()
            if not response.getheader("Content-Type", "").startswith("text/event-stream"):
                _checked(response.status, response.read())
                raise RemoteError(response.status, "`{}` is no method that watches".format(method))
            response.fp.raw._sock.settimeout(timeout)
        except BaseException:
            connection.close()
            raise
        return _messages(connection, response)


def _body(method, params):
    params = {name: value for name, value in params.items() if value is not None}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def _connect(address, timeout):
    connection = http.client.HTTPConnection(*address, timeout=timeout)
    try:
        connection.connect()
    except ConnectionRefusedError:
        message = "no program listens on {}:{}: does it run, with `Remote::bind`?".format(*address)
        raise ConnectionRefusedError(message) from None
    return connection


def _checked(status, text):
    """The answer, or the error that it is."""
    try:
        answer = json.loads(text)
        error = answer.get("error")
    except (ValueError, AttributeError):
        raise RemoteError(status, "the answer is none of JSON-RPC: {!r}".format(text[:200])) from None
    if isinstance(error, dict):
        raise RemoteError(error.get("code"), error.get("message"))
    if error is not None or status != 200:
        raise RemoteError(status, error)
    return answer


def _messages(connection, response):
    try:
        while True:
            line = response.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                yield _checked(200, line[len(b"data: "):])
    finally:
        response.close()
        connection.close()


def _values(messages):
    known = {}
    for message in messages:
        result = message["result"]
        if "missed" in message:
            known = {}
        known.update(result["components"])
        for name in result["removed"]:
            known.pop(name, None)
        yield dict(known)


def _table(messages):
    table = {}
    for message in messages:
        result = message["result"]
        if "missed" in message:
            table.clear()
        for entity in result["removed"]:
            table.pop(entity, None)
        for row in result["added"] + result["changed"]:
            table[row["entity"]] = row["components"]
        yield table


def _events(name, messages):
    for message in messages:
        if "missed" in message:
            warnings.warn("{} events `{}` were missed".format(message["missed"], name), stacklevel=2)
        yield from message["result"]


def _split(path):
    """The name of the type, and the part of it, which begins with a dot or a bracket."""
    ends = [at for at in (path.find("."), path.find("[")) if at >= 0]
    end = min(ends) if ends else len(path)
    return path[:end], path[end:]


def _flatten(name, value, columns):
    if isinstance(value, dict) and value:
        for field, inner in value.items():
            _flatten(name + "." + field, inner, columns)
    else:
        columns[name] = value
