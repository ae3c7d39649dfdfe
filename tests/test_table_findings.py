from __future__ import annotations

import pytest

from mdh2urdf.errors import Finding
from mdh2urdf.expression import evaluate, parse
from mdh2urdf.table_file.findings import table_findings
from mdh2urdf.table_file.reader import read_table

LIMITS = "limits: {lower: -3, upper: 3, velocity: 1, effort: 1}"
DEG_MM = "units: {angle: deg, length: mm}\n"


def text_of(*entries, head="convention: modified\n", limits=LIMITS):
    return head + "joints:\n" + "".join(f"  - {{{entry}, {limits}}}\n" for entry in entries)


def findings(*entries, tail="", **options):
    return [str(finding) for finding in read_table(text_of(*entries, **options) + tail, file="arm.yaml")[1]]


def rules(*entries, tail="", **options):
    return [finding.rule for finding in read_table(text_of(*entries, **options) + tail)[1]]


SOUND = [
    "a: 0, alpha: 0, d: 0.333, theta: 0",
    "a: 0, alpha: -pi/2, d: 0, theta: 0",
    "a: 0.4, alpha: pi/2, d: 0.316, theta: pi/4",
]


def test_a_sound_table_has_no_findings():
    assert findings(*SOUND) == []
    in_degrees = ["a: 0, alpha: 0, d: 333, theta: 0", "a: 400, alpha: -90, d: 0, theta: 45"]
    assert findings(*in_degrees, head="convention: modified\n" + DEG_MM) == []
    standard = ["a: 0, alpha: 1.5707963267948966, d: 0.1, theta: 0", "a: 0, alpha: 0, d: 0.4, theta: 0"]
    assert findings(*standard, head="convention: standard\n") == []


def test_a_finding_has_rule_place_and_path():
    table, found = read_table(text_of("a: 0, alpha: 90, d: 0, theta: 0"), file="arm.yaml")
    assert found == [
        Finding(
            message="is 90 rad, 14.3 turns; is it in degrees?",
            rule="angle-unit",
            file="arm.yaml",
            line=3,
            column=19,
            path="joints[0].alpha",
        )
    ]
    assert [str(finding) for finding in table_findings(table)] == [
        "joints[0].alpha: is 90 rad, 14.3 turns; is it in degrees?"
    ]


FLAT = "a: 0, alpha: 0, d: 0.3, theta: 0"
TILTED = "a: 0, alpha: pi/2, d: 0.3, theta: 0"
BENT = "a: 0, alpha: 0, beta: 1, d: 0.3, theta: 0"


@pytest.mark.parametrize(
    ("convention", "entries", "expected"),
    [
        ("modified", [FLAT, TILTED], []),
        (
            "modified",
            [TILTED, TILTED, FLAT],
            [
                "arm.yaml:5:5: joints[2]: the last row has a = alpha = 0 and the first has not: that is how standard "
                "tables look; is convention: modified right?"
            ],
        ),
        ("standard", [TILTED, FLAT], []),
        (
            "standard",
            [FLAT, TILTED],
            [
                "arm.yaml:3:5: joints[0]: the first row has a = alpha = 0 and the last has not: that is how modified "
                "tables look; is convention: standard right?"
            ],
        ),
        ("modified", [FLAT, FLAT], []),
        ("standard", [FLAT, FLAT], []),
        ("modified", [TILTED, TILTED], []),
        ("standard", [TILTED, BENT], []),
        ("modified", [FLAT], []),
        ("modified", [TILTED, BENT], []),
        ("modified", [TILTED, f"{FLAT}, parent: base_link", f"{FLAT}, parent: base_link"], []),
    ],
)
def test_rows_that_look_like_the_other_convention_are_told(convention, entries, expected):
    assert findings(*entries, head=f"convention: {convention}\n") == expected


