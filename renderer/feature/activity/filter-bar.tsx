import { Button, SegmentedControl, Select } from '@mantine/core';
import { X } from 'lucide-react';
import {
  type ActivityCounts,
  type ActivityFilter,
  type ActivityKind,
  activityKinds,
} from '../../../shared/model/activity.ts';
import { isFiltered } from './activity-filter.ts';
import classes from './activity-view.module.css';
import { kindNames } from './activity-words.ts';
import { OutcomeChoice } from './outcome-choice.tsx';
import { TextFilter } from './text-filter.tsx';
import { TimeChoice } from './time-choice.tsx';

interface FilterBarProps {
  readonly filter: ActivityFilter;
  readonly counts: ActivityCounts | undefined;
  readonly onChange: (filter: ActivityFilter) => void;
}

/** What is shown of the activity; each choice says how many entries it would leave. */
export function FilterBar({ filter, counts, onChange }: FilterBarProps) {
  const change = (part: Partial<ActivityFilter>) => onChange(withoutEmpty({ ...filter, ...part }));
  return (
    <search className={classes.filters} aria-label="Filter the activity">
      <TextFilter
        label="Search activity"
        value={filter.text ?? ''}
        onChange={(text) => change({ text: text === '' ? undefined : text })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Kind"
        value={filter.kind ?? 'all'}
        onChange={(kind) => change({ kind: kind === 'all' ? undefined : (kind as ActivityKind) })}
        data={[
          { value: 'all', label: 'All' },
          ...activityKinds.map((kind) => ({ value: kind, label: kindNames[kind] })),
        ]}
      />
      <Choice
        label="Server"
        value={filter.serverKey}
        counts={counts?.servers}
        onChange={(serverKey) => change({ serverKey })}
      />
      <Choice
        label="Client"
        value={filter.clientName}
        counts={counts?.clients}
        onChange={(clientName) => change({ clientName })}
      />
      <Choice label="Tool" value={filter.name} counts={counts?.names} onChange={(name) => change({ name })} />
      <Choice
        label="Method"
        value={filter.method}
        counts={counts?.methods}
        onChange={(method) => change({ method })}
      />
      <OutcomeChoice
        value={filter.outcomes}
        counts={counts?.outcomes}
        onChange={(outcomes) => change({ outcomes })}
      />
      <TimeChoice since={filter.since} onChange={(since) => change({ since })} />
      {isFiltered(filter) && (
        <Button variant="subtle" leftSection={<X size={13} aria-hidden />} onClick={() => onChange({})}>
          Show everything
        </Button>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly counts: ActivityCounts['servers'] | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, value, counts = [], onChange }: ChoiceProps) {
  // What is chosen stays a choice when nothing of it is left.
  const all =
    value === undefined || counts.some((one) => one.value === value)
      ? counts
      : [...counts, { value, count: 0 }];
  return (
    <Select
      size="xs"
      w={112}
      clearable
      searchable
      aria-label={label}
      placeholder={label}
      nothingFoundMessage="None"
      comboboxProps={{ width: 240, position: 'bottom-start', withinPortal: false }}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      data={all.map((one) => ({ value: one.value, label: one.value }))}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <span>{option.label}</span>
          <span className="numeric">{countOf(all, option.value).toLocaleString('en')}</span>
        </span>
      )}
    />
  );
}

function countOf(counts: ActivityCounts['servers'], value: string): number {
  return counts.find((one) => one.value === value)?.count ?? 0;
}

function withoutEmpty(filter: ActivityFilter): ActivityFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
