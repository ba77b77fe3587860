import { Button, NativeSelect } from '@mantine/core';
import MultiSchemaField from '@rjsf/core/lib/components/fields/MultiSchemaField.js';
import { type FieldProps, getSchemaType, type RJSFSchema } from '@rjsf/utils';
import { X } from 'lucide-react';

/** One of several schemas, or none of them yet: what is not set must not look as if it were. */
export function ChoiceField(props: FieldProps) {
  const { formData, fieldPathId, onChange, required, name, disabled } = props;
  const { $id: id, path } = fieldPathId;
  const isRoot = path.length === 0;
  if (formData === undefined && !isRoot) return <Unset {...props} />;
  return (
    <>
      <MultiSchemaField {...props} />
      {required !== true && !isRoot && (
        <Button
          variant="subtle"
          size="compact-xs"
          style={{ alignSelf: 'start' }}
          leftSection={<X size={12} aria-hidden />}
          disabled={disabled === true}
          onClick={() => onChange(undefined, path, undefined, id)}
        >
          {`Leave out ${name}`}
        </Button>
      )}
    </>
  );
}

function Unset({ options, registry, fieldPathId, onChange, required, name, disabled }: FieldProps) {
  const { $id: id, path } = fieldPathId;
  const choices: readonly RJSFSchema[] = Array.isArray(options) ? options : [];
  return (
    <NativeSelect
      id={id}
      size="xs"
      aria-label={name}
      disabled={disabled === true}
      value=""
      onChange={(event) => {
        const chosen = choices[Number(event.currentTarget.value)];
        if (chosen === undefined) return;
        const begun: unknown = registry.schemaUtils.getDefaultFormState(chosen);
        onChange(begun ?? emptyOf(chosen), path, undefined, id);
      }}
    >
      <option value="">{required === true ? 'Choose…' : 'not set'}</option>
      {choices.map(({ title }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: that is what an option is known by, two may be alike
        <option key={index} value={String(index)}>
          {title ?? `Choice ${index + 1}`}
        </option>
      ))}
    </NativeSelect>
  );
}

/** What a value of a schema begins with, so that it is seen which of them was chosen. */
function emptyOf(schema: RJSFSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = getSchemaType(schema);
  return empties.get(Array.isArray(type) ? String(type[0]) : String(type))?.() ?? null;
}

const empties: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['string', () => ''],
  ['number', () => 0],
  ['integer', () => 0],
  ['boolean', () => false],
  ['array', () => []],
  ['object', () => ({})],
]);
