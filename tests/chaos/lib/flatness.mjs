import { median } from '../../bench/lib/stats.mjs';

/** Milliseconds a hub takes to get its working size; younger samples do not count. */
const YOUTH = 15_000;
/** Over lives, each is looked at while it is of this age, so that long ones and short ones can be compared. */
const SAME_AGE = { from: 8_000, to: 20_000 };

/**
 * Whether a figure of the hub grows: the median of the last third of the samples against that of the second third.
 * `ofLongestLife`: the samples of the life that lasted longest. `overLives`: one value a life, the median while it was
 * of the same age.
 */
export function flatnessOf(samples, figure) {
  const lives = [...grouped(samples).values()];
  const longest = lives.reduce((best, own) => (own.length > best.length ? own : best), []);
  const atSameAge = lives.map((own) => own.filter(({ age }) => age >= SAME_AGE.from && age <= SAME_AGE.to));
  const valuesOf = (own) => own.map((sample) => sample[figure]);
  return {
    ofLongestLife: thirds(valuesOf(longest.filter(({ age }) => age > YOUTH))),
    overLives: thirds(atSameAge.filter((own) => own.length >= 3).map((own) => median(valuesOf(own)))),
  };
}

/** Undefined where there is too little to say. */
function thirds(values) {
  const third = Math.floor(values.length / 3);
  if (third < 1) return undefined;
  const second = median(values.slice(third, 2 * third));
  const last = median(values.slice(2 * third));
  return { second, last, ratio: last / second, samples: values.length };
}

function grouped(samples) {
  const groups = new Map();
  for (const sample of samples) groups.set(sample.pid, [...(groups.get(sample.pid) ?? []), sample]);
  return groups;
}
