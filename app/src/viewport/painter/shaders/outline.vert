// The hull, grown by some pixels along its normals on the screen.
uniform mat4 view_projection;
uniform vec2 growth;
in vec3 position;
in vec3 normal;
void main() {
    vec4 at = view_projection * vec4(position, 1.0);
    vec2 along = (view_projection * vec4(normal, 0.0)).xy / growth;
    at.xy += along / max(length(along), 1e-6) * growth * at.w;
    gl_Position = at;
}
