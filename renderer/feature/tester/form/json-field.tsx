import { Textarea } from '@mantine/core';
import { ariaDescribedByIds, type FieldProps } from '@rjsf/utils';
import { jsonReason } from './drawable-schema.ts';
import { isExact } from './form-text.ts';
import classes from './schema-form.module.css';
import { useTypedText } from './use-typed.ts';

/** Edits a part that has no form controls as JSON. */
export function JsonField({ schema, formData, fieldPathId, disabled, name, onChange }: FieldProps) {
  const { $id: id, path } = fieldPathId;
  const { shown, type } = useTypedText(formData, (value) => JSON.stringify(value, undefined, 2));
  const error = jsonError(shown);
  const reason = jsonReason(schema);
  return (
    <>
      {reason !== undefined && <p className={classes.description}>{reason}</p>}
      <Textarea
        id={id}
        classNames={{ input: classes.code ?? '' }}
        aria-label={`${name} as JSON`}
        aria-describedby={ariaDescribedByIds(id)}
        autosize
        minRows={1}
        maxRows={12}
        placeholder="JSON"
        spellCheck={false}
        disabled={disabled === true}
        value={shown}
        error={error}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const isValid = text.trim() !== '' && jsonError(text) === undefined;
          const value: unknown = isValid ? JSON.parse(text) : undefined;
          type(text, value);
          onChange(value, path, undefined, id);
        }}
      />
    </>
  );
}

function jsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const numbers = text.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every(isExact)
    ? undefined
    : 'The form would round a number here. Edit all arguments as JSON instead.';
}
