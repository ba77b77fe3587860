import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AuditFilter } from '../../../../shared/model/activity/audit.ts';
import { useModel } from '../../../store/model-context.tsx';
import { dayOf, endOfDay, startOfDay } from './days.ts';

const hour = 3_600_000;
const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
] as const;
const byDay = 'days';

type Times = Pick<AuditFilter, 'since' | 'until'>;

interface AuditTimeProps {
  readonly value: Times;
  readonly onChange: (times: { since: number | undefined; until: number | undefined }) => void;
}

/** Chooses a period that ends now, or a range of days. */
export function AuditTime({ value, onChange }: AuditTimeProps) {
  const { now } = useModel();
  const isSet = value.since !== undefined || value.until !== undefined;
  const [choice, setChoice] = useState<string | null>(isSet ? byDay : null);
  function choose(next: string | null): void {
    setChoice(next);
    const hours = Number(next);
    if (next === byDay) onChange({ since: startOfDay(dayOf(now())), until: undefined });
    else onChange({ since: hours > 0 ? now() - hours * hour : undefined, until: undefined });
  }
  return (
    <>
      <Select
        size="xs"
        clearable
        aria-label="Time"
        placeholder="Time"
        comboboxProps={{ width: 180, position: 'bottom-start', withinPortal: false }}
        value={isSet || choice === byDay ? choice : null}
        onChange={choose}
        data={[...spans, { value: byDay, label: 'Date range' }]}
      />
      {choice === byDay && <Days value={value} onChange={onChange} />}
    </>
  );
}

function Days({ value, onChange }: AuditTimeProps) {
  const { since, until } = value;
  return (
    <span className="row gap-6 dim tiny">
      <TextInput
        type="date"
        size="xs"
        aria-label="From date"
        value={since === undefined ? '' : dayOf(since)}
        onChange={(event) => onChange({ since: startOfDay(event.currentTarget.value), until })}
      />
      to
      <TextInput
        type="date"
        size="xs"
        aria-label="To date"
        value={until === undefined ? '' : dayOf(until)}
        onChange={(event) => onChange({ since, until: endOfDay(event.currentTarget.value) })}
      />
    </span>
  );
}