def test_fixed_rows_say_nothing_of_the_convention():
    flange = "type: fixed, a: 0, alpha: 0, d: 0.1, theta: 0"
    text = text_of(TILTED, TILTED) + f"  - {{{flange}}}\n"
    assert read_table(text)[1] == []


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("a: 0, alpha: 0, d: 1, theta: -180", "joints[0].theta: is -180 rad, 28.6 turns; is it in degrees?"),
        (
            "a: 0, alpha: 90, d: 1, theta: 180",
            "joints[0].alpha: is 90 rad, 14.3 turns (and 1 more); is it in degrees?",
        ),
        ("a: 0, alpha: 0, beta: 7, d: 1, theta: 0", "joints[0].beta: is 7 rad, 1.1 turns; is it in degrees?"),
        ("a: 0, alpha: 0, gamma: 7, d: 1, theta: 0", "joints[0].gamma: is 7 rad, 1.1 turns; is it in degrees?"),
    ],
)
def test_more_than_a_turn_in_radians_is_told(entry, message):
    assert [line.split(" ", 1)[1] for line in findings(entry)] == [message]


def test_a_turn_and_limits_of_a_few_turns_are_usual():
    assert rules("a: 0, alpha: 0, d: 1, theta: 2*pi", limits=LIMITS.replace("3", "25")) == []
    limits = LIMITS.replace("-3", "-170").replace("upper: 3", "upper: 170")
    assert findings("a: 0, alpha: 0, d: 1, theta: 0", limits=limits) == [
        "arm.yaml:3:54: joints[0].limits.lower: is -170 rad, 27.1 turns (and 1 more); is it in degrees?"
    ]


def test_angles_of_the_tool_row_are_looked_at_too():
    assert findings(FLAT, TILTED, tail="tool: {a: 0, alpha: 90, d: 0, theta: 0}\n") == [
        "arm.yaml:5:21: tool.alpha: is 90 rad, 14.3 turns; is it in degrees?"
    ]


def test_degrees_that_look_like_radians_are_told():
    head = "convention: modified\nunits: {angle: deg}\n"
    entries = ["a: 0, alpha: 0, d: 1, theta: 0", "a: 0, alpha: pi/2, d: 0, theta: 3.14"]
    assert findings(*entries, head=head) == [
        "arm.yaml:5:19: joints[1].alpha: 'pi/2' is 1.571 degrees, for the cell is measured in degrees; "
        "write rad(pi/2) or 90 where pi/2 rad is meant",
        "arm.yaml:5:19: joints[1].alpha: no angle of the table is above 2 pi degrees; are they in radians?",
    ]
    assert rules(*entries, head=head, limits=LIMITS.replace("upper: 3", "upper: 90")) == ["pi-in-degrees"]
    assert rules("a: 0, alpha: 0, d: 1, theta: 0", head=head, limits="limits: {velocity: 9, effort: 1}") == []


DEGREES = "convention: modified\nunits: {angle: deg}\n"
LARGE = "limits: {lower: -90, upper: 90, velocity: 9, effort: 1}"


def test_pi_in_cells_measured_in_degrees_is_told_once():
    entries = ["a: 0, alpha: pi/2, d: 1, theta: 90", "a: 0, alpha: -pi, d: 0, theta: q + pi/2"]
    assert findings(entries[0], head=DEGREES, limits=LARGE) == [
        "arm.yaml:4:19: joints[0].alpha: 'pi/2' is 1.571 degrees, for the cell is measured in degrees; "
        "write rad(pi/2) or 90 where pi/2 rad is meant"
    ]
    assert findings(*entries, head=DEGREES, limits=LARGE) == [
        "arm.yaml:4:19: joints[0].alpha: 'pi/2' is 1.571 degrees, for the cell is measured in degrees "
        "(and 2 cells more); write rad(pi/2) or 90 where pi/2 rad is meant"
    ]


