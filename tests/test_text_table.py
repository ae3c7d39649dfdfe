from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.robot import Limits
from mdh2urdf.table import ModifiedRow, StandardRow
from mdh2urdf.table_file.reader import read_table

HALF_PI = math.pi / 2
PUMA = [
    ModifiedRow(a_prev=0, alpha_prev=0, d=0, theta=0),
    ModifiedRow(a_prev=0, alpha_prev=-HALF_PI, d=0.2435, theta=0),
    ModifiedRow(a_prev=0.4318, alpha_prev=0, d=-0.0934, theta=HALF_PI),
]


def read(text, **options):
    return read_table(text, file="arm.txt", form="text", **options)[0]


def refusal(text, **options):
    with pytest.raises(Mdh2UrdfError) as error:
        read(text, **options)
    return str(error.value)


CSV = """\
joint,a [mm],alpha [deg],d [mm],theta [deg]
1,0,0,0,0
2,0,-90,243.5,0
3,431.8,0,-93.4,90
"""
SEMICOLONS = CSV.replace(",", " ; ")
TSV = CSV.replace(",", "\t").replace("\n", "\r\n")
BLANKS = """
   joint   a (mm)   alpha[deg]   d [mm]   theta (deg)
   -----   ------   ----------   ------   -----------
     1        0          0          0          0
     2        0        -90        243.5        0
     3      431.8        0        -93.4       90
"""
MARKDOWN = """\
# Puma 560

| i | $\\alpha_{i-1}$ [deg] | a_{i-1} (mm) | `d_i` [mm] | **θ_i** [°] |
|:-:|----------------------:|-------------:|-----------:|:------------|
| 1 | 0   | 0     | 0     | θ1 |
| 2 | −90 | 0     | 243.5 | θ2 |
| 3 | 0   | 431.8 | -93.4 | $\\theta_3$ + 90 |
"""
PRINTED = """\
┌───────┬────────┬──────┬────────┐
│ aⱼ₋₁  │  ⍺ⱼ₋₁  │  θⱼ  │   dⱼ   │
├───────┼────────┼──────┼────────┤
│   0.0 │   0.0° │ q1   │      0 │
│   0.0 │ -90.0° │ q2   │ 0.2435 │
│ 0.4318│   0.0° │ q3 + 90° │ -0.0934 │
└───────┴────────┴──────┴────────┘
"""
LATEX_CELLS = """\
i | alpha_{i-1} | a_{i-1} | d_i | theta_i
1 | $0$ | 0 | 0 | $\\theta_1*$
2 | $-\\frac{\\pi}{2}$ | 0 | 0.2435 | $\\theta_{2}$
3 | $0^\\circ$ | 0.4318 | -0.0934 | θ₃* + 90^{\\circ}
"""


@pytest.mark.parametrize("text", [CSV, SEMICOLONS, TSV, BLANKS], ids=["csv", "semicolons", "tsv", "blanks"])
def test_the_same_table_is_read_from_every_form(text):
    table = read(text, convention="modified")
    assert [joint.row for joint in table.joints] == PUMA
    assert [joint.name for joint in table.joints] == ["joint1", "joint2", "joint3"]
    assert (table.name, table.units) == ("arm", Units("deg", "mm"))


@pytest.mark.parametrize("text", [MARKDOWN, PRINTED], ids=["markdown", "printed"])
def test_craigs_subscript_says_that_rows_are_modified(text):
    table = read(text)
    assert [joint.row for joint in table.joints] == PUMA
    assert [joint.direction for joint in table.joints] == [1, 1, 1]


PROSE = """\
# Puma 560

The a and d of this arm, with theta in degrees; see [the manual](manual.pdf).
All lengths are in mm: **check** them.

- joint limits are not published

Table 2

"""


@pytest.mark.parametrize("text", [MARKDOWN, PRINTED], ids=["markdown", "printed"])
def test_prose_above_a_table_is_skipped(text):
    assert [joint.row for joint in read(PROSE + text).joints] == PUMA


def test_places_below_prose_are_those_of_the_file():
    text = "See below.\n\n| a | alpha | d | theta |\n|---|---|---|---|\n| 0 | 0 | x | 0 |\n"
    assert refusal(text, convention="standard") == "arm.txt:5:11: joints[0].d: 'x' is not a parameter (known: none)"


