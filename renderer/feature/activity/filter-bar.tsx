import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import {
  type ActivityCounts,
  type ActivityFilter,
  type ActivityKind,
  type ActivityOutcome,
  activityKinds,
  activityOutcomes,
} from '../../../shared/model/activity/activity.ts';
import { defaultFilter } from '../../store/activity-store.ts';
import { useModel, useTitleOf } from '../../store/model-context.tsx';
import { MoreFilters } from '../../ui/list/more-filters.tsx';
import { isFiltered } from './activity-filter.ts';
import { failedOutcomes, kindNames, outcomeLooks } from './activity-labels.ts';
import classes from './activity-view.module.css';
import { FilterSelect, GroupSelect, NameSelect, optionsOf, withoutEmpty } from './filter-select.tsx';
import { TextFilter } from './text-filter.tsx';

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
    <NameSelect
      isWide={isWide}
      label={label}
      name={name}
      value={value}
      onChange={onChange}
      data={all.map((one) => ({ value: one.value, label: show(one.value) }))}
      renderOption={({ option }) => <CountedOption label={option.label} count={countOf(all, option.value)} />}
    />
  );
}

function CountedOption({ label, count }: { label: string; count: number }) {
  return (
    <span className={`grow ${classes.option}`}>
      <span>{label}</span>
      <span className="numeric">{count.toLocaleString('en')}</span>
    </span>
  );
}

function same(value: string): string {
  return value;
}

function countOf(counts: ActivityCounts['servers'], value: string): number {
  return counts.find((one) => one.value === value)?.count ?? 0;
}

interface OutcomeChoiceProps {
  readonly value: readonly ActivityOutcome[] | undefined;
  readonly counts: ActivityCounts['outcomes'] | undefined;
  readonly onChange: (outcomes: readonly ActivityOutcome[] | undefined) => void;
}

/** Filters by one outcome or by all failures. */
function OutcomeChoice({ value, counts = [], onChange }: OutcomeChoiceProps) {
  const count = (outcomes: readonly string[]) =>
    counts.reduce((sum, one) => (outcomes.includes(one.value) ? sum + one.count : sum), 0);
  return (
    <GroupSelect
      label="Outcome"
      value={value}
      options={activityOutcomes}
      labelOf={(outcome) => outcomeLooks[outcome].label}
      group={failures}
      onChange={onChange}
      renderOption={({ option }) => (
        <CountedOption
          label={option.label}
          count={count(optionsOf(option.value, activityOutcomes, failures))}
        />
      )}
    />
  );
}

const failures = { id: 'failed', label: 'All failures', options: failedOutcomes };

const minute = 60_000;
const spans = [
  { value: '15', label: 'Last 15 minutes', milliseconds: 15 * minute },
  { value: '60', label: 'Last hour', milliseconds: 60 * minute },
  { value: '1440', label: 'Last day', milliseconds: 24 * 60 * minute },
] as const;

interface TimeChoiceProps {
  readonly since: number | undefined;
  readonly onChange: (since: number | undefined) => void;
}

/** Chooses a period that ends at the moment of choosing. */
function TimeChoice({ since, onChange }: TimeChoiceProps) {
  const { now } = useModel();
  const [span, setSpan] = useState<string>();
  return (
    <FilterSelect
      label="Time"
      width="100%"
      listWidth={180}
      value={since === undefined ? undefined : span}
      onChange={(chosen) => {
        const found = spans.find(({ value }) => value === chosen);
        setSpan(chosen);
        onChange(found === undefined ? undefined : now() - found.milliseconds);
      }}
      data={spans.map(({ value, label }) => ({ value, label }))}
    />
  );
}
