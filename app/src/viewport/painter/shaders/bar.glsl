// Round bars, as the eye sees them from the side: what lies outside of one is none of it.
in vec3 point;
in vec3 local;
in vec3 along_world;
in vec3 across_world;

// How far beyond an end, and the square of the distance from the middle.
vec2 on_bar() {
    float beyond = local.x < 0.0 ? local.x : max(local.x - local.z, 0.0);
    float away = beyond * beyond + local.y * local.y;
    if (away > 1.0) {
        discard;
    }
    return vec2(beyond, away);
}

vec3 bar_normal(vec3 eye) {
    vec2 place = on_bar();
    return normalize(place.x * along_world + local.y * across_world + sqrt(1.0 - place.y) * normalize(eye - point));
}
