import math

from hypothesis import given, settings
from hypothesis import strategies as st

from mdh2urdf.draw.label_places import NEAR, Label, overlap, place_labels, without_overlaps

PAPER = (0.0, 0.0, 400.0, 400.0)


def label(name, *anchors, width=40.0, height=9.0):
    return Label(name=name, text=name, anchors=anchors, width=width, height=height)


def test_a_lone_label_stands_beside_its_anchor():
    (place,) = place_labels([label("a", (200, 200))], [], PAPER)
    assert place.gap < NEAR
    assert place.leader is None
    assert place.box[0] > 200 or place.box[2] < 200 or place.box[1] > 200 or place.box[3] < 200


def test_labels_of_one_point_do_not_overlap():
    places = place_labels([label(str(number), (200, 200)) for number in range(12)], [], PAPER)
    for index, place in enumerate(places):
        assert all(overlap(place.box, other.box) == 0 for other in places[:index])


def test_of_two_texts_in_one_place_the_first_stays():
    small = (0.0, 0.0, 60.0, 25.0)
    places = place_labels([label(str(number), (30, 12)) for number in range(60)], [], small)
    assert without_overlaps(places)[0] is places[0]
    shown = without_overlaps(places)
    assert len(shown) < len(places)
    assert without_overlaps(shown) == shown


def test_a_label_keeps_clear_of_lines():
    grid = [((200 + x, 180), (200 + x, 220)) for x in range(0, 30, 5)]
    (place,) = place_labels([label("a", (200, 200))], grid, PAPER)
    left, bottom, right, top = place.box
    assert right <= 200 or left >= 225 or bottom >= 220 or top <= 180


def test_a_label_takes_the_anchor_that_is_free():
    wall = [((190, 200 + y), (260, 200 + y)) for y in range(-30, 31, 3)]
    (place,) = place_labels([label("a", (200, 200), (350, 200))], wall, PAPER)
    assert place.centre[0] > 280


def test_a_label_in_the_corner_stays_on_the_paper():
    (place,) = place_labels([label("a", (1, 1))], [], PAPER)
    assert place.box[0] >= 0
    assert place.box[1] >= 0


def test_a_label_that_has_to_go_far_gets_a_leader_from_its_anchor():
    crowd = [((170 + x, 180), (170 + x, 220)) for x in range(0, 61, 4)]
    (place,) = place_labels([label("a", (200, 200))], crowd, PAPER)
    assert place.gap > NEAR
    assert place.leader[0] == (200, 200)


def test_leaders_keep_off_the_other_labels():
    crowd = [((180 + x, 190), (180 + x, 210)) for x in range(0, 41, 4)]
    places = place_labels([label(str(number), (200, 200)) for number in range(8)], crowd, PAPER)
    for place in places:
        if place.leader is None:
            continue
        (x, y), (u, v) = place.leader
        samples = [(x + share * (u - x), y + share * (v - y)) for share in (k / 50 for k in range(51))]
        for other in places:
            if other is not place:
                inside = [other.box[0] < s < other.box[2] and other.box[1] < t < other.box[3] for s, t in samples]
                assert not any(inside)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(100, 300), st.integers(100, 300)), min_size=1, max_size=6))
def test_the_same_labels_get_the_same_places(anchors):
    labels = [label(str(index), anchor) for index, anchor in enumerate(anchors)]
    places = place_labels(labels, [((100, 100), (300, 300))], PAPER)
    assert places == place_labels(labels, [((100, 100), (300, 300))], PAPER)
    assert all(math.isfinite(place.gap) for place in places)
