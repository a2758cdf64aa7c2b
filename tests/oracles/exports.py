"""Reads what Aplomb exported by the programs of others, and compares it with truth.json: python exports.py FOLDER

Modules that are missing are left out and named. Exit status 1 where something differs.
"""
import importlib
import json
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
truth = json.load(open(folder / "truth.json"))
bodies, frames = truth["bodies"], truth["frames"]
nodes = np.vstack([body["positions"] for body in bodies if body["tets"]])
points = [np.array(body["points"]) for body in bodies]
moved = [[np.array(body) for body in frame["points"]] for frame in frames]
times = np.array([frame["time"] for frame in frames])
SINGLE = 2.0**-23 * np.abs(np.vstack(points)).max()
DOUBLE = 0.0
failures = []


def triangles(body):
    """The triangles of a body as the set of their corner positions, whatever the numbering, from the first corner on."""
    return np.array(body["points"])[np.array(body["triangles"])]


def offset(lists, lengths):
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return [np.array(v) + start for v, start in zip(lists, starts)]


tets = np.vstack(offset([b["tets"] for b in bodies if b["tets"]], [len(b["positions"]) for b in bodies if b["tets"]]))
tags = np.concatenate([b["tags"] for b in bodies if b["tets"]])
all_triangles = np.vstack([triangles(body) for body in bodies])


def check(what, found, expected, tolerance):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    if found.shape != expected.shape:
        failures.append(what)
        print(f"FAILED {what}: shape {found.shape} in place of {expected.shape}")
        return
    difference = np.abs(found - expected).max() if found.size else 0.0
    passed = difference <= tolerance
    print(f"{'ok' if passed else 'FAILED'} {what}: {found.shape}, largest difference {difference:.1e}")
    if not passed:
        failures.append(what)


def with_meshio(meshio):
    for extension, tag in (("vtu", "tag"), ("vtk", "tag"), ("msh", "gmsh:physical"), ("mesh", "medit:ref")):
        mesh = meshio.read(folder / f"still.{extension}")
        blocks = [block.data for block in mesh.cells if block.type == "tetra"]
        found, numbers = np.vstack(blocks), None
        check(f"meshio .{extension} points", mesh.points, nodes, DOUBLE)
        if tag in mesh.cell_data:
            numbers = np.concatenate([np.asarray(data).ravel() for data in mesh.cell_data[tag]])
        else:
            failures.append(tag)
        order = np.lexsort(found.T)
        check(f"meshio .{extension} tets", found[order], tets[np.lexsort(tets.T)], 0)
        check(f"meshio .{extension} tags", numbers[order], tags[np.lexsort(tets.T)], 0)
        if extension != "mesh":
            name = "velocity%20[m/s]" if extension == "vtk" else "velocity [m/s]"
            check(f"meshio .{extension} point data", mesh.point_data[name], 2 * nodes, DOUBLE)
            # Gmsh's blocks follow bodies and tags; element data follow the elements.
            values = np.concatenate([np.asarray(data).ravel() for data in mesh.cell_data["energy"]])
            check(f"meshio .{extension} cell data", values[order], np.arange(len(tets))[np.lexsort(tets.T)] / 3, DOUBLE)
    for extension, tolerance in (("obj", DOUBLE), ("ply", DOUBLE), ("stl", SINGLE)):
        # meshio takes a texture point for each point or none.
        mesh = meshio.read(folder / ("plain.obj" if extension == "obj" else f"still.{extension}"))
        corners = [np.asarray(mesh.points)[list(face)] for block in mesh.cells for face in block.data]
        faces = [np.array(b["points"])[face] for b in bodies for face in b["faces"]]
        if extension == "stl":
            check("meshio .stl triangles", corners, all_triangles, tolerance)
            continue
        check(f"meshio .{extension} points", mesh.points, np.vstack(points), tolerance)
        by_corners = lambda faces: np.vstack(sorted(faces, key=lambda face: (len(face), face.tolist())))
        check(f"meshio .{extension} faces", by_corners(corners), by_corners(faces), tolerance)


