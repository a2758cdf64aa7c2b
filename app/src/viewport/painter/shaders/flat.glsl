// What is flattened on a plane: all of it where `reach` is zero; else the nearer to the plane, the darker. Blended by the maximum, so
// that layers do not add up. Well below the plane there is nothing.
uniform float tall;
uniform float sunk;
uniform float reach;
uniform float weight;

vec4 flattened() {
    float height = (2.0 * gl_FragCoord.z - 1.0) * tall;
    if (height < -sunk) {
        discard;
    }
    return vec4(weight * (reach > 0.0 ? exp(-max(height, 0.0) / reach) : 1.0));
}
