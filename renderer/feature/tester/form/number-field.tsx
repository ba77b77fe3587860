import { TextInput } from '@mantine/core';
import { ariaDescribedByIds, type FieldProps } from '@rjsf/utils';
import { exactNumberAt, itemLabel, type SchemaFormContext } from './form-context.ts';
import { isExact } from './form-text.ts';
import classes from './schema-form.module.css';
import { useTypedText } from './use-typed.ts';

/**
 * Edits a number. Typed numbers that a double cannot hold are rejected; those already in the JSON are shown
 * read-only.
 */
export function NumberField(props: FieldProps) {
  const { schema, registry, fieldPathId } = props;
  const { StringField } = registry.fields;
  if (StringField !== undefined && registry.schemaUtils.isSelect(schema)) return <StringField {...props} />;
  const written = exactNumberAt(registry.formContext as SchemaFormContext, fieldPathId.path);
  if (written !== undefined)
    return (
      <ReadOnlyNumber
        written={written}
        id={fieldPathId.$id}
        label={itemLabel(fieldPathId.path, props.name)}
      />
    );
  return <EditableNumber {...props} />;
}

function ReadOnlyNumber({ written, id, label }: { written: string; id: string; label: string | undefined }) {
  return (
    <>
      <TextInput id={id} {...(label === undefined ? {} : { 'aria-label': label })} value={written} readOnly />
      <p className={classes.description}>
        The form would round this number. It is sent as written in the JSON.
      </p>
    </>
  );
}

function EditableNumber({ formData, fieldPathId, disabled, readonly, schema, name, onChange }: FieldProps) {
  const { $id: id, path } = fieldPathId;
  const { shown, type } = useTypedText(formData, String);
  const error = numberError(shown, schema.type === 'integer');
  const label = itemLabel(path, name);
  return (
    <TextInput
      id={id}
      inputMode="decimal"
      autoComplete="off"
      {...(label === undefined ? {} : { 'aria-label': label })}
      aria-describedby={ariaDescribedByIds(id)}
      placeholder={schema.type === 'integer' ? 'a whole number' : 'a number'}
      disabled={disabled === true}
      readOnly={readonly === true}
      value={shown}
      error={error}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const isValid = text.trim() !== '' && numberError(text, false) === undefined;
        const value = isValid ? Number(text) : undefined;
        type(text, value);
        onChange(value, path, undefined, id);
      }}
    />
  );
}

/** Returns why the typed text is rejected. */
export function numberError(text: string, whole: boolean): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return 'Enter a number.';
  if (!isExact(trimmed)) return 'The form would round this number. Edit it as JSON to keep it exact.';
  if (whole && !Number.isInteger(Number(trimmed))) return 'Enter a whole number.';
  return undefined;
}
