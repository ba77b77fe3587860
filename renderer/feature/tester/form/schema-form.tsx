// Deep imports, since the package's index also loads a test helper that needs a validator compiling schemas
// to code.
import Form from '@rjsf/core/lib/components/Form.js';
import {
  type ErrorSchema,
  ErrorSchemaBuilder,
  type Experimental_DefaultFormStateBehavior,
  getDefaultFormState,
  type RJSFSchema,
} from '@rjsf/utils';
import { useMemo, useRef } from 'react';
import { ChoiceField } from './choice-field.tsx';
import { CyclicField } from './cyclic-field.tsx';
import type { SchemaFormContext } from './form-context.ts';
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
import { type FormText, writeFormText } from './form-text.ts';
import { createFormValidator } from './form-validator.ts';
import { BooleanWidget, CheckboxesWidget, SelectWidget, TextWidget } from './form-widgets.tsx';
import { JsonField } from './json-field.tsx';
import { NumberField } from './number-field.tsx';
import { withoutEmptied, withoutPartial } from './optional-objects.ts';
import type { ValueIssue } from './schema-checker.ts';

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
