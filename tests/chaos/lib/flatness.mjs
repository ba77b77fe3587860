/** Milliseconds a hub takes to get its working size; younger samples do not count. */
const YOUTH = 15_000;

/**
 * Tells whether a figure of the hub grows in the life that lasted longest: the least of the last third of its samples
 * against that of the second third. Messages that are on their way at a sample only add to what is kept.
 */
export function flatnessOf(samples, figure) {
  const lives = [...grouped(samples).values()];
  const longest = lives.reduce((best, own) => (own.length > best.length ? own : best), []);
  return thirds(longest.filter(({ age }) => age > YOUTH).map((sample) => sample[figure]));
}

/** Undefined where there is too little to say. */
function thirds(values) {
  const third = Math.floor(values.length / 3);
  if (third < 1) return undefined;
  const second = Math.min(...values.slice(third, 2 * third));
  const last = Math.min(...values.slice(2 * third));
  return { second, last, ratio: last / second, samples: values.length };
}

function grouped(samples) {
  const groups = new Map();
  for (const sample of samples) groups.set(sample.pid, [...(groups.get(sample.pid) ?? []), sample]);
  return groups;
}
