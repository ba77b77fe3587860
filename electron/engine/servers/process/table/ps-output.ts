import { isZombie } from './proc-stat.ts';
import type { ProcessRow } from './process-table.ts';

/** Columns of `ps -A -o`, in the order {@link parsePs} reads them. */
export const psColumns = 'pid=,ppid=,pgid=,stat=,time=,etime=,rss=,comm=';

/** Parses the output of `ps`, taken at `now`. */
export function parsePs(output: string, now: number): readonly ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(.*)$/s.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = '', time = '', age = '', kilobytes, command = ''] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        zombie: isZombie(state),
        command: command.slice(command.lastIndexOf('/') + 1).trim(),
        cpuSeconds: parseTime(time),
        memory: Number(kilobytes) * 1024,
        // Rounded to seconds, so that it does not flicker between readings.
        startedAt: (Math.round(now / 1000) - parseTime(age)) * 1000,
      },
    ];
  });
}

/** Converts `12:34.56`, `1:02:03` or `2-03:04:05` to seconds. */
function parseTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds + Number(days) * 86_400;
}
