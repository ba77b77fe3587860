import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import type { ServerView } from '../../../../shared/model/server.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { type Arrangement, countByFilter, type ServerFilter, serverFilters } from './arrange-servers.ts';
import classes from './list-tools.module.css';

interface ListToolsProps {
  readonly servers: readonly ServerView[];
  readonly arrangement: Arrangement;
  readonly onChange: (arrangement: Arrangement) => void;
  readonly compact: boolean;
}

const labels: Readonly<Record<ServerFilter, string>> = {
  all: 'All',
  running: 'Running',
  asleep: 'Asleep',
  attention: 'Attention',
  off: 'Off',
};

/** Search and filter above the list of servers. */
export function ListTools({ servers, arrangement, onChange, compact }: ListToolsProps) {
  const counts = useMemo(() => countByFilter(servers), [servers]);
  const filters = serverFilters.filter(
    (filter) => filter !== 'asleep' || counts.asleep > 0 || arrangement.filter === filter,
  );
  return (
    <div className={classes.tools} data-compact={compact}>
      <SearchField
        label="Search servers"
        width={compact ? '100%' : 240}
        value={arrangement.query}
        onChange={(query) => onChange({ ...arrangement, query })}
        onEnterList={() => document.querySelector<HTMLElement>('[data-row="0"]')?.focus()}
      />
      {!compact && (
        <SegmentedControl
          size="xs"
          aria-label="Show which servers"
          value={arrangement.filter}
          onChange={(filter) => onChange({ ...arrangement, filter })}
          data={filters.map((filter) => ({
            value: filter,
            label: (
              <span className={classes.filter}>
                {labels[filter]}
                <span className={classes.count}>{counts[filter]}</span>
              </span>
            ),
          }))}
        />
      )}
    </div>
  );
}
