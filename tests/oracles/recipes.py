"""Runs the scikit-fem of docs/recipes.md on a rest mesh: python recipes.py LAWS DOC RECIPES ASSET REST_MESH GIVEN_MESH RESIDUAL."""
import re
import sys

*documents, asset_file, rest_file, given_file, residual_told = sys.argv[1:]
for path in documents:
    blocks = re.findall(r"```python\n(.*?)```", open(path).read(), re.S)
    exec("\n".join(block for block in blocks if not re.search("import (mujoco|newton)", block)))

asset, rest, given = read_npz(asset_file), meshio.read(rest_file), meshio.read(given_file)
held, sagging = out_of_balance(asset, rest), out_of_balance(asset, given)
print(f"residual {held:.1e} with the rest mesh, {sagging:.1e} with the given one; {residual_told} told")
assert held < 10 * float(residual_told) + 1e-9
assert abs(sagging - 1) < 1e-9

basis, u = displaced(asset, rest)
assert np.abs(u).max() > 1e-3, "the rest mesh is another shape"