RULED = "| a | alpha | d | theta |\n|---|---|---|---|\n| 0 | 0 | 0 | 0 |\n"


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("a alpha d theta\n1 0 0 0\n", "arm.txt:3:1: joints[1]: has 9 cells, the headings are 4"),
        ("a,alpha,d,theta\n", "arm.txt:2:1: joints[0]: has 1 cells, the headings are 4"),
        ("| 1 | 0 | 0 | 0 |\n", "arm.txt:1:3: column '1' is no known column"),
        ("Read |a| as a length.\n", "arm.txt:1:1: column 'Read' is no known column"),
        ("1 2 3 4\n", "arm.txt:1:1: column '1' is no known column"),
        ("1,0,0,0\n", "arm.txt:1:1: column '1' is no known column"),
        ("A,0,0,q1\n", "arm.txt:1:3: column '0' is no known column"),
    ],
)
def test_rows_and_headings_above_a_table_are_never_skipped(above, line):
    assert any(told.startswith(line) for told in refusal(above + RULED, convention="standard").splitlines())


def test_prose_above_a_table_without_a_line_below_its_headings_is_no_table():
    for below in ("", "   \n| 0 | 0 | 0 | 0 |\n"):
        assert refusal("See below.\n| a | alpha | d | theta |\n" + below, convention="standard").startswith(
            "arm.txt:1:1: column 'See' is no known column"
        )


def test_latex_in_cells_is_read_as_it_is_printed():
    assert [joint.row for joint in read(LATEX_CELLS).joints] == PUMA


def test_columns_may_stand_in_any_order_and_hold_every_field_of_a_row():
    text = """\
# name: arm 7
# convention: modified
# angle: deg
# length: mm
# source: the manual
# a remark, which is nothing
theta,d,twist,r,joint,link,parent,type,sign,lower,upper,velocity,effort,beta,gamma,b

0,5 - q,90,0,slide,carriage,,,-1,0,100,50,20,,,

q + 90,1,0,0,wrist,hand,carriage,Revolute,,-90,90,180,5,1,2,3
30,1,0,0,3,4,hand,F,,-,–,,,,,
"""
    table = read(text)
    assert (table.name, table.convention, table.source) == ("arm 7", "modified", "the manual")
    slide, wrist, tip = table.joints
    assert (slide.name, slide.link, slide.parent) == ("slide", "carriage", "base_link")
    assert (slide.type, slide.direction) == ("prismatic", -1)
    assert slide.row == ModifiedRow(a_prev=0, alpha_prev=HALF_PI, d=0.005, theta=0)
    assert slide.limits == Limits(lower=0, upper=0.1, velocity=0.05, effort=20)
    assert wrist.type == "revolute"
    assert wrist.row == ModifiedRow(
        a_prev=0,
        alpha_prev=0,
        d=0.001,
        theta=HALF_PI,
        beta_prev=math.radians(1),
        gamma=math.radians(2),
        b=0.003,
    )
    assert wrist.limits == Limits(lower=-HALF_PI, upper=HALF_PI, velocity=math.pi, effort=5)
    assert (tip.name, tip.link, tip.parent, tip.type) == ("joint3", "link4", "hand", "fixed")


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        *[
            (text, "a")
            for text in ("a", "A [m]", "r", "a_i", "ai", "a_{i}", "a(i)", "a (i) [m]", "link length (metres)")
        ],
        *[(text, "alpha") for text in ("α", "Alpha (rad)", "twist [radians]", "alpha_i", "link twist", "$\\alpha_i$")],
        *[(text, "d") for text in ("d", "D_i (m)", "link offset")],
        *[(text, "theta") for text in ("θ", "ϑ_i", "theta [rad]", "joint angle", "theta_offset", "offset", "θ0")],
    ],
)
def test_headings_have_many_names(heading, field):
    cells = {"a": "1", "alpha": "2", "d": "3", "theta": "4"}
    headings = [heading if key == field else key for key in cells]
    text = "\t".join(headings) + "\n" + "\t".join(cells.values())
    assert read(text, convention="standard").joints[0].row == StandardRow(theta=4, d=3, a=1, alpha=2)


