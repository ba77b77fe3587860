import { Select } from '@mantine/core';
import type { GuardMode } from '../../shared/model/guard.ts';

const choices: readonly { readonly value: GuardMode; readonly label: string }[] = [
  { value: 'changes', label: 'Trust its tools as they are now and ask about changes' },
  { value: 'each', label: 'Ask about each' },
  { value: 'off', label: 'Do not guard' },
];

const meanings: Readonly<Record<GuardMode, string>> = {
  changes: 'A tool that is new or described differently later is held until you have seen what changed.',
  each: 'Clients get none of its tools before you have approved it.',
  off: 'Whatever it says about its tools reaches your clients at once.',
};

interface GuardChoiceProps {
  readonly label?: string;
  readonly value: GuardMode;
  readonly error?: string | undefined;
  readonly onChange: (mode: GuardMode) => void;
}

/** The one decision about a server's tools. */
export function GuardChoice({ label = 'Its tools', value, error, onChange }: GuardChoiceProps) {
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
