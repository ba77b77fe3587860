import { Input, SegmentedControl } from '@mantine/core';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly description: string;
  readonly value: T;
  readonly error: string | undefined;
  readonly data: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** Chooses one of two or three options, with a sentence about them. */
export function Choice<T extends string>({
  label,
  description,
  value,
  error,
  data,
  onChange,
}: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <SegmentedControl
        fullWidth
        mt={5}
        size="xs"
        aria-label={label}
        value={value}
        onChange={onChange}
        data={[...data]}
      />
    </Input.Wrapper>
  );
}
