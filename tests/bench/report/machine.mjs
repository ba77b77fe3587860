import { availableParallelism, loadavg, totalmem } from 'node:os';

/** As much of the machine as a reader needs to place the numbers, and nothing that names it. */
export function machine() {
  return {
    cores: availableParallelism(),
    memory: Math.round(totalmem() / 1024 ** 3),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    /** Other load in the minute before; 0 on a quiet machine, and on Windows. */
    load: Number(loadavg()[0].toFixed(1)),
  };
}
