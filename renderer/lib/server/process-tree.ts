import type { ProcessUsage } from '../../../shared/model/server/server.ts';

type Process = ProcessUsage['processes'][number];

/** A process with its depth below the server's root, and the totals including its descendants. */
export interface ProcessRow {
  readonly process: Process;
  readonly depth: number;
  /** Number of descendants. */
  readonly below: number;
  readonly memory: number;
  readonly cpu: number;
}

/**
 * Returns the processes in tree order, parents before children. A process whose parent is missing is a root.
 */
export function processRows(processes: readonly Process[]): readonly ProcessRow[] {
  const pids = new Set(processes.map((process) => process.pid));
  const roots = processes.filter((process) => !pids.has(process.parent) || process.parent === process.pid);
  return roots.flatMap((root) => branch(root, processes, 0));
}

/** Returns the rows that remain when everything below the folded ones is hidden. */
export function unfoldedRows(
  rows: readonly ProcessRow[],
  isFolded: (row: ProcessRow) => boolean,
): readonly ProcessRow[] {
  const shown: ProcessRow[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row === undefined) break;
    shown.push(row);
    // Descendants follow directly.
    if (row.below > 0 && isFolded(row)) index += row.below;
  }
  return shown;
}

/** The depth is limited, so that a cycle in an inconsistent sample cannot recurse forever. */
function branch(process: Process, all: readonly Process[], depth: number): readonly ProcessRow[] {
  const children = depth > 16 ? [] : all.filter((other) => other.parent === process.pid && other !== process);
  const rows = children.flatMap((child) => branch(child, all, depth + 1));
  const sum = (part: 'memory' | 'cpu') =>
    rows.reduce((total, row) => total + row.process[part], process[part]);
  return [{ process, depth, below: rows.length, memory: sum('memory'), cpu: sum('cpu') }, ...rows];
}
