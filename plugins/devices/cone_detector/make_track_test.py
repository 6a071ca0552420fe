"""The tracks of make_track.py keep the rules, whatever the seed, and are the same each time."""
import csv
import math
import subprocess
import sys

import make_track


def crosses(a, b, c, d):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def check(rows):
    cones = [(row[0], (row[1], row[2])) for row in rows if row[0] != 'car_start']
    timing = [p for tag, p in cones if tag == 'big_orange']
    assert len(timing) == 4
    sides = []
    for tag, pair in (('blue', timing[:2]), ('yellow', timing[2:])):
        # Round the track: the pair at the line, then the others in their order.
        side = pair + [p for t, p in cones if t == tag]
        gaps = [math.dist(side[i - 1], side[i]) for i in range(len(side))]
        assert max(gaps) <= 5, max(gaps)
        sides.append(side)
    blue, yellow = sides
    width = min(math.dist(b, y) for b in blue for y in yellow)
    assert width >= 3, width
    edges = [(side[i - 1], side[i]) for side in sides for i in range(len(side))]
    assert not any(crosses(*e, *f) for i, e in enumerate(edges) for f in edges[:i])
    (x, y, heading), = [row[1:] for row in rows if row[0] == 'car_start']
    ahead = [((p[0] - x) * math.cos(heading) + (p[1] - y) * math.sin(heading),
              (p[1] - y) * math.cos(heading) - (p[0] - x) * math.sin(heading)) for p in timing]
    assert all(5 < along < 7 and 1.4 < abs(across) < 2.6 for along, across in ahead), ahead


for seed in range(1, 6):
    check(make_track.make_track(seed))
check(make_track.make_track(1, length=150, width=4, spacing=5, wildness=0.3))

script = make_track.__file__
first, again = (subprocess.run([sys.executable, script, '--seed', '3'], check=True, capture_output=True,
                               text=True).stdout for _ in range(2))
assert first == again
assert len(list(csv.DictReader(first.splitlines()[1:]))) > 100
for wrong in (['--width', '2'], ['--spacing', '6'], ['--length', 'nan'], ['--radius', '1']):
    assert subprocess.run([sys.executable, script, *wrong], capture_output=True).returncode == 2
