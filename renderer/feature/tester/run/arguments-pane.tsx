import { SegmentedControl } from '@mantine/core';
import { Braces } from 'lucide-react';
import { useMemo } from 'react';
import { JsonEditor } from '../../../ui/json/json-editor.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { SchemaFormContext } from '../form/form-context.ts';
import type { FormSchema } from '../form/form-schema.ts';
import { type FormText, readFormText } from '../form/form-text.ts';
import { checkValue, type ValueIssue } from '../form/schema-checker.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import classes from './arguments-pane.module.css';

interface ArgumentsPaneProps {
  /** The schema as the server wrote it. */
  readonly schema: unknown;
  readonly form: FormSchema;
  readonly text: string;
  readonly editor: 'form' | 'json';
  /** True after the first run; from then on missing fields are marked. */
  readonly hasRun: boolean;
  readonly onText: (text: string) => void;
  readonly onEditor: (editor: 'form' | 'json') => void;
  readonly complete?: SchemaFormContext['complete'];
  readonly title?: string;
}

/** Edits the arguments of a run as a form or as JSON; both edit the same text. */
export function ArgumentsPane(props: ArgumentsPaneProps) {
  const { schema, form: drawn, text, editor, hasRun, onText, onEditor, complete } = props;
  const { title = 'Arguments' } = props;
  const read = useMemo(() => readFormText(text), [text]);
  const found = useMemo(() => findIssues(schema, read), [schema, read]);
  const isForm = editor === 'form' && drawn.kind === 'form' && read.kind === 'object';
  const issues = hasRun ? found : found.filter(({ keyword }) => keyword !== 'required');
  return (
    <section className={classes.pane} aria-label={title}>
      <div className="row apart gap-10">
        <h3 className={classes.title}>{title}</h3>
        <SegmentedControl
          size="xs"
          aria-label="Edit as"
          value={isForm ? 'form' : 'json'}
          onChange={(value) => onEditor(value === 'form' ? 'form' : 'json')}
          data={[
            { value: 'form', label: 'Form', disabled: drawn.kind === 'json' || read.kind === 'broken' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      <NoFormNotice drawn={drawn} read={read} wanted={editor} />
      {isForm ? (
        <div className="min-0">
          <SchemaForm
            name={title === 'Arguments' ? 'argument' : 'answer'}
            schema={drawn.schema}
            text={text}
            read={read}
            onText={onText}
            issues={issues}
            complete={complete}
          />
          {isEmpty(drawn.schema) && <p className={classes.none}>No arguments.</p>}
        </div>
      ) : (
        <div className={classes.json}>
          <JsonEditor
            label={`${title} as JSON`}
            value={text}
            onChange={onText}
            issues={issues.map(({ path, message }) => ({
              path: path.join('.'),
              severity: 'warning',
              message,
            }))}
            hideSecrets={false}
          />
        </div>
      )}
      <SchemaErrors issues={isForm ? issues.filter(({ path }) => path.length === 0) : issues} />
    </section>
  );
}

function findIssues(schema: unknown, read: FormText): readonly ValueIssue[] {
  if (read.kind === 'broken') return [];
  const verdict = checkValue(schema, read.value);
  return verdict.kind === 'checked' ? verdict.issues : [];
}

function isEmpty({
  properties,
  patternProperties,
  additionalProperties,
  $ref,
  oneOf,
  anyOf,
  allOf,
}: {
  readonly [keyword: string]: unknown;
}): boolean {
  const canGrow = [patternProperties, additionalProperties, $ref, oneOf, anyOf, allOf].some(Boolean);
  return !canGrow && Object.keys((properties ?? {}) as object).length === 0;
}

/** Explains why there is no form. */
function NoFormNotice({
  drawn,
  read,
  wanted,
}: {
  drawn: FormSchema;
  read: FormText;
  wanted: 'form' | 'json';
}) {
  const reason =
    drawn.kind === 'json'
      ? drawn.reason
      : read.kind === 'broken' && wanted === 'form'
        ? read.reason
        : undefined;
  if (reason === undefined) return null;
  return (
    <Notice
      label="Why there is no form"
      tone="quiet"
      icon={<Braces size={15} />}
      title="Edit as JSON"
      text={reason}
    />
  );
}

/**
 * Lists schema violations. The run is still allowed, since the server's reaction may be what is being tested.
 */
function SchemaErrors({ issues }: { issues: readonly ValueIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className={classes.issues} aria-label="Schema errors">
      {issues.slice(0, 8).map(({ path, keyword, message }) => (
        <li key={`${path.join('.')} ${keyword} ${message}`}>
          {path.length > 0 && <code>{path.join('.')}</code>} {message}
        </li>
      ))}
    </ul>
  );
}
