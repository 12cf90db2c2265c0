"""Immutable, slotted value classes.

`dataclasses` costs 13 ms to import and half a millisecond a class, more than the start-up budget has; this
module makes the part of it that the program needs. A subclass lists its fields as annotations, in wire
order, with optional defaults:

    class Tier(Record):
        requests_per_minute: float | None = None

Instances compare by value, cannot be changed, pickle, and `replace(...)` gives an altered copy. The
constructor of a class is compiled when its first instance is made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_options: object) -> object:
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """Turns annotated fields into slots and a constructor that takes them by position or name."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        fields = tuple(body.get("__annotations__", ()))
        body["__defaults__"] = {field: body.pop(field) for field in fields if field in body}
        body["__fields__"] = body["__slots__"] = fields
        if fields:
            body["__init__"] = _first_init
        return super().__new__(mcs, name, bases, body)


def _first_init(self: Any, *values: Any, **named: Any) -> None:
    cls = type(self)
    cls.__init__ = init = _compile_init(cls)
    init(self, *values, **named)


def _compile_init(cls: Any) -> Any:
    scope: dict[str, Any] = {"defaults": cls.__defaults__}
    parameters, body = ["self"], []
    for field in cls.__fields__:
        scope[f"set_{field}"] = cls.__dict__[field].__set__
        parameters.append(f"{field}=defaults[{field!r}]" if field in cls.__defaults__ else field)
        body.append(f"    set_{field}(self, {field})")
    # Only names that the class itself spells reach this text.
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(body), scope)  # noqa: S102
    init = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


class Record(metaclass=RecordType):
    """Base of every value class; see the module's text."""

    if TYPE_CHECKING:
        __fields__: ClassVar[tuple[str, ...]]
        __defaults__: ClassVar[dict[str, Any]]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; use replace({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def values(self) -> tuple[Any, ...]:
        """The field values in order."""
        return tuple([getattr(self, field) for field in self.__fields__])

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        named = dict(zip(self.__fields__, self.values(), strict=True))
        named.update(changes)
        return type(self)(**named)

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self.values()))

    def __repr__(self) -> str:
        pairs = zip(self.__fields__, self.values(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in pairs)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.values()
