"""Measures the MuJoCo recipe of docs/recipes.md; on demand: python mujoco_flex.py RECIPES ASSET REST_MESH, of a scene in `stvk`."""
import re
import sys

import meshio

recipes, asset_file, rest_file = sys.argv[1:]
exec(next(block for block in re.findall(r"```python\n(.*?)```", open(recipes).read(), re.S) if "import mujoco" in block))

asset, points = dict(np.load(asset_file)), meshio.read(rest_file).points
for own_masses in (False, True):
    model, data = flex(asset, points, own_masses=own_masses)
    residual = out_of_balance(asset, model, data)
    for _ in range(500):
        mujoco.mj_step(model, data)
    moved = abs(data.flexvert_xpos - asset["positions"]).max()
    print(f"MuJoCo {mujoco.__version__}, {'its own' if own_masses else 'the right'} masses: {residual:.1e} of the largest load out of balance; "
          f"after 500 steps {moved:.1e} m from the given shape")
