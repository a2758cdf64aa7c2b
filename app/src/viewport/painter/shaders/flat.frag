out vec4 result;
void main() {
    result = flattened();
}
