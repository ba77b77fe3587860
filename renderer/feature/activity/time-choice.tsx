import { Select } from '@mantine/core';
import { useState } from 'react';
import { useModel } from '../../store/model-context.tsx';

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
export function TimeChoice({ since, onChange }: TimeChoiceProps) {
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
