import { NumberInput } from '@mantine/core';

interface AmountFieldProps {
  readonly label: string;
  readonly description?: string;
  /** The default, shown while the field is empty. */
  readonly placeholder: string;
  /** The stored value, and how many of its units make one shown unit. */
  readonly value: number | undefined;
  readonly unit: number;
  readonly suffix: string;
  readonly error: string | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Edits a whole number in a human unit; empty means the default. */
export function AmountField({ value, unit, error, onChange, ...field }: AmountFieldProps) {
  const shown = value === undefined ? '' : value / unit;
  return (
    <NumberInput
      {...field}
      size="xs"
      value={shown}
      error={error}
      min={1}
      allowNegative={false}
      // Only hand-written configs contain fractions; showing one must not round it.
      allowDecimal={typeof shown === 'number' && !Number.isInteger(shown)}
      onChange={(next) => onChange(Number(next) > 0 ? Math.round(Number(next) * unit) : undefined)}
    />
  );
}
