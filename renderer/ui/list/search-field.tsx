import { CloseButton, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly width?: number | string;
  /** Called on arrow down: moves into the list. */
  readonly onEnterList?: () => void;
}

/** A search field: `/` focuses it (by command), Escape clears it, arrow down moves into the list. */
export function SearchField({ value, onChange, label, width = 220, onEnterList }: SearchFieldProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && value !== '') {
      event.stopPropagation();
      onChange('');
    }
    if (event.key === 'ArrowDown' && onEnterList !== undefined) {
      event.preventDefault();
      onEnterList();
    }
  }
  return (
    <TextInput
      type="search"
      size="xs"
      w={width}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      placeholder={label}
      aria-label={label}
      leftSection={<Search size={14} aria-hidden />}
      rightSection={
        value === '' ? null : <CloseButton size="xs" aria-label="Clear search" onClick={() => onChange('')} />
      }
    />
  );
}
