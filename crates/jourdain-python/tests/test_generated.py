"""What is made from the engine is what the engine says now."""

import importlib.util
import pathlib

HERE = pathlib.Path(__file__).parent.parent


def test_methods_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", HERE / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert (generate.TARGET / "_quantities.py").read_text() == generate.quantities(), "run generate.py"
    assert (generate.TARGET / "_operations.py").read_text() == generate.operations(), "run generate.py"
