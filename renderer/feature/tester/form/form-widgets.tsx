import { Autocomplete, Checkbox, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import {
  ariaDescribedByIds,
  enumOptionsIsSelected,
  enumOptionsValueForIndex,
  type WidgetProps,
} from '@rjsf/utils';
import { useEffect, useState } from 'react';
import type { SchemaFormContext } from './form-context.ts';
import classes from './schema-form.module.css';

/** Edits text of any length; a required one may be empty. */
export function TextWidget(props: WidgetProps) {
  const { id, value, required, disabled, readonly, onChange, schema, name, placeholder } = props;
  const { complete } = props.registry.formContext as SchemaFormContext;
  const shared = {
    id,
    disabled: disabled === true,
    readOnly: readonly === true,
    placeholder: placeholder || exampleOf(schema),
    'aria-describedby': ariaDescribedByIds(id),
    ...labelOf(props),
  };
  const change = (text: string) => onChange(text === '' && required !== true ? undefined : text);
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  if (complete !== undefined) {
    return <CompletedText {...shared} name={name} text={text} onText={change} complete={complete} />;
  }
  if (schema.format !== undefined) {
    // An invalid date must be visible to be corrected.
    const isDate = schema.format === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text));
    return (
      <TextInput
        {...shared}
        type={isDate ? 'date' : 'text'}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <Textarea
      {...shared}
      autosize
      minRows={1}
      maxRows={12}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface CompletedTextProps {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly complete: NonNullable<SchemaFormContext['complete']>;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly placeholder: string;
}

/** Edits text with completions from the server, requested when typing pauses. */
function CompletedText({ name, text, onText, complete, ...rest }: CompletedTextProps) {
  const [wanted, setWanted] = useState(false);
  const [completions, setCompletions] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    const timer = setTimeout(() => {
      void complete(name, text).then((values) => current && setCompletions([...new Set(values)]));
    }, typingPauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [wanted, complete, name, text]);
  return (
    <Autocomplete
      {...rest}
      size="xs"
      comboboxProps={{ withinPortal: false }}
      data={[...completions]}
      // The server has already filtered them.
      filter={({ options }) => options}
      value={text}
      onChange={onText}
      onFocus={() => setWanted(true)}
    />
  );
}

const typingPauseMs = 200;

/** Chooses one of a few values. */
export function SelectWidget(props: WidgetProps) {
  const { id, value, required, disabled, readonly, multiple, onChange, options } = props;
  const { enumOptions = [] } = options;
  if (multiple === true) return <CheckboxesWidget {...props} />;
  const selected = enumOptions.findIndex((option) => enumOptionsIsSelected(option.value, value));
  const isSet = selected !== -1;
  return (
    <NativeSelect
      id={id}
      size="xs"
      disabled={disabled === true || readonly === true}
      aria-describedby={ariaDescribedByIds(id)}
      {...labelOf(props)}
      value={isSet ? String(selected) : ''}
      onChange={(event) => {
        const index = event.currentTarget.value;
        onChange(index === '' ? undefined : enumOptionsValueForIndex(index, enumOptions));
      }}
    >
      {(!isSet || required !== true) && <option value="">{required === true ? 'Choose…' : 'not set'}</option>}
      {enumOptions.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options are identified by position, since two may be equal
        <option key={index} value={String(index)}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

/** Chooses several of a few values. */
export function CheckboxesWidget({ id, value, disabled, onChange, options, label }: WidgetProps) {
  const { enumOptions = [] } = options;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    // biome-ignore lint/a11y/useSemanticElements: the field around it is the fieldset
    <div className={classes.checks} role="group" id={id} aria-label={label}>
      {enumOptions.map((option) => {
        const isChosen = enumOptionsIsSelected(option.value, chosen as never);
        return (
          <Checkbox
            key={option.label}
            label={option.label}
            checked={isChosen}
            disabled={disabled === true}
            onChange={() =>
              onChange(
                enumOptions
                  .filter(({ value: one }) => (one === option.value ? !isChosen : chosen.includes(one)))
                  .map(({ value: one }) => one),
              )
            }
          />
        );
      })}
    </div>
  );
}

/** Chooses true, false, or not set. */
export function BooleanWidget({ id, value, required, disabled, onChange, label, schema }: WidgetProps) {
  const isUnset = typeof value !== 'boolean';
  const data = [
    ...(required === true && !isUnset ? [] : [{ value: 'unset', label: 'not set' }]),
    { value: 'true', label: 'true' },
    { value: 'false', label: 'false' },
  ];
  return (
    <div className={classes.boolean}>
      <span className={classes.label} id={`${id}__label`}>
        {label}
        {required === true && <span className={classes.required}>required</span>}
      </span>
      {schema.description !== undefined && <p className={classes.description}>{schema.description}</p>}
      <SegmentedControl
        id={id}
        size="xs"
        aria-labelledby={`${id}__label`}
        disabled={disabled === true}
        data={data}
        value={isUnset ? 'unset' : String(value)}
        onChange={(next) => onChange(next === 'unset' ? undefined : next === 'true')}
      />
    </div>
  );
}

/** Returns an accessible name for controls without a visible label: list items and schema choices. */
function labelOf({ label, hideLabel, id }: WidgetProps): { readonly 'aria-label'?: string } {
  return hideLabel === true || /__(?:one|any)of_select$|_\d+$/.test(id)
    ? { 'aria-label': label || 'Value' }
    : {};
}

function exampleOf({ examples, format }: WidgetProps['schema']): string {
  const [example] = Array.isArray(examples) ? examples : [];
  if (example !== undefined && example !== null) return `for example ${String(example)}`;
  return typeof format === 'string' ? format : '';
}
