"""What is made from the engine is what the engine says now."""

import importlib.util
import pathlib

HERE = pathlib.Path(__file__).parent.parent


def test_methods_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", HERE / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    for file, make in generate.FILES_MADE.items():
        assert (generate.TARGET / file).read_text() == make(), f"run generate.py: {file}"
