// Round bars, as the eye sees them from the side.
in vec3 point;
in vec4 tone;
in vec3 local;
in vec3 along_world;
in vec3 across_world;
out vec4 result;

void main() {
    float beyond = local.x < 0.0 ? local.x : max(local.x - local.z, 0.0);
    float away = beyond * beyond + local.y * local.y;
    if (away > 1.0) {
        discard;
    }
    vec3 to_eye = normalize(eye - point);
    vec3 n = normalize(beyond * along_world + local.y * across_world + sqrt(1.0 - away) * to_eye);
    result = shaded(n, point, tone);
}
