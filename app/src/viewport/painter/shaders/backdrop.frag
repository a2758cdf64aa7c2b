// A soft vertical gradient; noise of half a level keeps it from banding.
uniform vec3 top;
uniform vec3 bottom;
in vec2 place;
out vec4 result;
void main() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    result = vec4(mix(bottom, top, smoothstep(0.0, 1.0, place.y)) + noise / 255.0, 1.0);
}
