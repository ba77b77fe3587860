import { Select } from '@mantine/core';
import type { GuardMode } from '../../../shared/model/tool/guard.ts';

const choices: readonly { readonly value: GuardMode; readonly label: string }[] = [
  { value: 'changes', label: 'Ask when a change raises risk' },
  { value: 'each', label: 'Ask about every change' },
  { value: 'off', label: 'Never ask' },
];

const meanings: Readonly<Record<GuardMode, string>> = {
  changes:
    'New and reworded tools reach your clients at once and are marked. A change that raises risk, such as hidden text, waits for your review.',
  each: 'Clients get new and changed tools only after you approve them.',
  off: 'Every change reaches your clients at once.',
};

interface GuardChoiceProps {
  readonly label?: string;
  readonly value: GuardMode;
  readonly error?: string | undefined;
  readonly onChange: (mode: GuardMode) => void;
}

/** Chooses how changes of a server's tools are treated. */
export function GuardChoice({ label = 'Tool changes', value, error, onChange }: GuardChoiceProps) {
  return (
    <Select
      size="xs"
      label={label}
      description={meanings[value]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[...choices]}
      value={value}
      error={error}
      allowDeselect={false}
      onChange={(mode) => mode !== null && onChange(mode as GuardMode)}
    />
  );
}
