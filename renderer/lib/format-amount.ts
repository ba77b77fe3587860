export { formatBytes, formatCount } from '../../shared/model/amount.ts';

/** Per cent of something, with a decimal only where it says something: `0.4 %`, `12 %`. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}
