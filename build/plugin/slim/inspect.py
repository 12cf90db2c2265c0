"""What a compiled program touches of `inspect` before its first line, to teach it about compiled functions.

Anything else asked of it brings in the whole module, which the program holds as `whole_inspect`.
"""

GEN_CREATED, GEN_RUNNING = "GEN_CREATED", "GEN_RUNNING"
GEN_SUSPENDED, GEN_CLOSED = "GEN_SUSPENDED", "GEN_CLOSED"
CORO_CREATED, CORO_RUNNING = "CORO_CREATED", "CORO_RUNNING"
CORO_SUSPENDED, CORO_CLOSED = "CORO_SUSPENDED", "CORO_CLOSED"


def getgeneratorstate(generator):
    import whole_inspect

    return whole_inspect.getgeneratorstate(generator)


def getcoroutinestate(coroutine):
    import whole_inspect

    return whole_inspect.getcoroutinestate(coroutine)


def _get_code_position(code, instruction_index):
    import whole_inspect

    return whole_inspect._get_code_position(code, instruction_index)


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(name)
    import whole_inspect

    value = globals()[name] = getattr(whole_inspect, name)
    return value
