// Deep imports, since the package's index also loads a test helper that needs a validator compiling schemas
// to code.

import { Textarea } from '@mantine/core';
import Form from '@rjsf/core/lib/components/Form.js';
import CyclicSchemaField from '@rjsf/core/lib/components/fields/CyclicSchemaField.js';
import {
  ariaDescribedByIds,
  type ErrorSchema,
  ErrorSchemaBuilder,
  type Experimental_DefaultFormStateBehavior,
  type FieldProps,
  getDefaultFormState,
  RJSF_REF_CYCLE_KEY,
  type RJSFSchema,
  type ValidatorType,
} from '@rjsf/utils';
import { useMemo, useRef } from 'react';
import { ChoiceField } from './choice-field.tsx';
import type { SchemaFormContext } from './form-context.ts';
import { jsonReason } from './form-schema.ts';
import {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  buttonTemplates,
  CyclicSchemaExpandTemplate,
  DescriptionFieldTemplate,
  FieldErrorTemplate,
  FieldTemplate,
  MultiSchemaFieldTemplate,
  ObjectFieldTemplate,
  WrapIfAdditionalTemplate,
} from './form-templates.tsx';
import { type FormText, isExact, writeFormText } from './form-text.ts';
import { BooleanWidget, CheckboxesWidget, SelectWidget, TextWidget } from './form-widgets.tsx';
import { NumberField } from './number-field.tsx';
import { withoutEmptied, withoutPartial } from './optional-objects.ts';
import { PartChecker, type ValueIssue } from './schema-checker.ts';
import classes from './schema-form.module.css';
import { useTypedText } from './use-typed-text.ts';

interface SchemaFormProps {
  /** Schema returned by `drawable`. */
  readonly schema: RJSFSchema;
  /** The text, and how the form reads it. */
  readonly text: string;
  readonly read: Extract<FormText, { readonly kind: 'object' }>;
  readonly onText: (text: string) => void;
  readonly issues: readonly ValueIssue[];
  /** Prefix that keeps the ids of several forms on one page apart. */
  readonly name: string;
  readonly complete?: SchemaFormContext['complete'];
}

/** Renders a form for a schema, in sync with the JSON text. */
export function SchemaForm({ schema, text, read, onText, issues, name, complete }: SchemaFormProps) {
  const validator = useMemo(createFormValidator, []);
  // Several changes may arrive before the next render; each builds on the previous one.
  const latest = useRef({ text, value: read.value as unknown });
  if (latest.current.text !== text) latest.current = { text, value: read.value };
  const context = useMemo((): SchemaFormContext => ({ exact: read.exact, complete }), [read.exact, complete]);
  const errors = useMemo(() => errorsOf(issues), [issues]);
  return (
    <Form
      tagName="div"
      idPrefix={name}
      schema={schema}
      formData={read.value}
      formContext={context}
      validator={validator}
      noValidate
      noHtml5Validate
      showErrorList={false}
      extraErrors={errors}
      experimental_defaultFormStateBehavior={noDefaults}
      templates={templates}
      widgets={widgets}
      fields={fields}
      onChange={({ formData }) => {
        const before = latest.current;
        const value = withoutEmptied(schema, formData ?? {});
        const next = writeFormText(before.text, before.value, value);
        latest.current = { text: next, value };
        if (next !== before.text) onText(next);
      }}
    >
      {/* Without children the library renders its own button. */}
      <span />
    </Form>
  );
}

/** Returns the initial arguments: the defaults of the schema. */
export function initialText(schema: RJSFSchema): string {
  const defaults = getDefaultFormState(createFormValidator(), schema, {}, schema, false, {
    emptyObjectFields: 'skipEmptyDefaults',
    arrayMinItems: { populate: 'requiredOnly' },
    constAsDefaults: 'never',
  });
  return JSON.stringify(withoutPartial(schema, defaults ?? {}), undefined, 2);
}

/** Defaults are written into the text once; removed values must not reappear. */
const noDefaults: Experimental_DefaultFormStateBehavior = {
  emptyObjectFields: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
  constAsDefaults: 'skipOneOf',
};

const templates = {
  FieldTemplate,
  WrapIfAdditionalTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  CyclicSchemaExpandTemplate,
  DescriptionFieldTemplate,
  FieldErrorTemplate,
  ButtonTemplates: buttonTemplates,
};

const widgets = {
  TextWidget,
  TextareaWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  PasswordWidget: TextWidget,
  DateWidget: TextWidget,
  DateTimeWidget: TextWidget,
  TimeWidget: TextWidget,
  ColorWidget: TextWidget,
  FileWidget: TextWidget,
  SelectWidget,
  RadioWidget: SelectWidget,
  CheckboxesWidget,
  CheckboxWidget: BooleanWidget,
};

const fields = {
  NumberField,
  FallbackField: JsonField,
  CyclicSchemaField: CyclicField,
  AnyOfField: ChoiceField,
  OneOfField: ChoiceField,
};

function errorsOf(issues: readonly ValueIssue[]): ErrorSchema {
  const builder = new ErrorSchemaBuilder();
  for (const { path, message } of issues) builder.addErrors(message, [...path]);
  return builder.ErrorSchema;
}

/** Renders a recursive schema as deep as there are values, and one level deeper on demand. */
function CyclicField(props: FieldProps) {
  const { SchemaField } = props.registry.fields;
  if (props.formData === undefined || SchemaField === undefined) return <CyclicSchemaField {...props} />;
  return <SchemaField {...props} schema={{ ...props.schema, [RJSF_REF_CYCLE_KEY]: false }} />;
}

/**
 * Answers the form library when it asks which choice a value belongs to. It reports no errors: those are
 * found in the text itself, using the original schema.
 */
function createFormValidator(): ValidatorType {
  const checker = new PartChecker();
  return {
    isValid: (schema: RJSFSchema, value: unknown, root: RJSFSchema) => checker.isValid(schema, value, root),
    validateFormData: () => ({ errors: [], errorSchema: {} }),
    rawValidation: () => ({ errors: [] }),
  };
}

/** Edits a part that has no form controls as JSON. */
function JsonField({ schema, formData, fieldPathId, disabled, name, onChange }: FieldProps) {
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
