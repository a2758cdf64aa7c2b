// Strong where the surface turns away, nearly nothing where it faces the eye: an outline that needs no edges.
uniform vec3 eye;
uniform vec3 tint;
uniform float body;
in vec3 point;
in vec3 direction;
in vec4 tone;
out vec4 result;
void main() {
    float facing = abs(dot(normalize(direction), normalize(eye - point)));
    float edge = pow(1.0 - facing, 2.5);
    result = vec4(tint, tone.a * (body + 0.45 * edge));
}
