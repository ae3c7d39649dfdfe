from mdh2urdf.errors import CheckError, Finding, Mdh2UrdfError, one_line


def test_a_finding_names_its_place():
    full = Finding(message="is wrong", file="t.yaml", line=3, column=7, path="joints[0].a", rule="rule")
    assert str(full) == "t.yaml:3:7: joints[0].a: is wrong"
    assert str(Finding(message="is wrong", path="joints[0].a")) == "joints[0].a: is wrong"
    assert str(Finding(message="is wrong")) == "is wrong"


def test_an_error_is_one_line_a_problem():
    assert str(Mdh2UrdfError("plain")) == "plain"
    assert str(Mdh2UrdfError(Finding(message="one", file="f"))) == "f: one"
    several = Mdh2UrdfError(Finding(message=text) for text in ("one", "two"))
    assert str(several) == "one\ntwo"
    assert len(several.problems) == 2


def test_bad_input_exits_2_and_a_failed_check_1():
    assert (Mdh2UrdfError("x").exit_status, CheckError("x").exit_status) == (2, 1)


def test_what_would_break_a_line_or_steer_a_terminal_is_escaped():
    assert one_line("plain é 機械 \u3000") == "plain é 機械 \u3000"
    assert one_line("a\nb\r\x1b[2J\u202e\u2028\udcff") == "a\\nb\\r\\x1b[2J\\u202e\\u2028\\udcff"
    assert str(Finding(message="two\nlines", file="f\n", path="p\t")) == "f\\n: p\\t: two\\nlines"
