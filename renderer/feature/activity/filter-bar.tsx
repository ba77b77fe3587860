import { Button, Select } from '@mantine/core';
import { X } from 'lucide-react';
import {
  type ActivityCounts,
  type ActivityFilter,
  type ActivityKind,
  activityKinds,
} from '../../../shared/model/activity/activity.ts';
import { defaultFilter } from '../../store/activity-store.ts';
import { useTitleOf } from '../../store/model-context.tsx';
import { MoreFilters } from '../../ui/list/more-filters.tsx';
import { isFiltered } from './activity-filter.ts';
import { kindNames } from './activity-labels.ts';
import classes from './activity-view.module.css';
import { OutcomeChoice } from './outcome-choice.tsx';
import { TextFilter } from './text-filter.tsx';
import { TimeChoice } from './time-choice.tsx';

interface FilterBarProps {
  readonly filter: ActivityFilter;
  readonly counts: ActivityCounts | undefined;
  readonly onChange: (filter: ActivityFilter) => void;
}

/** Filters the activity; each choice shows how many entries it matches. */
export function FilterBar({ filter, counts, onChange }: FilterBarProps) {
  const titleOf = useTitleOf();
  const change = (part: Partial<ActivityFilter>) => onChange(withoutEmpty({ ...filter, ...part }));
  const { clientName, name, method, since } = filter;
  const set = [clientName, name, method, since].filter((value) => value !== undefined).length;
  return (
    <search className={`row ${classes.filters}`} aria-label="Filter the activity">
      <TextFilter
        label="Search activity"
        value={filter.text ?? ''}
        onChange={(text) => change({ text: text === '' ? undefined : text })}
      />
      <Choice
        label="Everything"
        name="Kind"
        value={filter.kind}
        counts={activityKinds.map((value) => ({ value, count: countOf(counts?.kinds ?? [], value) }))}
        show={(value) => kindNames[value as ActivityKind]}
        onChange={(kind) => change({ kind: activityKinds.find((one) => one === kind) })}
      />
      <Choice
        label="Server"
        value={filter.serverKey}
        counts={counts?.servers}
        show={titleOf}
        onChange={(serverKey) => change({ serverKey })}
      />
      <OutcomeChoice
        value={filter.outcomes}
        counts={counts?.outcomes}
        onChange={(outcomes) => change({ outcomes })}
      />
      <MoreFilters set={set}>
        <Choice
          isWide
          label="Client"
          value={clientName}
          counts={counts?.clients}
          onChange={(next) => change({ clientName: next })}
        />
        <Choice
          isWide
          label="Tool"
          value={name}
          counts={counts?.names}
          onChange={(next) => change({ name: next })}
        />
        <Choice
          isWide
          label="Method"
          value={method}
          counts={counts?.methods}
          onChange={(next) => change({ method: next })}
        />
        <TimeChoice since={since} onChange={(next) => change({ since: next })} />
      </MoreFilters>
      {isFiltered(filter) && (
        <Button
          variant="subtle"
          leftSection={<X size={13} aria-hidden />}
          onClick={() => onChange(defaultFilter)}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

interface ChoiceProps {
  readonly label: string;
  /** Accessible name. */
  readonly name?: string;
  readonly value: string | undefined;
  readonly counts: ActivityCounts['servers'] | undefined;
  readonly show?: (value: string) => string;
  readonly isWide?: boolean;
  readonly onChange: (value: string | undefined) => void;
}

function Choice({
  label,
  name = label,
  value,
  counts = [],
  show = same,
  isWide = false,
  onChange,
}: ChoiceProps) {
  // The selected value stays in the list when no entry has it any more.
  const all =
    value === undefined || counts.some((one) => one.value === value)
      ? counts
      : [...counts, { value, count: 0 }];
  return (
    <Select
      size="xs"
      w={isWide ? '100%' : 112}
      clearable
      searchable
      openOnFocus={!isWide}
      aria-label={name}
      placeholder={label}
      nothingFoundMessage="No matches"
      comboboxProps={{ width: 240, position: 'bottom-start', withinPortal: false }}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      data={all.map((one) => ({ value: one.value, label: show(one.value) }))}
      renderOption={({ option }) => (
        <span className={`grow ${classes.option}`}>
          <span>{option.label}</span>
          <span className="numeric">{countOf(all, option.value).toLocaleString('en')}</span>
        </span>
      )}
    />
  );
}

function same(value: string): string {
  return value;
}

function countOf(counts: ActivityCounts['servers'], value: string): number {
  return counts.find((one) => one.value === value)?.count ?? 0;
}

function withoutEmpty(filter: ActivityFilter): ActivityFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
