import { describe, expect, it } from 'vitest';
import type { ActivityWorkerOutput } from '../../../../../electron/engine/activity/contract.ts';
import { Reports } from '../../../../../electron/engine/activity/worker/reports.ts';
import { problem } from '../../../../../shared/error/problem.ts';

describe('reports of the activity worker', () => {
  it('are sent when they change: success only once per cause', () => {
    const told: ActivityWorkerOutput[] = [];
    const reports = new Reports((output) => void told.push(output));
    const full = problem('hub.disk_full', 'The disk is full.', 'Make room.');
    const all = [undefined, undefined, full, full, undefined, undefined];
    for (const one of all) reports.report('audit use', one);
    reports.report('activity use', undefined);
    expect(told).toEqual([
      { kind: 'problem', about: 'audit use', problem: undefined },
      { kind: 'problem', about: 'audit use', problem: full },
      { kind: 'problem', about: 'audit use', problem: full },
      { kind: 'problem', about: 'audit use', problem: undefined },
      { kind: 'problem', about: 'activity use', problem: undefined },
    ]);
  });
});
