import { useState } from 'react';

/** Holds the typed text for a value while the value is the one parsed from it. */
export function useTyped(value: unknown, written: (value: unknown) => string) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly made: string }>();
  const present = keyOf(value);
  const own = value === undefined || value === null ? '' : written(value);
  return {
    shown: typed?.made === present ? typed.text : own,
    type: (text: string, made: unknown) => setTyped({ text, made: keyOf(made) }),
  };
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
