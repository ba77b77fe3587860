import { Select } from '@mantine/core';

const hour = 3_600_000;
const day = 24 * hour;

const lengths: Readonly<Record<string, { readonly label: string; readonly length?: number }>> = {
  never: { label: 'never' },
  hour: { label: 'in an hour', length: hour },
  day: { label: 'in a day', length: day },
  week: { label: 'in a week', length: 7 * day },
  month: { label: 'in 30 days', length: 30 * day },
};

/** Chooses when something expires. */
export function ExpiryChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Select
      size="xs"
      w={120}
      label="Expires"
      data={Object.entries(lengths).map(([key, { label }]) => ({ value: key, label }))}
      value={value}
      allowDeselect={false}
      onChange={(next) => next !== null && onChange(next)}
    />
  );
}

export function expiryOf(value: string, now: number): number | undefined {
  const length = lengths[value]?.length;
  return length === undefined ? undefined : now + length;
}