@pytest.mark.parametrize(
    ("heading", "field"),
    [
        ("a_{i-1}", "a"),
        ("a_i-1", "a"),
        ("a(i-1)", "a"),
        ("a (i - 1) [m]", "a"),
        ("r_{i-1}", "a"),
        ("a_prev", "a"),
        ("αᵢ₋₁", "alpha"),
        ("$\\alpha_{i−1}$", "alpha"),
    ],
)
def test_headings_of_the_previous_link_mean_modified_rows(heading, field):
    headings = [heading if key == field else key for key in ("a", "alpha", "d", "theta")]
    table = read("\t".join(headings) + "\n1\t2\t3\t4\n")
    assert table.joints[0].row == ModifiedRow(a_prev=1, alpha_prev=2, d=3, theta=4)


@pytest.mark.parametrize(("angle", "length"), [("deg", "m"), ("degrees", "metres"), ("°", "meter"), ("degree", "m")])
def test_units_of_headings_have_many_names(angle, length):
    text = f"a [{length}]\talpha [{angle}]\td\ttheta\n1\t90\t1\t180\n"
    assert read(text, convention="standard").joints[0].row == StandardRow(theta=math.pi, d=1, a=1, alpha=HALF_PI)


def test_columns_of_angles_may_have_units_of_their_own():
    text = """\
a,d,alpha [rad],theta [deg],lower [deg],upper [rad],velocity [rad/s],effort [Nm]
0,0,pi/2,q - 90,-90,pi,1,2
"""
    table = read(text, convention="standard")
    assert table.units == Units("deg", "m")
    assert table.joints[0].row == StandardRow(theta=-HALF_PI, d=0, a=0, alpha=HALF_PI)
    assert table.joints[0].limits == Limits(lower=-HALF_PI, upper=math.pi, velocity=1, effort=2)


def test_a_comment_says_the_unit_of_columns_that_say_none():
    text = "# angle: rad\na,alpha [deg],d,theta\n0,90,0,pi/2\n"
    table = read(text, convention="standard")
    assert table.units.angle == "rad"
    assert table.joints[0].row == StandardRow(theta=HALF_PI, d=0, a=0, alpha=HALF_PI)


def test_units_of_the_options_serve_a_table_that_says_none():
    text = "a alpha d theta\n100 90 0 0\n"
    row = read(text, convention="standard", angle="deg", length="mm").joints[0].row
    assert row == StandardRow(theta=0, d=0, a=0.1, alpha=HALF_PI)


def test_an_offset_is_added_to_what_the_joint_moves():
    text = """\
theta;d;a;alpha;offset;type;lower;upper;velocity;effort
q1;0;0;0;pi/2;R;-1;1;1;1
0.25;q2;0;0;0.5;;0;1;1;1
0.25;1;0;0;0.5;P;0;1;1;1
1;2;0;0;0;;;;;
"""
    rows = [joint.row for joint in read(text, convention="standard").joints]
    assert [(row.theta, row.d) for row in rows] == [(HALF_PI, 0), (0.25, 0.5), (0.25, 1.5), (1, 2)]


def test_a_theta_offset_is_added_to_theta_in_every_row():
    text = "theta;theta offset;d;a;alpha\nq1;pi/2;0;0;0\n1;0.5;2;0;0\n"
    rows = [joint.row for joint in read(text, convention="standard").joints]
    assert [row.theta for row in rows] == [HALF_PI, 1.5]


