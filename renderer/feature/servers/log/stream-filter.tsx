import { Button, Menu } from '@mantine/core';
import { Check, ListFilter } from 'lucide-react';
import { useMemo } from 'react';
import type { LogLine } from '../../../../shared/model/server/server.ts';
import { groupBy } from '../../../lib/group-by.ts';
import type { LogStream } from './find-lines.ts';
import classes from './log-tab.module.css';

interface StreamFilterProps {
  readonly lines: readonly LogLine[];
  readonly chosen: ReadonlySet<LogStream>;
  readonly onChange: (chosen: ReadonlySet<LogStream>) => void;
}

/** Full names of the streams. */
export const streamNames: Readonly<Record<LogStream, string>> = {
  stderr: 'Server’s stderr',
  stdout: 'Stray stdout',
  hub: 'Patchbay',
  server: 'MCP log messages',
};

/** Short names of the streams, shown before each line. */
export const streamLabels: Readonly<Record<LogStream, string>> = {
  stderr: 'stderr',
  stdout: 'stdout',
  hub: 'Patchbay',
  server: 'MCP',
};

/** Chooses the streams to show; none chosen means all. */
export function StreamFilter({ lines, chosen, onChange }: StreamFilterProps) {
  const counts = useMemo(() => groupBy(lines, (line) => line.stream), [lines]);
  function toggle(stream: LogStream): void {
    const next = new Set(chosen);
    if (!next.delete(stream)) next.add(stream);
    onChange(next);
  }
  return (
    <Menu closeOnItemClick={false} width={210} position="bottom-start">
      <Menu.Target>
        <Button
          variant={chosen.size === 0 ? 'default' : 'light'}
          leftSection={<ListFilter size={13} aria-hidden />}
        >
          {chosen.size === 0 ? 'All streams' : `${chosen.size} of 4 streams`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(streamNames).map(([stream, name]) => {
          const on = chosen.has(stream as LogStream);
          return (
            <Menu.Item
              key={stream}
              role="menuitemcheckbox"
              aria-checked={on}
              leftSection={<Check size={13} visibility={on ? 'visible' : 'hidden'} aria-hidden />}
              rightSection={<span className={classes.hits}>{counts[stream]?.length ?? 0}</span>}
              onClick={() => toggle(stream as LogStream)}
            >
              {name}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
