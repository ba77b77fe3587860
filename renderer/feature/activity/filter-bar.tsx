import { Button, Select } from '@mantine/core';
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

interface OutcomeChoiceProps {
  readonly value: readonly ActivityOutcome[] | undefined;
  readonly counts: ActivityCounts['outcomes'] | undefined;
  readonly onChange: (outcomes: readonly ActivityOutcome[] | undefined) => void;
}

/** Filters by one outcome or by all failures. */
function OutcomeChoice({ value, counts = [], onChange }: OutcomeChoiceProps) {
  const count = (outcomes: readonly string[]) =>
    counts.reduce((sum, one) => (outcomes.includes(one.value) ? sum + one.count : sum), 0);
  const chosen = value === undefined ? null : value.length === 1 ? (value[0] ?? null) : failed;
  return (
    <Select
      size="xs"
      w={112}
      clearable
      aria-label="Outcome"
      placeholder="Outcome"
      comboboxProps={{ width: 200, position: 'bottom-start', withinPortal: false }}
      value={chosen}
      onChange={(next) => onChange(next === null ? undefined : outcomesOf(next))}
      data={[
        { value: failed, label: 'All failures' },
        ...activityOutcomes.map((outcome) => ({ value: outcome, label: outcomeLooks[outcome].label })),
      ]}
      renderOption={({ option }) => (
        <span className={`grow ${classes.option}`}>
          <span>{option.label}</span>
          <span className="numeric">{count(outcomesOf(option.value)).toLocaleString('en')}</span>
        </span>
      )}
    />
  );
}

const failed = 'failed';

function outcomesOf(choice: string): readonly ActivityOutcome[] {
  return choice === failed ? failedOutcomes : activityOutcomes.filter((outcome) => outcome === choice);
}

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
  const [span, setSpan] = useState<string | null>(null);
  return (
    <Select
      size="xs"
      w="100%"
      clearable
      aria-label="Time"
      placeholder="Time"
      comboboxProps={{ width: 180, position: 'bottom-start', withinPortal: false }}
      value={since === undefined ? null : span}
      onChange={(chosen) => {
        const found = spans.find(({ value }) => value === chosen);
        setSpan(chosen);
        onChange(found === undefined ? undefined : now() - found.milliseconds);
      }}
      data={spans.map(({ value, label }) => ({ value, label }))}
    />
  );
}
