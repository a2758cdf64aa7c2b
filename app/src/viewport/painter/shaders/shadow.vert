// Flattens everything on a plane, along its normal.
uniform mat4 to_plane;
in vec3 position;
out float height;
void main() {
    vec4 at = to_plane * vec4(position, 1.0);
    height = at.z;
    gl_Position = vec4(at.xy, 0.0, 1.0);
}
