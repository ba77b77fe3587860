import { type Problem, problem } from '../../../../shared/error/problem.ts';
import type { CheckOutcome, HealthIssue, Pulse } from './health-rules.ts';

/** Problem of a server that has missed too many checks. */
export function unhealthyProblem(
  key: string,
  pulse: Pulse,
  { by, reason }: Extract<CheckOutcome, { readonly kind: 'missed' }>,
  facts: { readonly url: string | undefined; readonly lastWords: readonly string[] },
): Problem {
  const sentence = `${key} did not answer ${pulse.misses} health checks in a row.`;
  return problem('server.unhealthy', sentence, fixes[by], {
    check: by === 'ping' ? 'ping' : `GET ${withoutSecrets(facts.url)}`,
    reason,
    'last answer': pulse.lastOkAt === undefined ? 'never' : new Date(pulse.lastOkAt).toISOString(),
    ...(facts.lastWords.length === 0 ? {} : { stderr: facts.lastWords.join('\n') }),
  });
}

const fixes = {
  ping: 'Check the server’s log. If the server is only slow, raise patchbay.healthTimeout in its config.',
  url: 'Open the URL in patchbay.healthCheckUrl of its config: it must answer with a 2xx status.',
} as const;

/** Problem of a server that still works, but badly. */
export function issueProblem(key: string, issue: HealthIssue): Problem {
  const { sentence, fix } = describeIssue(key, issue);
  return problem('server.unhealthy', sentence, fix);
}

function describeIssue(key: string, issue: HealthIssue): { readonly sentence: string; readonly fix: string } {
  switch (issue.kind) {
    case 'silent':
      return {
        sentence: `${key} did not answer its last ${issue.misses} health checks.`,
        fix: 'If this continues, Patchbay restarts the server. Its log may say why.',
      };
    case 'busy':
      return {
        sentence: `${key} is working on a call and has not responded otherwise for ${formatDuration(issue.silentMs)}.`,
        fix: 'Wait for the call to finish, or restart the server to end it.',
      };
    case 'failing':
      return {
        sentence: `${issue.failed} of the last ${issue.calls} calls to ${key} failed.`,
        fix: 'Check the server’s log, or restart the server.',
      };
    case 'slow':
      return {
        sentence: `${key} takes ${(issue.milliseconds / 1000).toFixed(1)} s to answer a health check.`,
        fix: 'Check the server’s log for what keeps it busy, or restart the server.',
      };
  }
}

function formatDuration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${Math.max(1, Math.round(milliseconds / 1_000))} s`;
  const count = Math.round(milliseconds / 60_000);
  return count === 1 ? 'a minute' : `${count} minutes`;
}

/** Leaves out query and login, which may be secret. */
function withoutSecrets(url = ''): string {
  if (!URL.canParse(url)) return 'its address';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
