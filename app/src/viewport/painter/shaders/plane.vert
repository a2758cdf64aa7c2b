uniform mat4 view_projection;
uniform vec3 middle;
uniform vec3 axis_u;
uniform vec3 axis_v;
uniform float extent;
out vec2 offset;
out vec3 point;
void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    offset = corner * extent;
    point = middle + offset.x * axis_u + offset.y * axis_v;
    gl_Position = view_projection * vec4(point, 1.0);
}
