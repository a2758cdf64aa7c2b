// Triangles, lit from both sides.
in vec3 point;
in vec3 direction;
in vec4 tone;
out vec4 result;

void main() {
    vec3 n = normalize(direction);
    result = shaded(gl_FrontFacing ? n : -n, point, tone);
}
