out vec4 result;
void main() {
    on_bar();
    result = vec4(1.0);
}
