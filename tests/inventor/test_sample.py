"""The assembly of docs/sample: it is what its script writes."""

from __future__ import annotations

import json

import sample


def rounded(data):
    """Numbers with nine decimals, so that a sine of another numpy makes no difference."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return round(data, 9) + 0.0 if isinstance(data, float) else data


def test_the_sample_is_what_its_script_writes(tmp_path):
    sample.write(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in sample.FOLDER.iterdir()} - {"robot.yaml"}
    for name in names:
        new, kept = ((folder / name).read_bytes() for folder in (tmp_path, sample.FOLDER))
        if name.endswith(".json"):
            assert rounded(json.loads(new)) == rounded(json.loads(kept))
        else:
            assert new == kept
