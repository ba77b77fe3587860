import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type SchemaRow, schemaRows } from '../../lib/tool/schema-rows.ts';
import { ScrollRegion } from '../list/scroll-region.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import classes from './schema-view.module.css';

/** Shows a JSON Schema as a list of parameters or as JSON. */
export function SchemaView({ schema, title }: { schema: unknown; title: string }) {
  const [raw, setRaw] = useState(false);
  const rows = useMemo(() => schemaRows(schema), [schema]);
  return (
    <section aria-label={title}>
      <div className={`row ${classes.head}`}>
        <h3 className={classes.title}>{title}</h3>
        <SegmentedControl
          size="xs"
          aria-label={`How to show ${title.toLowerCase()}`}
          value={raw ? 'json' : 'list'}
          onChange={(value) => setRaw(value === 'json')}
          data={[
            { value: 'list', label: 'Readable' },
            { value: 'json', label: 'JSON' },
          ]}
        />
        <CopyButton text={() => asJson(schema)} label={`Copy ${title.toLowerCase()} as JSON`} />
      </div>
      {raw ? <RawJson value={schema} label={`${title} as JSON`} /> : <Rows rows={rows} />}
    </section>
  );
}

/** Shows a value as indented JSON, scrollable by keyboard. */
export function RawJson({ value, label }: { value: unknown; label: string }) {
  return (
    <ScrollRegion label={label} className={classes.raw}>
      <pre>{asJson(value)}</pre>
    </ScrollRegion>
  );
}

function Rows({ rows }: { rows: readonly SchemaRow[] }) {
  if (rows.length === 0) return <p className={classes.none}>No parameters.</p>;
  return (
    <ul className={classes.rows}>
      {rows.map((row) => (
        <li key={row.path} className={classes.row} data-depth={Math.min(row.depth, 4)}>
          <div className={classes.line}>
            <code className="strong breaks">{row.name}</code>
            <code className={classes.type}>{row.type}</code>
            {row.required && <span className={classes.required}>required</span>}
          </div>
          {row.description !== undefined && <p className={classes.description}>{row.description}</p>}
          {row.notes.length > 0 && <p className={classes.notes}>{row.notes.join(' · ')}</p>}
        </li>
      ))}
    </ul>
  );
}

function asJson(value: unknown): string {
  return JSON.stringify(value ?? null, undefined, 2);
}
