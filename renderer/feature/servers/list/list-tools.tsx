import { SegmentedControl, Select } from '@mantine/core';
import { useMemo } from 'react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { SearchField } from '../../../ui/list/search-field.tsx';
import {
  type Arrangement,
  countByFilter,
  type ServerFilter,
  serverFilters,
  tagsOf,
} from './arrange-servers.ts';
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
  attention: 'Needs attention',
  off: 'Off',
};

/** Searches, filters and sorts the list of servers. */
export function ListTools({ servers, arrangement, onChange, compact }: ListToolsProps) {
  const counts = useMemo(() => countByFilter(servers), [servers]);
  const tags = useMemo(() => tagsOf(servers), [servers]);
  const filters = serverFilters.filter(
    (filter) => filter !== 'asleep' || counts.asleep > 0 || arrangement.filter === filter,
  );
  return (
    <div className={`row ${classes.tools}`} data-compact={compact}>
      <SearchField
        label="Search servers"
        width={compact ? '100%' : 240}
        value={arrangement.query}
        onChange={(query) => onChange({ ...arrangement, query })}
        onEnterList={() => document.querySelector<HTMLElement>('[data-row="0"]')?.focus()}
      />
      {!compact && tags.length > 0 && (
        <Select
          size="xs"
          w={130}
          clearable
          aria-label="Tag"
          placeholder="Tag"
          data={[...tags]}
          value={arrangement.tag ?? null}
          onChange={(tag) => onChange(withTag(arrangement, tag))}
        />
      )}
      {!compact && (arrangement.sort === 'failures' || arrangement.sort === 'file') && (
        <Select
          className={classes.order ?? ''}
          size="xs"
          w={140}
          aria-label="Order"
          data={[...orders]}
          value={arrangement.sort}
          allowDeselect={false}
          onChange={(sort) =>
            onChange({ ...arrangement, sort: sort === 'file' ? 'file' : 'failures', descending: false })
          }
        />
      )}
      {!compact && (
        <SegmentedControl
          size="xs"
          aria-label="Filter servers"
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

const orders = [
  { value: 'failures', label: 'Failures first' },
  { value: 'file', label: 'Config file order' },
];

function withTag({ tag: _before, ...arrangement }: Arrangement, tag: string | null): Arrangement {
  return tag === null ? arrangement : { ...arrangement, tag };
}
