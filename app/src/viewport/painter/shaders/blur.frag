// One direction of three Gaussians at once: of the key shadow, and of the contact shadow narrow and wide.
uniform sampler2D mask;
uniform vec2 stride;
uniform vec4 weights[13];
uniform int reach;
// Whether both contact shadows are made of one.
uniform float first;
in vec2 place;
out vec4 result;
void main() {
    vec3 sum = vec3(0.0);
    for (int i = -reach; i <= reach; i++) {
        vec3 there = textureLod(mask, place + float(i) * stride, 0.0).rgb;
        sum += weights[abs(i)].xyz * (first > 0.5 ? there.rgg : there);
    }
    result = vec4(sum, 1.0);
}
