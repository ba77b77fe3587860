import { expect, it } from 'vitest';
import { processRows } from '../../../renderer/lib/process-tree.ts';

const process = (pid: number, parent: number) => ({ pid, parent, command: `p${pid}`, memory: 1, cpu: 0 });

it('lists parents before children with their depth', () => {
  const rows = processRows([process(12, 11), process(10, 1), process(11, 10), process(13, 10)]);
  expect(rows.map((row) => [row.process.pid, row.depth])).toEqual([
    [10, 0],
    [11, 1],
    [12, 2],
    [13, 1],
  ]);
});

it('survives a sample that names itself as parent', () => {
  expect(processRows([process(5, 5)]).map((row) => row.process.pid)).toEqual([5]);
});