def with_trimesh(trimesh):
    for extension in ("glb", "gltf"):
        scene = trimesh.load(folder / f"still.{extension}", process=False, maintain_order=True)
        for body, expected in zip(bodies, points):
            mesh = scene.geometry[body["name"]]
            check(f"trimesh .{extension} {body['name']}", mesh.triangles, triangles(body), SINGLE)
            if body["texture"]:
                st = mesh.visual.uv[mesh.faces]
                check(f"trimesh .{extension} texture", st, np.array(body["texture"])[np.array(body["texture_triangles"])], 1e-6)
            else:
                check(f"trimesh .{extension} order of points", mesh.vertices, expected, SINGLE)
            outward = np.einsum("ij,ij->i", mesh.vertex_normals, mesh.vertices - mesh.vertices.mean(axis=0))
            check(f"trimesh .{extension} normals point outward", outward.min() > 0, True, 0)
    mesh = trimesh.load(folder / "still.stl", process=False)
    key = lambda t: t[np.lexsort(t.reshape(len(t), -1).T)].reshape(-1)
    turned = lambda t: np.array([np.roll(x, -np.lexsort(x.T)[0], axis=0) for x in np.asarray(t, float).astype(np.float32).astype(float)])
    check("trimesh .stl triangles", key(turned(mesh.triangles)), key(turned(all_triangles)), SINGLE)


