import { NumberInput } from '@mantine/core';

interface AmountFieldProps {
  readonly label: string;
  readonly description?: string;
  /** What counts while the field is empty. */
  readonly placeholder: string;
  /** The stored value, and how many of it make one of what is shown. */
  readonly value: number | undefined;
  readonly unit: number;
  readonly suffix: string;
  readonly error: string | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A whole number in a unit people think in; empty stands for the standard. */
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
      // Only a text written by hand holds parts; they are not to be rounded by being looked at.
      allowDecimal={typeof shown === 'number' && !Number.isInteger(shown)}
      onChange={(next) => onChange(Number(next) > 0 ? Math.round(Number(next) * unit) : undefined)}
    />
  );
}
