import { NativeSelect } from '@mantine/core';
import formDataForNewOption from '@rjsf/core/lib/components/fields/formDataForNewOption.js';
import { type FieldProps, mergeSchemas, type RJSFSchema } from '@rjsf/utils';
import { useState } from 'react';
import { emptyOf, fittingChoice, isFixed } from './fitting-choice.ts';
import classes from './schema-form.module.css';

/** Chooses one of several schemas, or none: an unset value must not look set. */
export function ChoiceField(props: FieldProps) {
  const { formData, fieldPathId, onChange, required, name, disabled, registry, schema } = props;
  const { schemaUtils, fields } = registry;
  const { SchemaField } = fields;
  const { $id: id, path } = fieldPathId;
  const options = choicesOf(props.options, schema);
  const [chosen, setChosen] = useState<number>();
  const isUnset = formData === undefined && path.length > 0;
  const isValid = (option: RJSFSchema) =>
    schemaUtils.getValidator().isValid(option, formData, schemaUtils.getRootSchema());
  const index = isUnset ? undefined : fittingChoice(options, formData, isValid, chosen);
  const option = index === undefined ? undefined : options[index];

  function choose(next: number | undefined): void {
    const wanted = next === undefined ? undefined : options[next];
    setChosen(next);
    const value: unknown =
      wanted &&
      (isFixed(wanted)
        ? emptyOf(wanted)
        : formDataForNewOption(schemaUtils, formData, wanted, option, schema));
    onChange(wanted && (value ?? emptyOf(wanted)), path, undefined, id);
  }

  return (
    <div className={classes.choice}>
      <NativeSelect
        id={path.length > 0 ? id : `${id}__choice`}
        size="xs"
        aria-label={path.length > 0 ? name : 'Kind of arguments'}
        disabled={disabled === true}
        value={index === undefined ? '' : String(index)}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
      >
        {(isUnset || required !== true) && path.length > 0 && (
          <option value="">{required === true ? 'Choose…' : 'not set'}</option>
        )}
        {options.map(({ title }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options are identified by position, since two may be equal
          <option key={place} value={String(place)}>
            {title ?? `Choice ${place + 1}`}
          </option>
        ))}
      </NativeSelect>
      {option !== undefined && !isFixed(option) && SchemaField !== undefined && (
        <SchemaField {...props} schema={unnamed(option)} required={true} />
      )}
    </div>
  );
}

/** Merges keywords beside the choices into each choice. */
function choicesOf(options: unknown, { required, type }: RJSFSchema): readonly RJSFSchema[] {
  const choices: readonly RJSFSchema[] = Array.isArray(options) ? options : [];
  const shared = { ...(required === undefined ? {} : { required }), ...(type === undefined ? {} : { type }) };
  return choices.map((choice) => mergeSchemas(shared as RJSFSchema, choice) as RJSFSchema);
}

/** Removes the title, which the choice already shows. */
function unnamed({ title: _told, ...schema }: RJSFSchema): RJSFSchema {
  return schema;
}