def test_cells_of_separated_tables_may_be_quoted():
    text = 'joint,a,alpha,d,theta\n"the ""first"" joint","hypot(3, 4)",0,0," q "\n'
    joint = read(text, convention="standard").joints[0]
    assert (joint.name, joint.row.a) == ('the "first" joint', 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "arm.txt: is empty; a text table has a line of headings and rows below it"),
        ("# convention: modified\n\n---\n", "arm.txt: is empty; a text table has a line of headings and rows below it"),
        ("a alpha d theta\n", "arm.txt:1:1: joints: is empty; a table has at least one row"),
        (
            "1 2 3 4\n5 6 7 8\n",
            "arm.txt:1:1: column '1' is no known column; {known}\n"
            "arm.txt:1:1: no column holds a, alpha, d, theta; the first line has the headings\n"
            "arm.txt:1:3: column '2' is no known column; {known}\n"
            "arm.txt:1:5: column '3' is no known column; {known}\n"
            "arm.txt:1:7: column '4' is no known column; {known}",
        ),
        (
            "| a | alhpa | d | theta |\n| 0 | 0 | 0 | 0 |\n",
            "arm.txt:1:3: no column holds alpha; the first line has the headings\n"
            "arm.txt:1:7: column 'alhpa' is no known column; did you mean 'alpha'?",
        ),
        (
            "a,r,alpha,d,theta\n0,0,0,0,0\n",
            "arm.txt:1:3: column 'r' holds a, which an earlier column holds already",
        ),
        (
            "a [ft],alpha [mm],d [deg],theta\n0,0,0,0\n",
            "arm.txt:1:1: column 'a [ft]' has the unit 'ft'; known are rad, deg, m, cm, mm and in\n"
            "arm.txt:1:1: no column holds a, alpha, d; the first line has the headings\n"
            "arm.txt:1:8: column 'alpha [mm]' is an angle, measured in rad or deg, not in mm\n"
            "arm.txt:1:19: column 'd [deg]' is a length, measured in m, cm, mm or in, not in deg",
        ),
        (
            "a [mm],alpha,d [m],theta\n0,0,0,0\n",
            "arm.txt:1:14: units.length: is mm, but another column is measured in m; a file has one length unit",
        ),
        (
            "# convention: standard\na_{i-1},alpha,d,theta\n0,0,0,0\n",
            "arm.txt:1:15: convention: is standard, but a heading with i-1 is of modified rows",
        ),
        (
            "a_{i-1} alpha d theta\n0 0 0 0\n",
            "arm.txt:1:1: convention: is modified, but --convention says standard",
        ),
        (
            "a alpha [deg] d theta\n0 0 0 0\n",
            "arm.txt:1:3: units.angle: is deg, but --angle says rad",
        ),
        (
            "# length: inches\na alpha d theta\n0 0 0 0\n",
            "arm.txt:1:11: units.length: is 'inches'; allowed are m, cm, mm, in",
        ),
        (
            "a,alpha,d,theta\n0,0,0,5,0\n0,0,x,0\n",
            "arm.txt:2:1: joints[0]: has 5 cells, the headings are 4 (numbers take a decimal point)\n"
            "arm.txt:3:5: joints[1].d: 'x' is not a parameter (known: none)",
        ),
        (
            "a alpha d theta\n0 0 0 q - 90\n",
            "arm.txt:2:1: joints[0]: has 6 cells, the headings are 4 (write expressions without blanks)",
        ),
        (
            "| a | alpha | d | theta |\n|--|--|--|--|\n| 0 | 0 | 0 |\n",
            "arm.txt:3:1: joints[0]: has 3 cells, the headings are 4",
        ),
        ("a;alpha;d;theta\n0;0;0,5;0\n", "arm.txt:2:5: joints[0].d: '0,5' has a decimal comma; write 0.5"),
        ('a,alpha,d,theta\n0,0,"0,5",0\n', "arm.txt:2:6: joints[0].d: '0,5' has a decimal comma; write 0.5"),
        (
            "a\talpha\td\ttheta\n\t0\t0\t\n",
            "arm.txt:2:1: joints[0]: a and theta are missing; a row has a, alpha, d and theta (0 where there is none)",
        ),
        (
            "a alpha d theta type\n0 0 0 q3 ball\n",
            "arm.txt:2:7: joints[0].theta: 'q3' is not this row's variable, which is q or q1 or joint1\n"
            "arm.txt:2:10: joints[0].type: is 'ball'; allowed are revolute, continuous, prismatic, fixed",
        ),
        (
            "joint a alpha d theta\nj 0 0 0 0\nj 0 0 0 θ1\n",
            "arm.txt:3:1: joints[1].name: joint name 'j' is taken by joints[0]\n"
            "arm.txt:3:9: joints[1].theta: 'q1' is not this row's variable, which is q or q2 or j",
        ),
    ],
)
def test_what_is_wrong_in_a_text_table_is_told_with_line_and_column(text, message):
    known = (
        "known are name, link, parent, type, a, alpha, d, theta, theta_offset, offset, beta, gamma, b, direction, "
        "lower, upper, velocity, effort"
    )
    options = {} if "# convention" in text else {"convention": "standard"}
    if "[deg]" in text:
        options["angle"] = "rad"
    assert refusal(text, **options) == message.format(known=known)


