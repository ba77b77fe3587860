import type { HealthSample, ServerHealth } from '../../../../shared/model/server/health.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { formatClock, formatDuration, formatMilliseconds } from '../../../lib/text/format-time.ts';

/** Describes one span: `14:03:30: answers in 84 ms, 12 calls, 1 failed`. */
export function sampleText({ at, status, responseMs, calls, errors }: HealthSample): string {
  const answer = responseMs === undefined ? 'no answer' : `answers in ${formatMilliseconds(responseMs)}`;
  const slow = status === 'slow' ? ', slower than usual' : '';
  return `${formatClock(at)}: ${[answer + slow, ...callTexts(calls, errors)].join(', ')}`;
}

/** Summarizes the history in a sentence or two. */
export function historyText(samples: readonly HealthSample[], span: number): string {
  const calls = samples.reduce((sum, one) => sum + one.calls, 0);
  const errors = samples.reduce((sum, one) => sum + one.errors, 0);
  const down = samples.filter(({ status }) => status === 'down').length * span;
  const middle = median(samples.flatMap(({ responseMs }) => responseMs ?? []));
  return [
    middle === undefined ? undefined : `Median response ${formatMilliseconds(middle)}.`,
    calls === 0 ? 'No calls.' : `${errors === 0 ? 'None' : errors} of ${formatCount(calls, 'call')} failed.`,
    down === 0 ? undefined : `Down for ${formatDuration(down)}.`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** Names the kind of the last check, shown below `12 s ago`. */
export function checkText(by: ServerHealth['by']): string {
  return { message: 'last message', ping: 'by a ping', url: 'at its health URL' }[by];
}

function callTexts(calls: number, errors: number): readonly string[] {
  if (calls === 0) return ['no calls'];
  return [formatCount(calls, 'call'), ...(errors === 0 ? [] : [`${errors} failed`])];
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}