@pytest.mark.parametrize(
    "cell", ["pi", "-pi/3", "pi/2 + 1", "90 + pi", "deg(90) - pi", "2*(pi - 1)", "half", "-half", "pi**2/4", "pi*pi/3"]
)
def test_pi_is_seen_wherever_it_counts_as_degrees(cell):
    head = DEGREES + "parameters: {half: pi/2}\n"
    assert rules(f"a: 0, alpha: {cell}, d: 1, theta: 90", head=head, limits=LARGE) == ["pi-in-degrees"]


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "rad(pi/2)",
            "-rad(pi)/2",
            "!radians pi/2",
            "deg(28*pi)",
            "rad(half)",
            "atan(pi)",
            "rad(1)*pi/2",
            "pi*rad(1)",
        ),
        *("1.5*180/pi", "half*180/pi", "40*sin(pi/6)", "rad(pi)/2 + 1", "90*pi**0", "rad(1)/pi"),
    ],
)
def test_pi_inside_functions_and_factors_that_turn_radians_into_degrees_are_right(cell):
    head = DEGREES + "parameters: {half: pi/2}\n"
    assert rules(f"a: 0, alpha: {cell}, d: 1, theta: 90", head=head, limits=LARGE) == []


def test_pi_is_right_in_radians_and_in_what_is_no_angle():
    assert rules("a: 0, alpha: pi/2, d: 1, theta: q - pi") == []
    assert rules("a: pi/10, alpha: 90, d: 1, theta: 0", head=DEGREES, limits=LARGE) == []


def test_lengths_that_look_like_another_unit_are_told():
    assert findings("a: -425, alpha: 0, d: 89.159, theta: 0") == [
        "arm.yaml:3:9: joints[0].a: is -425 m; is it in millimetres?"
    ]
    head = "convention: modified\nunits: {length: mm}\n"
    assert findings("a: 0.4, alpha: 0, d: 0, theta: 0, b: 0.1", head=head) == [
        "arm.yaml:4:9: joints[0].a: is the longest of the table with 0.4 mm; is it in metres?"
    ]
    assert rules("a: 0, alpha: 0, d: 0, theta: 0", head=head) == []
    assert rules("a: 19, alpha: 0, d: 0, theta: 0") == []


@pytest.mark.parametrize(
    ("angle", "fraction", "decimals"),
    [
        ("1.57", "pi/2", 2),
        ("3.14", "pi", 2),
        ("1.571", "pi/2", 3),
        ("3.141", "pi", 3),
        ("3.142", "pi", 3),
        ("-1.5708", "pi/2", 4),
        ("3.1416", "pi", 4),
        ("1.570796", "pi/2", 6),
        ("1.5707963", "pi/2", 7),
        ("1.570796327", "pi/2", 9),
        ("1.57079632679", "pi/2", 11),
        ("0.785", "pi/4", 3),
        ("1.0472", "pi/3", 4),
        ("2.0944", "2*pi/3", 4),
        ("0.5236", "pi/6", 4),
        ("0.2618", "pi/12", 4),
        ("4.7124", "3*pi/2", 4),
        ("6.2832", "2*pi", 4),
    ],
)
def test_a_fraction_of_pi_cut_to_some_decimals_is_told(angle, fraction, decimals):
    lines = findings(f"a: 1, alpha: {angle}, d: 0, theta: 0")
    exact = evaluate(parse(fraction), {}).value
    cost = abs(abs(float(angle)) - exact) * 1000
    assert lines == [
        f"arm.yaml:3:19: joints[0].alpha: {angle.lstrip('-')} rad is {fraction} cut to {decimals} decimals, "
        f"which is {cost:.2g} mm at the reach of 1 m; write {fraction}"
    ]


@pytest.mark.parametrize(
    ("text", "millimetres"), [("3.141", "0.59"), ("3.1416", "0.0073")]
)  # 0.5927 mm and 0.0073 mm were measured on a real robot's description at 1 m
def test_the_cost_of_a_rounded_angle_is_told_at_the_reach(text, millimetres):
    assert f"which is {millimetres} mm at the reach of 1 m" in findings(f"a: 1, alpha: {text}, d: 0, theta: 0")[0]


