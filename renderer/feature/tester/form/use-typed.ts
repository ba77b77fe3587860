import { useState } from 'react';

/** Holds the typed text for a value while the value is the one parsed from it. */
export function useTypedText(value: unknown, written: (value: unknown) => string) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly parsed: string }>();
  const present = keyOf(value);
  const own = value === undefined || value === null ? '' : written(value);
  return {
    shown: typed?.parsed === present ? typed.text : own,
    type: (text: string, parsed: unknown) => setTyped({ text, parsed: keyOf(parsed) }),
  };
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
