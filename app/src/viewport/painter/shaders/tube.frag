// Round bars, lit.
in vec4 tone;
out vec4 result;

void main() {
    result = shaded(bar_normal(eye), point, tone);
}
