import { Select } from '@mantine/core';
import { useState } from 'react';

interface KnownChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Names known now. Other names can be typed, since the log may be older. */
  readonly known: readonly string[];
  readonly show?: (value: string) => string;
  readonly isWide?: boolean;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses a name to filter by: a known one or any other. */
export function KnownChoice({
  label,
  value,
  known,
  show = same,
  isWide = false,
  onChange,
}: KnownChoiceProps) {
  const [typed, setTyped] = useState('');
  const isFound = known.some((one) => show(one) === typed || one === typed);
  const typedOption = typed === '' || isFound ? [] : [typed];
  const current = value === undefined || known.includes(value) || value === typed ? [] : [value];
  return (
    <Select
      size="xs"
      w={isWide ? '100%' : 112}
      clearable
      searchable
      openOnFocus={!isWide}
      aria-label={label}
      placeholder={label}
      nothingFoundMessage="No matches"
      comboboxProps={{ width: 240, position: 'bottom-start', withinPortal: false }}
      limit={100}
      value={value ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      data={[...known, ...current, ...typedOption].map((one) => ({ value: one, label: show(one) }))}
    />
  );
}

function same(value: string): string {
  return value;
}
