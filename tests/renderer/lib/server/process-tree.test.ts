import { expect, it } from 'vitest';
import { processRows, unfoldedRows } from '../../../../renderer/lib/server/process-tree.ts';

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

it('[PB-PROC-1] folds what is below away, and sums it up', () => {
  const rows = processRows([
    process(10, 1),
    process(11, 10),
    process(12, 11),
    process(13, 10),
    process(20, 1),
  ]);
  expect(rows.map(({ below, memory }) => [below, memory])).toEqual([
    [3, 4],
    [1, 2],
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  const shown = (folded: number) =>
    unfoldedRows(rows, (row) => row.process.pid === folded).map((row) => row.process.pid);
  expect(shown(11)).toEqual([10, 11, 13, 20]);
  expect(shown(10)).toEqual([10, 20]);
  expect(shown(20)).toHaveLength(5);
});
