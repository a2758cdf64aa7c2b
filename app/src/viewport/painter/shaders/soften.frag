// One direction of a blur that keeps to one thing: neighbours at other depths do not count.
uniform sampler2D arrival;
uniform vec2 stride;
uniform float apart;
in vec2 place;
out vec4 result;

float depth_of(vec4 texel) {
    return texel.z + texel.w / 255.0;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(arrival, 0) - 1;
    vec4 here = texelFetch(arrival, at, 0);
    if (here.z >= 1.0) {
        result = here;
        return;
    }
    vec2 sum = here.xy;
    float weights = 1.0;
    for (int i = -3; i <= 3; i++) {
        if (i == 0) continue;
        vec4 there = texelFetch(arrival, clamp(at + i * ivec2(stride), ivec2(0), last), 0);
        float weight = exp(-0.14 * float(i * i)) * clamp(1.5 - abs(depth_of(there) - depth_of(here)) / apart, 0.0, 1.0);
        sum += weight * there.xy;
        weights += weight;
    }
    result = vec4(sum / weights, here.zw);
}
