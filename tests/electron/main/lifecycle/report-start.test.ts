import { expect, it } from 'vitest';
import { reportToBridge } from '../../../../electron/main/lifecycle/report-start.ts';
import { problem } from '../../../../shared/error/problem.ts';

const failure = problem('hub.disk_full', 'Full.', 'Free some.');

function report(env: Readonly<Record<string, string>>, isUnseen: boolean, told = failure) {
  const done: unknown[] = [];
  const wasTold = reportToBridge(told, {
    env,
    hasNoWindow: () => isUnseen,
    write: (text) => done.push(text),
    exit: (code) => done.push(code),
  });
  return { wasTold, done };
}

it('[PB-BRIDGE-1] an app started by a bridge that cannot serve reports why, and exits', () => {
  const { wasTold, done } = report({ PATCHBAY_START_REPORT: 'json' }, true);
  expect(wasTold).toBe(true);
  expect(done).toEqual([`${JSON.stringify(failure)}\n`, 1]);
});

it.each([
  ['that a person has started', {}, true],
  ['that a person looks at', { PATCHBAY_START_REPORT: 'json' }, false],
])('[PB-APP-1] an app %s stays, to show it', (_who, env, isUnseen) => {
  expect(report(env, isUnseen)).toEqual({ wasTold: false, done: [] });
});

it('[PB-BRIDGE-1] the report to the bridge contains no secrets', () => {
  const secret = problem('hub.disk_full', 'Bearer abcdefgh12345678 was there.', 'Free some.', {
    url: 'https://me:hunter22@example.com/?token=abc123',
  });
  const { done } = report({ PATCHBAY_START_REPORT: 'json' }, true, secret);
  expect(String(done[0])).not.toMatch(/abcdefgh12345678|hunter22|abc123/);
  expect(JSON.parse(String(done[0]))).toMatchObject({ code: 'hub.disk_full', fix: 'Free some.' });
});