def test_equal_rounded_angles_are_told_once():
    lines = findings("a: 0.5, alpha: 1.5708, d: 0, theta: -1.5708", "a: 0.25, alpha: 0.1, d: -0.25, theta: 1.5708")
    assert lines == [
        "arm.yaml:3:21: joints[0].alpha: 1.5708 rad (in 3 cells) is pi/2 cut to 4 decimals, which is 0.0037 mm "
        "at the reach of 1 m; write pi/2"
    ]


def test_in_degrees_the_exact_angle_is_told_in_degrees():
    head = "convention: modified\nunits: {angle: deg}\n"
    lines = findings("a: 1, alpha: !radians 1.5708, d: 0, theta: 0", head=head)
    assert lines[0].endswith("; write 90")


@pytest.mark.parametrize(
    "angle", ["1.5707963267948966", "pi/2", "1.56", "0.52", "1.6", "0.001", "1.5706", "1e-12", "2.5"]
)
def test_other_angles_are_no_rounded_fractions(angle):
    assert rules(f"a: 1, alpha: {angle}, d: 0, theta: 0") == []


def test_the_reach_counts_travel_and_tool():
    slide = "type: prismatic, a: 0.25, alpha: 1.5708, d: 0, theta: 0"
    limits = "limits: {lower: -0.5, upper: 0.25, velocity: 1, effort: 1}"
    line = findings(slide, limits=limits, tail="tool: {xyz: [0, 0, 0.25]}\n")[0]
    assert "at the reach of 1 m" in line


CALIBRATED = [
    "a: 0, alpha: 1.5700927, d: 0.0892, theta: -0.0002",
    "a: -0.0002, alpha: 0.00073, d: 574.2, theta: 7.5",
    "a: -0.39, alpha: 0.0033, d: -507.4, theta: 0.1",
    "a: 0, alpha: 1.5701, d: -66.7, theta: 0",
    "a: 0, alpha: 0, d: 0.1, theta: 0",
]


def test_frames_far_beyond_the_arm_are_told_but_not_as_wrong_units():
    assert findings(*CALIBRATED, head="convention: standard\n") == [
        "arm.yaml:5:5: joints[2]: the axes of joint2 and joint3 are 0.00073 rad from parallel, and d = 574.2 m puts "
        "a frame far beyond the arm of 0.58 m; --frames auto, the default, moves it near the arm",
        "arm.yaml:6:5: joints[3]: the axes of joint3 and joint4 are 0.0033 rad from parallel, and d = -507.4 m puts "
        "a frame far beyond the arm of 0.58 m; --frames auto, the default, moves it near the arm",
    ]


def test_nearly_parallel_axes_with_short_offsets_are_usual():
    rows = ["a: 0, alpha: 0, d: 0.1, theta: 0", "a: 0.4, alpha: pi - 0.001, d: 0.1, theta: 0"]
    assert findings(*rows) == []
    far = [rows[0], "a: 0.4, alpha: pi, beta: 0.001, d: 3, theta: 0"]
    assert [line.split(" ", 1)[1] for line in findings(*far)] == [
        "joints[1]: the axes of joint1 and joint2 are 0.001 rad from parallel, and d = 3 m puts a frame far beyond "
        "the arm of 0.4 m; --frames auto, the default, moves it near the arm"
    ]


def test_a_calibration_may_turn_more_than_once():
    table, found = read_table(text_of("a: 0.4, alpha: 1, d: 0, theta: 7"))
    assert [finding.rule for finding in found] == ["angle-unit"]
    assert table_findings(table, calibration=True) == []


