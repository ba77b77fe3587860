import { expect, it } from 'vitest';
import { reportToBridge } from '../../../../electron/main/lifecycle/report-start.ts';
import { problem } from '../../../../shared/error/problem.ts';

const failure = problem('hub.disk_full', 'Full.', 'Free some.');

function report(env: Readonly<Record<string, string>>, isUnseen: boolean) {
  const done: unknown[] = [];
  const wasTold = reportToBridge(failure, {
    env,
    isUnseen: () => isUnseen,
    write: (text) => done.push(text),
    exit: (code) => done.push(code),
  });
  return { wasTold, done };
}

it('[PB-BRIDGE-1] an app that a bridge has started and that cannot serve says why, and makes room', () => {
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
