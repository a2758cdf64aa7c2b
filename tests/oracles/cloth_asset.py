"""Recomputes rest states and balance of cloth from prepared assets alone: python cloth_asset.py DOCUMENT MODULI FILE..."""
import json
import re
import sys

document, moduli, *files = sys.argv[1:]
exec("\n".join(re.findall(r"```python\n(.*?)```", open(document).read(), re.S)))
moduli = json.load(open(moduli))

for path in files:
    asset = read_npz(path) if path.endswith(".npz") else read_vtu(path)
    assert sorted(json.loads(bytes(asset["families"]))) == ["hinges", "membranes"], path
    x, net = asset["positions"], asset["load"].copy()
    largest = np.linalg.norm(net, axis=1).max()

    # Membranes: F has the images of warp and weft as columns.
    nodes = asset["membranes_nodes"]
    rest = asset["membranes_rest"].reshape(len(nodes), 9)
    edges = np.stack([x[nodes[:, 1]] - x[nodes[:, 0]], x[nodes[:, 2]] - x[nodes[:, 0]]], axis=2)
    inverse = rest[:, :4].reshape(-1, 2, 2).transpose(0, 2, 1)
    F = edges @ inverse
    C = F.transpose(0, 2, 1) @ F
    strain = np.stack([(C[:, 0, 0] - 1) / 2, (C[:, 1, 1] - 1) / 2, C[:, 0, 1]], axis=1)
    assert np.abs(strain - rest[:, 6:]).max() < 1e-12, path
    assert np.abs(2 * rest[:, 4] * np.linalg.det(inverse) - 1).max() < 1e-12, path
    assert np.abs(strain).max() > 1e-4, "nothing is stretched"
    nu = moduli["poisson"]
    stiffness = moduli["stiffness"] / (1 - nu**2) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    s = rest[:, 5:6] * (rest[:, 6:] @ stiffness)
    S = np.stack([s[:, [0, 2]], s[:, [2, 1]]], axis=1)
    by_edges = rest[:, 4, None, None] * (F @ S @ inverse.transpose(0, 2, 1))
    for corner, force in ((1, by_edges[:, :, 0]), (2, by_edges[:, :, 1]), (0, -by_edges.sum(axis=2))):
        np.add.at(net, nodes[:, corner], -force)

    # Hinges: the signed angle between the normals, and its gradient.
    nodes = asset["hinges_nodes"]
    rest = asset["hinges_rest"].reshape(len(nodes), 3)
    a, b, c, d = (x[nodes[:, k]] for k in range(4))
    e, p, q = b - a, c - a, d - a
    length = np.linalg.norm(e, axis=1)
    n1, n2 = np.cross(e, p), np.cross(q, e)
    angle = np.arctan2((np.cross(n1, n2) * e).sum(axis=1) / length, (n1 * n2).sum(axis=1))
    assert np.abs(angle - rest[:, 0] - rest[:, 1]).max() < 1e-12, path
    assert np.abs(rest[:, 1]).max() > 1e-4, "nothing is bent"
    areas = (np.linalg.norm(n1, axis=1) + np.linalg.norm(n2, axis=1)) / 2
    moment = rest[:, 2] * moduli["bending_stiffness"] * length**2 / areas * rest[:, 1]
    by_c = -(length / (n1**2).sum(axis=1))[:, None] * n1
    by_d = -(length / (n2**2).sum(axis=1))[:, None] * n2
    along = lambda v: ((v * e).sum(axis=1) / length**2)[:, None]
    by_b = -along(p) * by_c - along(q) * by_d
    for k, gradient in enumerate((-(by_b + by_c + by_d), by_b, by_c, by_d)):
        np.add.at(net, nodes[:, k], -moment[:, None] * gradient)

    left = np.linalg.norm(net[asset["fixed"] == 0], axis=1).max() / largest
    print(f"{path.rsplit('/')[-1]}: {left:.1e} of the largest load is out of balance")
    assert left < 1e-9, (path, left)
