import { useEffect, useState } from 'react';
import { maxFilterTextLength } from '../../../shared/model/activity.ts';
import { SearchField } from '../../ui/search-field.tsx';

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Applies the text once typing pauses. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reacts to typing only
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchField
      label={label}
      value={text}
      onChange={(next) => setText(next.slice(0, maxFilterTextLength))}
      width={190}
    />
  );
}
