// Normals towards the eye, for what is found out about light afterwards.
in vec3 direction;
out vec4 result;
void main() {
    vec3 n = normalize(direction);
    result = vec4(0.5 + 0.5 * (gl_FrontFacing ? n : -n), 1.0);
}
