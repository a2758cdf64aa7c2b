out vec4 result;
void main() {
    on_bar();
    result = flattened();
}
