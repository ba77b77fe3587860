/** Scales a vector to length 1; a zero vector stays zero. */
export function normalised(numbers: Float32Array): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, one) => sum + one * one, 0));
  return length === 0 || !Number.isFinite(length)
    ? new Float32Array(numbers.length)
    : numbers.map((one) => one / length);
}
