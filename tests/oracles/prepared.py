"""Runs the Python of docs/prepared_asset.md on prepared assets: python prepared.py DOC FILE..."""
import re
import sys

document, *files = sys.argv[1:]
exec("\n".join(re.findall(r"```python\n(.*?)```", open(document).read(), re.S)))

for file in files:
    asset = read_npz(file) if file.endswith(".npz") else read_vtu(file)
    found = residual(asset)
    print(f"{file}: residual {found:.1e} of the largest load, {len(asset['contact_node'])} contacts, {len(asset['pair_nodes'])} pairs")
    assert found < 1e-6, file