def with_pygltflib(pygltflib):
    gltf = pygltflib.GLTF2().load(str(folder / "gltf" / "frames.glb"))
    blob = gltf.binary_blob()

    def numbers(accessor):
        accessor = gltf.accessors[accessor]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[accessor.type]
        found = np.zeros((accessor.count, width), np.float32)
        view = lambda index, dtype: np.frombuffer(
            blob, dtype, gltf.bufferViews[index].byteLength // 4, gltf.bufferViews[index].byteOffset or 0
        )
        if accessor.bufferView is not None:
            found[:] = view(accessor.bufferView, "<f4").reshape(-1, width)
        if accessor.sparse is not None:
            found[view(accessor.sparse.indices.bufferView, "<u4")] = view(accessor.sparse.values.bufferView, "<f4").reshape(-1, width)
        return found

    sampler = gltf.animations[0].samplers[0]
    check("pygltflib times", numbers(sampler.input).ravel(), times, 1e-6)
    weights = numbers(sampler.output).reshape(len(times), -1)
    for k, body in enumerate(bodies):
        primitive = gltf.meshes[k].primitives[0]
        base = numbers(primitive.attributes.POSITION)
        targets = np.array([numbers(target["POSITION"]) for target in primitive.targets])
        found = base + np.tensordot(weights, targets, 1)
        index = gltf.bufferViews[gltf.accessors[primitive.indices].bufferView]
        faces = np.frombuffer(blob, "<u4", index.byteLength // 4, index.byteOffset or 0).reshape(-1, 3)
        expected = np.array([frame[k] for frame in moved])[:, np.array(body["triangles"])]
        check(f"pygltflib morph targets of {body['name']}", found[:, faces], expected, 4 * SINGLE)


def with_pxr(pxr):
    from pxr import Usd, UsdGeom

    def complaints(stage):
        """What the validators of OpenUSD, those of usdchecker among them, say of a stage."""
        try:
            from pxr import UsdValidation
        except ImportError:
            print("SKIPPED: this OpenUSD has no validators for Python")
            return []
        validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
        assert len(validators) > 10
        return [error.GetErrorAsString() for error in UsdValidation.ValidationContext(validators).Validate(stage)]

    def surface(stage, k):
        return UsdGeom.Mesh([prim for prim in stage.Traverse() if prim.GetTypeName() == "Mesh"][k])

    for name in ("still.usda", "usda/frames.usda", "usda_killed/frames.usda"):
        stage = Usd.Stage.Open(str(folder / name))
        assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
        found = complaints(stage)
        check(f"usd-core {name} complaints {found}", len(found), 0, 0)
        for k, body in enumerate(bodies):
            mesh = surface(stage, k)
            counts = [len(face) for face in body["faces"]]
            assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
            check(f"usd-core {name} face counts", mesh.GetFaceVertexCountsAttr().Get(), counts, 0)
            check(f"usd-core {name} faces", mesh.GetFaceVertexIndicesAttr().Get(), np.concatenate(body["faces"]), 0)
            ok, reason = UsdGeom.Mesh.ValidateTopology(
                mesh.GetFaceVertexIndicesAttr().Get(), mesh.GetFaceVertexCountsAttr().Get(), len(body["points"])
            )
            check(f"usd-core {name} topology {reason}", ok, True, 0)
            if body["texture"]:
                st = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
                assert st.GetInterpolation() == "faceVarying"
                check(f"usd-core {name} texture", st.ComputeFlattened(), np.array(body["texture"])[np.concatenate(body["face_texture"])], 1e-6)
            if name == "still.usda":
                check(f"usd-core {name} points", mesh.GetPointsAttr().Get(), points[k], SINGLE)
                check(f"usd-core {name} extent", mesh.GetExtentAttr().Get(), [points[k].min(0), points[k].max(0)], SINGLE)
                continue
            check(f"usd-core {name} rest", UsdGeom.PrimvarsAPI(mesh).GetPrimvar("rest").Get(), points[k], SINGLE)
            rate = stage.GetTimeCodesPerSecond()
            codes = mesh.GetPointsAttr().GetTimeSamples()
            check(f"usd-core {name} times", np.array(codes) / rate, times, 1e-9)
            assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (codes[0], codes[-1])
            found = [mesh.GetPointsAttr().Get(code) for code in codes]
            check(f"usd-core {name} points by time", found, [frame[k] for frame in moved], SINGLE)
            found = [mesh.GetExtentAttr().Get(code) for code in codes]
            check(f"usd-core {name} extents by time", found, [[frame[k].min(0), frame[k].max(0)] for frame in moved], SINGLE)
    if hasattr(UsdGeom, "TetMesh"):
        stage = Usd.Stage.Open(str(folder / "still.usda"))
        found = [UsdGeom.TetMesh(prim) for prim in stage.Traverse() if prim.GetTypeName() == "TetMesh"]
        for mesh, body in zip(found, [body for body in bodies if body["tets"]], strict=True):
            check("usd-core TetMesh points", mesh.GetPointsAttr().Get(), body["positions"], SINGLE)
            check("usd-core TetMesh tets", mesh.GetTetVertexIndicesAttr().Get(), body["tets"], 0)
            check("usd-core TetMesh inverted", len(UsdGeom.TetMesh.FindInvertedElements(mesh)), 0, 0)
            surface = lambda faces: sorted(tuple(np.roll(f, -np.argmin(f))) for f in np.array(faces))
            computed = UsdGeom.TetMesh.ComputeSurfaceFaces(mesh)
            check("usd-core TetMesh surface", surface(mesh.GetSurfaceFaceVertexIndicesAttr().Get()), surface(computed), 0)


def with_vtk(vtk):
    from vtk.util.numpy_support import vtk_to_numpy

    for reader, extension in ((vtk.vtkXMLUnstructuredGridReader(), "vtu"), (vtk.vtkUnstructuredGridReader(), "vtk")):
        reader.SetFileName(str(folder / f"still.{extension}"))
        if extension == "vtk":
            reader.ReadAllFieldsOn()
        reader.Update()
        grid = reader.GetOutput()
        check(f"vtk .{extension} points", vtk_to_numpy(grid.GetPoints().GetData()), nodes, DOUBLE)
        check(f"vtk .{extension} tets", vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4), tets, 0)
        check(f"vtk .{extension} tags", vtk_to_numpy(grid.GetCellData().GetArray("tag")), tags, 0)
        check(f"vtk .{extension} point data", vtk_to_numpy(grid.GetPointData().GetArray("velocity [m/s]")), 2 * nodes, DOUBLE)
    reader = vtk.vtkPVDReader() if hasattr(vtk, "vtkPVDReader") else None
    if reader is None:
        from xml.etree import ElementTree

        entries = list(ElementTree.parse(folder / "vtu" / "frames.pvd").getroot().iter("DataSet"))
        found, files = [float(entry.get("timestep")) for entry in entries], [entry.get("file") for entry in entries]
    check("pvd times", found, times, 0)
    for file, frame in zip(files, frames):
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(folder / "vtu" / file))
        reader.Update()
        found = vtk_to_numpy(reader.GetOutput().GetPoints().GetData())
        check(f"vtk {file}", found, np.vstack([p for p, b in zip(frame["positions"], bodies) if b["tets"]]), DOUBLE)


def without_modules():
    """PC2 by its own description."""
    for k, body in enumerate(bodies):
        data = (folder / "pc2" / f"{body['name']}.pc2").read_bytes()
        head = np.frombuffer(data, np.dtype("S12,<i4,<i4,<f4,<f4,<i4"), 1)[0]
        assert (head[0], head[1], head[3], head[4]) == (b"POINTCACHE2", 1, 0.0, 1.0), head
        found = np.frombuffer(data, "<f4", offset=32).reshape(head[5], head[2], 3)
        check(f"PC2 {body['name']}", found, [frame[k] for frame in moved], SINGLE)
        lines = (folder / "pc2" / f"{body['name']}.obj").read_text().splitlines()
        check(f"PC2 {body['name']}.obj", [line.split()[1:] for line in lines if line.startswith("v ")], points[k], DOUBLE)


without_modules()
for module in ("meshio", "trimesh", "pygltflib", "pxr", "vtk"):
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        # vtk is large, and what it reads meshio reads too.
        print("vtk is not installed" if module == "vtk" else f"SKIPPED: the Python module {module} is missing")
        continue
    globals()[f"with_{module}"](loaded)
print(f"{len(failures)} failures: {failures}" if failures else "all agree")
sys.exit(bool(failures))
