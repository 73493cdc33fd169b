"""The workflow of releases: well-formed, and about what is there."""

from __future__ import annotations

import pathlib
import re

import needs

ROOT = pathlib.Path(__file__).parent.parent.parent.parent


def test_the_release_workflow_is_well_formed() -> None:
    needs.module("yaml")
    import yaml

    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    jobs = workflow["jobs"]
    for name, job in jobs.items():
        wanted = job.get("needs", [])
        assert set([wanted] if isinstance(wanted, str) else wanted) <= jobs.keys(), name
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), (name, step)
            folder = step.get("working-directory")
            assert folder is None or (ROOT / folder).is_dir(), (name, step)
    named = {path.rstrip("/.,") for path in re.findall(r"(?:crates|\.ci)/[\w./-]+", text)}
    assert named and all((ROOT / path).exists() for path in named), named
    systems = {entry["target"] for entry in jobs["elsewhere"]["strategy"]["matrix"]["include"]}
    assert systems == {"aarch64-apple-darwin", "x86_64-apple-darwin", "x86_64-pc-windows-msvc"}
