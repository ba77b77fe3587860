export { formatBytes, formatCount } from '../../../shared/model/amount.ts';

/** Formats a percentage, with a decimal only for small values: `0.4%`, `12%`. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)}%`;
}
