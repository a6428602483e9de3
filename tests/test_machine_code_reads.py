"""How machine code reads the attributes of frozen values: it gets what Python gets, whatever became of the type."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import msgspec
import pytest

from audit.machine_code import PACKAGE, SUFFIX

SOURCE = """
static PyObject *attribute(PyObject *self, PyObject *args)
{
    PyObject *object, *name;
    if (!PyArg_ParseTuple(args, "OO", &object, &name)) return NULL;
    return PyObject_GetAttr(object, name);
}
static PyMethodDef methods[] = {{"read", attribute, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "reads", NULL, -1, methods};
PyMODINIT_FUNC PyInit_reads(void) { return PyModule_Create(&module); }
"""
COMPILER = shlex.split(str(sysconfig.get_config_var("CC") or "none"))
Read = Callable[[object, str], object]

pytestmark = pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason="no C compiler")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Reads an attribute as compiled code does."""
    folder = tmp_path_factory.mktemp("reads")
    (folder / "reads.c").write_text(SOURCE, "utf-8")
    library = folder / f"reads{SUFFIX}"
    flags = ["-shared", "-fPIC", "-Wall", "-Werror", "-I", sysconfig.get_path("include")]
    header = ["-include", str(PACKAGE / "machine_code.h")]
    subprocess.run([*COMPILER, *flags, *header, "reads.c", "-o", library], cwd=folder, check=True)
    spec = spec_from_file_location("reads", library, loader=ExtensionFileLoader("reads", str(library)))
    assert spec is not None
    module = module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    found: Read = module.read
    return found


class Card(msgspec.Struct, frozen=True):
    name: str
    value: int = 2

    @property
    def title(self) -> str:
        return f"{self.name} {self.value}"


class Turned(Card, frozen=True):
    is_up: bool = True


class Named:
    """A value with a dictionary of its own, as no frozen value has."""

    def __init__(self) -> None:
        self.name = "own"


def test_a_frozen_value_gives_its_fields_its_methods_and_its_properties(read: Read) -> None:
    for _ in range(3):
        assert read(Card("fire", 3), "name") == "fire"
        assert read(Card("fire", 3), "value") == 3
        assert read(Card("fire", 3), "title") == "fire 3"
        assert read(Turned("ice", 1, False), "is_up") is False
        assert read(Turned("ice", 1), "name") == "ice"
        assert read(Named(), "name") == "own"
        assert read(Card, "__name__") == "Card"


def test_what_is_kept_as_a_number_and_not_as_a_value_is_read_as_ever(read: Read) -> None:
    for _ in range(3):
        assert read(2j, "imag") == 2.0
        assert read(slice(1, 4), "stop") == 4
        assert read(range(7), "stop") == 7


def test_a_field_that_is_not_there_is_the_error_it_always_was(read: Read) -> None:
    for _ in range(3):
        with pytest.raises(AttributeError, match="no attribute 'owner'"):
            read(Card("fire"), "owner")


def test_a_field_that_was_never_set_is_an_error_and_found_once_it_is_set(read: Read) -> None:
    class Slots:
        __slots__ = ("name",)

    card: Any = Slots()
    with pytest.raises(AttributeError):
        read(card, "name")
    card.name = "fire"
    assert [read(card, "name"), read(card, "name")] == ["fire", "fire"]
    del card.name
    with pytest.raises(AttributeError):
        read(card, "name")


def test_a_type_that_is_changed_is_read_anew(read: Read) -> None:
    class Changing(msgspec.Struct):
        name: str = "fire"

    card = Changing()
    assert [read(card, "name"), read(card, "name")] == ["fire", "fire"]
    kept = Changing.__dict__["name"]
    Changing.name = property(lambda self: "covered")  # type: ignore[assignment]
    assert [read(card, "name"), read(card, "name")] == ["covered", "covered"]
    Changing.name = kept
    assert [read(card, "name"), read(card, "name")] == ["fire", "fire"]


def test_a_type_that_answers_for_itself_is_asked_every_time(read: Read) -> None:
    class Counting(msgspec.Struct):
        name: str = "fire"

        def __getattribute__(self, name: str) -> Any:
            asked.append(name)
            return object.__getattribute__(self, name)

    asked: list[str] = []
    assert [read(Counting(), "name") for _ in range(3)] == ["fire"] * 3
    assert asked == ["name"] * 3


def test_names_made_at_run_time_are_not_taken_for_one_another(read: Read) -> None:
    fields = [f"field_{number}" for number in range(400)]
    wide = msgspec.defstruct("Wide", [(name, int) for name in fields])(*range(400))
    for _ in range(5):
        assert [read(wide, "_".join(("field", str(number)))) for number in range(400)] == list(range(400))


def test_types_that_come_and_go_are_not_taken_for_one_another(read: Read) -> None:
    fields = [("first", int), ("line", int), ("name", int)]
    for number in range(3_000):
        passing = msgspec.defstruct("Passing", fields[number % 3 :])
        made = passing(*[-1] * (2 - number % 3), number)
        assert [read(made, "name"), read(made, "name")] == [number, number]
