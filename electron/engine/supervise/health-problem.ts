import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { Ailment, CheckOutcome, Pulse } from './health-rules.ts';

/** Problem of a server that has missed too many checks. */
export function unhealthy(
  key: string,
  pulse: Pulse,
  { by, reason }: Extract<CheckOutcome, { readonly kind: 'missed' }>,
  facts: { readonly url: string | undefined; readonly lastWords: readonly string[] },
): Problem {
  const sentence = `${key} did not answer ${pulse.misses} health checks in a row.`;
  return problem('server.unhealthy', sentence, fixes[by], {
    check: by === 'ping' ? 'ping' : `GET ${shown(facts.url)}`,
    reason,
    'last answer': pulse.lastOkAt === undefined ? 'never' : new Date(pulse.lastOkAt).toISOString(),
    ...(facts.lastWords.length === 0 ? {} : { stderr: facts.lastWords.join('\n') }),
  });
}

const fixes = {
  ping: 'Check its log. If it is only slow, raise patchbay.healthTimeout in its config.',
  url: 'Open the address of patchbay.healthCheckUrl in its config; it must answer with a 2xx status.',
} as const;

/** Problem of a server that still works, but badly. */
export function ailing(key: string, ailment: Ailment): Problem {
  const { sentence, fix } = told(key, ailment);
  return problem('server.unhealthy', sentence, fix);
}

function told(key: string, ailment: Ailment): { readonly sentence: string; readonly fix: string } {
  switch (ailment.kind) {
    case 'silent':
      return {
        sentence: `${key} did not answer its last ${ailment.misses} health checks.`,
        fix: 'If this continues, Patchbay restarts it. Its log may say why.',
      };
    case 'busy':
      return {
        sentence: `${key} is working on a call and has not responded otherwise for ${lasting(ailment.quietFor)}.`,
        fix: 'Wait for the call, or restart the server to end it.',
      };
    case 'failing':
      return {
        sentence: `${ailment.failed} of the last ${ailment.calls} calls to ${key} failed.`,
        fix: 'Check its log, or restart it.',
      };
    case 'slow':
      return {
        sentence: `${key} takes ${(ailment.milliseconds / 1000).toFixed(1)} s to answer a health check.`,
        fix: 'Check what it is busy with, or restart it.',
      };
  }
}

function lasting(milliseconds: number): string {
  if (milliseconds < 60_000) return `${Math.max(1, Math.round(milliseconds / 1_000))} s`;
  const count = Math.round(milliseconds / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
}

/** Leaves out query and login, which may be secret. */
function shown(url = ''): string {
  if (!URL.canParse(url)) return 'its address';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
