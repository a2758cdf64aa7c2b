// One triangle over the whole picture.
out vec2 place;
void main() {
    place = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}