def test_a_text_table_never_guesses_its_convention():
    assert refusal("a_i alpha_i d_i theta_i\n0 0 0 0\n") == (
        "arm.txt:1:1: convention: is missing; write a line # convention: modified (Craig) or standard "
        "(Denavit-Hartenberg), or give --convention"
    )


def test_limits_that_a_text_table_lacks_are_asked_for_as_columns():
    text = "type,a,alpha,d,theta,lower,upper,effort\n,0,0,0,0,-90,90,5\nP,0,0,0,0,,,\n,0,0,0,0,-90,,5\n"
    assert refusal(text, convention="standard", angle="deg", length="mm") == (
        "arm.txt:2:1: joints[0].limits: velocity is missing; give it in the column velocity [deg/s]\n"
        "arm.txt:3:1: joints[1].limits: lower, upper, velocity and effort are missing; give them in the columns "
        "lower [mm], upper [mm], velocity [mm/s] and effort [N]\n"
        "arm.txt:4:1: joints[2].limits: upper and velocity are missing; give them in the columns upper [deg] and "
        "velocity [deg/s]; a revolute joint has both lower and upper, or neither"
    )


@pytest.mark.parametrize(("angle", "length"), [("deg", "mm"), ("rad", "m"), ("deg", "cm"), ("rad", "in")])
def test_the_columns_that_are_asked_for_are_read(angle, length):
    for kind in ("R", "P"):
        text = "type,a,alpha,d,theta,lower,upper\n" + f"{kind},0,0,0,0,-1,1\n"
        options = {"convention": "standard", "angle": angle, "length": length}
        told = str(read_table(text, form="text", **options)[1][0])
        velocity, effort = told.partition("in the columns ")[2].partition("; ")[0].split(" and ")
        text = f"type,a,alpha,d,theta,lower,upper,{velocity},{effort}\n{kind},0,0,0,0,-1,1,2,3\n"
        limits = read(text, **options).joints[0].limits
        assert limits.effort == 3
        assert limits.velocity == pytest.approx(2 * limits.upper)


def test_a_text_table_has_no_parameters():
    assert refusal("a alpha d theta\n0 0 L1 0\n", convention="standard", parameters={"L1": "1"}) == (
        "arm.txt: --set.L1: is no parameter of the table; known are none\n"
        "arm.txt:2:5: joints[0].d: 'L1' is not a parameter (known: none)"
    )


@given(st.text(alphabet='aαdθ theta lp|,;\t\n"-#:.019q[]()°\\_{}frac', max_size=120))
def test_no_text_leads_to_anything_but_a_table_or_lines_that_name_the_file(text):
    for start in ("", "a alpha d theta\n", "| a | alpha | d | theta |\n", "a,alpha,d,theta,offset,type,lower\n"):
        assert outcome(start + text) in ("table", "error")


def outcome(text):
    try:
        read(text, convention="modified")
    except Mdh2UrdfError as error:
        return "error" if all(line.startswith("arm.txt:") for line in str(error).splitlines()) else str(error)
    return "table"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_blank_columns_at_the_end_are_those_of_a_spreadsheet(separator):
    lines = ["a,alpha,d,theta", "0,0,0,0", "0,-pi/2,0.2435,0", "0.4318,0,-0.0934,pi/2"]
    text = "".join(f"{line},, ,\n" for line in lines).replace(",", separator)
    assert [joint.row for joint in read(text, convention="modified").joints] == PUMA


def test_a_blank_heading_is_the_name_where_it_has_cells_and_a_short_row_is_no_blank_column():
    assert [joint.name for joint in read("a,alpha,d,theta,\n0,0,0,0,hip\n", convention="modified").joints] == ["hip"]
    text = "joint,a,alpha,d,theta,\nj1,0,0,1,0\n"
    assert refusal(text, convention="modified").startswith("arm.txt:1:23: column '' holds name")
    assert "has 6 cells" in refusal("joint,a,alpha,d,theta\nj1,0,1,0,0,\n", convention="modified")


def test_a_comment_that_says_something_else_than_an_earlier_one_is_no_correction():
    text = "# convention: standard\n# length: mm\n# convention: modified\na,alpha,d,theta\n0,0,0,0\n# length: m\n"
    assert refusal(text).splitlines() == [
        "arm.txt:3:3: convention: is given twice",
        "arm.txt:6:3: length: is given twice",
    ]
