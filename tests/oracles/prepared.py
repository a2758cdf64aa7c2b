"""Runs the Python of docs/laws.md and docs/prepared_asset.md on prepared assets: python prepared.py LAWS DOC FILE..."""
import re
import sys

laws_document, document, *files = sys.argv[1:]
for path in (laws_document, document):
    exec("\n".join(re.findall(r"```python\n(.*?)```", open(path).read(), re.S)))


def energy(formula, F, mu, lam):
    """The energy that the documented formula says, of one tet."""
    C, J, I = F.T @ F, np.linalg.det(F), np.eye(3)
    left, stretches, right = np.linalg.svd(F)
    S = right.T @ np.diag(stretches) @ right
    H = right.T @ np.diag(np.log(stretches)) @ right
    names = dict(mu=mu, lam=lam, C=C, J=J, I=I, S=S, L=S, H=H, E=(C - I) / 2, e=(F + F.T) / 2 - I, tr=np.trace, ln=np.log, sq=lambda A: (A * A).sum())
    text = formula.replace("lambda", "lam")
    text = re.sub(r"\|([^|]+)\|\^2", r"sq(\1)", text)
    text = re.sub(r"(tr|ln)\^2 ?(\([^)]*\)|\w)", r"\1(\2)**2", text)
    text = re.sub(r"\b(tr|ln) (\w)", r"\1(\2)", text)
    text = re.sub(r"\^2", "**2", text)
    text = re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", text)
    return eval(text, {}, names)


rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \|", open(laws_document).read().split("\n## Springs\n")[0], re.M)
assert sorted(law for law, _ in rows) == sorted(STRESS)
random = np.random.default_rng(7)
for law, formula in rows:
    formula = formula.replace("\\|", "|")
    for size in (1e-2, 0.3):
        G, mu, lam, h = size * random.uniform(-1, 1, (3, 3)), 3.0, 5.0, 1e-6
        P = STRESS[law](G[None], np.full((1, 1, 1), mu), np.full((1, 1, 1), lam))[0]
        for i in range(3):
            for j in range(3):
                D = np.zeros((3, 3))
                D[i, j] = h
                F = G + np.eye(3)
                # Of the rotation that a law lags only its place at the step's start counts, which turns with F here: no first-order part.
                slope = (energy(formula, F + D, mu, lam) - energy(formula, F - D, mu, lam)) / (2 * h)
                assert abs(slope - P[i, j]) < 1e-7, (law, size, slope, P[i, j])

for file in files:
    asset = read_npz(file) if file.endswith(".npz") else read_vtu(file)
    found = residual(asset)
    print(f"{file}: residual {found:.1e} of the largest load, {len(asset['contact_node'])} contacts, {len(asset['pair_nodes'])} pairs")
    assert found < 1e-6, file

# A law that it does not know is an error.
asset["law_names"] = np.frombuffer(json.dumps(["jelly"] * 99).encode(), "u1")
try:
    residual(asset)
except KeyError as error:
    assert "jelly" in str(error)
else:
    raise AssertionError("a law that nobody knows has stresses")
