/** The value below which `share` of the values lie, between neighbours where it falls between two. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

export const median = (values) => quantile(values, 0.5);

/** Summarises the values of many blocks: the median and the quartiles. */
export function summary(values) {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return undefined;
  return {
    median: median(known),
    low: quantile(known, 0.25),
    high: quantile(known, 0.75),
    blocks: known.length,
  };
}

/** Block by block, so that a drift of the machine cancels out. */
export function ratios(ours, limits) {
  return summary(ours.map((value, block) => value / limits[block]));
}
