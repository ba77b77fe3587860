import type { ProcessUsage } from '../../shared/model/server.ts';

type Process = ProcessUsage['processes'][number];

/** A process with its depth below the server's root. */
export interface ProcessRow {
  readonly process: Process;
  readonly depth: number;
}

/** The processes in tree order, parents before children. A process whose parent is not among them is a root. */
export function processRows(processes: readonly Process[]): readonly ProcessRow[] {
  const pids = new Set(processes.map((process) => process.pid));
  const roots = processes.filter((process) => !pids.has(process.parent) || process.parent === process.pid);
  return roots.flatMap((root) => branch(root, processes, 0));
}

/** Depth is limited, so that a cycle in a torn sample cannot recurse for ever. */
function branch(process: Process, all: readonly Process[], depth: number): readonly ProcessRow[] {
  const children = depth > 16 ? [] : all.filter((other) => other.parent === process.pid && other !== process);
  return [{ process, depth }, ...children.flatMap((child) => branch(child, all, depth + 1))];
}
