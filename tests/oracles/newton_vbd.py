"""Measures the Newton recipe of docs/recipes.md; on demand: python newton_vbd.py RECIPES ASSET REST_MESH, of a scene in `stable_neo_hookean`."""
import re
import sys

import meshio

recipes, asset_file, rest_file = sys.argv[1:]
exec(next(block for block in re.findall(r"```python\n(.*?)```", open(recipes).read(), re.S) if "import newton" in block))

asset, at_rest = dict(np.load(asset_file)), meshio.read(rest_file).points
for what, points, iterations in [("rest mesh", at_rest, 200), ("rest mesh", at_rest, 20), ("given mesh", asset["positions"], 200)]:
    moved = abs(run(*soft_body(asset, points), 60, iterations) - asset["positions"]).max()
    print(f"Newton {newton.__version__}, {what}, {iterations} iterations: after 60 steps {moved:.1e} m from the given shape")
