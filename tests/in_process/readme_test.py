"""The README's example for the package protobeam, as it is printed: python readme_test.py"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

source = Path(os.environ["PROTOBEAM_SOURCE"])
blocks = [block for block in re.findall(r"^```python\n(.*?)^```", (source / "README.md").read_text(), re.S | re.M)
          if "import protobeam" in block]
assert len(blocks) == 1, len(blocks)
with tempfile.TemporaryDirectory() as folder:
    for name in ("worlds", "protos", "meshes"):
        os.symlink(source / name, Path(folder) / name)
    (Path(folder) / "scan.py").write_text(blocks[0])
    told = subprocess.run([sys.executable, "-B", "scan.py"], cwd=folder, env={**os.environ, "MPLBACKEND": "Agg"},
                          capture_output=True, text=True)
    print(told.stdout, told.stderr)
    assert told.returncode == 0
    picture = (Path(folder) / "scan.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 5000, len(picture)
