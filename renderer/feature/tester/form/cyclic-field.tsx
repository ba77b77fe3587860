import CyclicSchemaField from '@rjsf/core/lib/components/fields/CyclicSchemaField.js';
import { type FieldProps, RJSF_REF_CYCLE_KEY } from '@rjsf/utils';

/** Renders a recursive schema as deep as there are values, and one level deeper on demand. */
export function CyclicField(props: FieldProps) {
  const { SchemaField } = props.registry.fields;
  if (props.formData === undefined || SchemaField === undefined) return <CyclicSchemaField {...props} />;
  return <SchemaField {...props} schema={{ ...props.schema, [RJSF_REF_CYCLE_KEY]: false }} />;
}
