import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { collectAtRest } from '../../../electron/cli/collect-at-rest.ts';
import { eventually } from '../../helper/eventually.ts';

test('what a program no longer needs is collected when it is quiet after a thread has ended', async () => {
  let collected = false;
  const observer = new PerformanceObserver((list) => {
    // V8 does not force itself.
    collected ||= list.getEntries().some(isForced);
  });
  observer.observe({ entryTypes: ['gc'] });
  onTestFinished(() => observer.disconnect());
  collectAtRest();
  new Worker('', { eval: true });
  await eventually(() => expect(collected).toBe(true), 30_000);
  expect(globalThis.gc).toBeUndefined();
}, 40_000);

function isForced(entry: object): boolean {
  const { flags = 0 } = 'detail' in entry ? (entry.detail as NodeGCPerformanceDetail) : {};
  return (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
}
