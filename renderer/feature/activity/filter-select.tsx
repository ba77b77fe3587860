import { Select, type SelectProps } from '@mantine/core';

interface FilterSelectProps
  extends Omit<SelectProps, 'label' | 'size' | 'w' | 'value' | 'onChange' | 'comboboxProps'> {
  /** Shown while nothing is chosen. */
  readonly label: string;
  /** Accessible name; the label by default. */
  readonly name?: string;
  readonly width?: number | string;
  /** Width of the list of choices. */
  readonly listWidth?: number;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses one value to filter by. */
export function FilterSelect(props: FilterSelectProps) {
  const { label, name = label, width = 112, listWidth = 200, value, onChange, ...others } = props;
  return (
    <Select
      {...others}
      size="xs"
      w={width}
      clearable
      aria-label={name}
      placeholder={label}
      comboboxProps={{ width: listWidth, position: 'bottom-start', withinPortal: false }}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}

interface NameSelectProps extends FilterSelectProps {
  readonly isWide?: boolean;
}

/** Chooses one of many names, found by typing. */
export function NameSelect({ isWide = false, ...props }: NameSelectProps) {
  return (
    <FilterSelect
      {...props}
      width={isWide ? '100%' : 112}
      listWidth={240}
      searchable
      openOnFocus={!isWide}
      nothingFoundMessage="No matches"
    />
  );
}

interface GroupSelectProps<T extends string> extends Omit<FilterSelectProps, 'value' | 'onChange' | 'data'> {
  readonly value: readonly T[] | undefined;
  readonly options: readonly T[];
  readonly labelOf: (option: T) => string;
  /** Several options that can be chosen as one. */
  readonly group: { readonly id: string; readonly label: string; readonly options: readonly T[] };
  readonly onChange: (value: readonly T[] | undefined) => void;
}

/** Chooses one option, or a group of them. */
export function GroupSelect<T extends string>(props: GroupSelectProps<T>) {
  const { value, options, labelOf, group, onChange, ...others } = props;
  const chosen = value?.length === 1 ? value[0] : value && group.id;
  return (
    <FilterSelect
      {...others}
      value={chosen}
      onChange={(next) => onChange(next === undefined ? undefined : optionsOf(next, options, group))}
      data={[
        { value: group.id, label: group.label },
        ...options.map((option) => ({ value: option, label: labelOf(option) })),
      ]}
    />
  );
}

/** Returns the options that a choice stands for. */
export function optionsOf<T extends string>(
  choice: string,
  options: readonly T[],
  group: Pick<GroupSelectProps<T>['group'], 'id' | 'options'>,
): readonly T[] {
  return choice === group.id ? group.options : options.filter((option) => option === choice);
}

/** Drops the members of a filter that do not restrict it. */
export function withoutEmpty<F extends object>(filter: F): F {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as F;
}
