import { Select } from '@mantine/core';
import {
  type ActivityCounts,
  type ActivityOutcome,
  activityOutcomes,
} from '../../../shared/model/activity/activity.ts';
import { failedOutcomes, outcomeLooks } from './activity-labels.ts';
import classes from './activity-view.module.css';

interface OutcomeChoiceProps {
  readonly value: readonly ActivityOutcome[] | undefined;
  readonly counts: ActivityCounts['outcomes'] | undefined;
  readonly onChange: (outcomes: readonly ActivityOutcome[] | undefined) => void;
}

/** Filters by one outcome or by all failures. */
export function OutcomeChoice({ value, counts = [], onChange }: OutcomeChoiceProps) {
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