def test_turning_joints_without_velocity_and_effort_are_told_once():
    bare = "a: 0.1, alpha: 1, d: 0, theta: 0, limits: {}"
    assert findings(bare, limits="x-a: 1") == [
        "arm.yaml:3:5: joints[0]: joint1: neither velocity nor effort is given; written as continuous, without <limit>"
    ]
    assert findings(*[bare] * 12, limits="x-a: 1") == [
        "arm.yaml:3:5: joints[0]: joint1, joint2, joint3, joint4, joint5, joint6, joint7, joint8, joint9, joint10 "
        "and 2 more: neither velocity nor effort is given; written as continuous, without <limit>"
    ]
    assert findings("a: 0.1, alpha: 1, d: 0, theta: 0", limits="limits: {velocity: 1, effort: 1}") == []


def test_a_name_of_a_joint_and_of_a_link_is_told():
    assert findings("name: hand, link: hand, a: 0.1, alpha: 1, d: 0, theta: 0") == [
        "arm.yaml:3:12: joints[0].name: 'hand' is the name of a joint and of a link; some tools mix them up"
    ]


def test_findings_of_a_text_table_have_places_too():
    found = read_table("a\talpha\td\ttheta\n0.1\t90\t0\t0\n", file="arm.tsv", form="text", convention="modified")[1]
    assert [str(finding) for finding in found] == [
        "arm.tsv:2:5: joints[0].alpha: is 90 rad, 14.3 turns; is it in degrees?",
        "arm.tsv:2:1: joints[0]: joint1: neither velocity nor effort is given; written as continuous, without <limit>",
    ]


def test_names_that_only_look_alike_are_told():
    rows = [
        "name: Arm, link: L\u00e9g",
        "name: arm, link: Le\u0301g",
        "name: \uff21rm, link: BASE_link",
        "name: hand, link: h",
    ]
    told = findings(*(f"{row}, a: 0, alpha: 0, d: 0.1, theta: 0" for row in rows), tail="")
    mixed = "differ only by case or by the coding of a letter; some tools mix them up"
    assert [line.partition(": joints")[2] for line in told if mixed in line] == [
        f"[1].name: 'arm' and 'Arm' {mixed}",
        f"[2].name: '\uff21rm' and 'Arm' {mixed}",
        f"[1].link: 'Le\u0301g' and 'L\u00e9g' {mixed}",
        f"[2].link: 'BASE_link' and 'base_link' {mixed}",
    ]
    assert rules(*(f"name: {name}, a: 0, alpha: 0, d: 0.1, theta: 0" for name in ("j1", "j2"))) == []


SHAPE = "{{geometry: {{sphere: {{radius: 0.1}}}}, material: {}}}"


def visuals(*materials):
    """Links of SOUND, each with one visual of the given material."""
    shapes = [SHAPE.format(material) for material in materials]
    return "links:\n" + "".join(f"  link{i}: {{visual: [{shape}]}}\n" for i, shape in enumerate(shapes, 1))


def test_a_material_that_no_visual_defines_is_told_once():
    assert findings(*SOUND, tail=visuals("blue", "red", "{name: blue}")) == [
        "arm.yaml:7:66: links.link1.visual[0].material: 'blue' is defined nowhere, and some readers refuse the file; "
        "give its colour once: {name: blue, rgba: [r, g, b, 1]}",
        "arm.yaml:8:66: links.link2.visual[0].material: 'red' is defined nowhere, and some readers refuse the file; "
        "give its colour once: {name: red, rgba: [r, g, b, 1]}",
    ]
    assert rules(*SOUND, tail=visuals("blue")) == ["undefined-material"]


def test_a_material_is_defined_by_a_colour_or_a_texture_anywhere():
    assert rules(*SOUND, tail=visuals("blue", "{name: blue, rgba: [0, 0, 1, 1]}")) == []
    assert rules(*SOUND, tail=visuals("{name: wood, texture: wood.png}", "wood", "{rgba: [0, 0, 1, 1]}")) == []
