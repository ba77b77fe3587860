import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Eye, EyeOff, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { isReference, type Pair } from '../../../lib/entry/entry-text.ts';
import { errorText } from '../../../lib/entry/field-issues.ts';
import { AddButton } from './args-list.tsx';
import classes from './entry-form.module.css';
import { useDraftRows } from './use-draft-rows.ts';

interface PairTableProps {
  readonly title: string;
  readonly noun: string;
  readonly namePlaceholder: string;
  readonly hint: string;
  readonly pairs: readonly Pair[];
  readonly issues: readonly EntryIssue[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Edits names with possibly secret values, hidden until revealed. Rows without a name exist only here. */
export function PairTable({ title, noun, namePlaceholder, hint, pairs, issues, onChange }: PairTableProps) {
  const [rows, setRows] = useDraftRows(pairs, hasName, onChange);
  const [reveal, setReveal] = useState(false);
  const list = useRef<HTMLFieldSetElement>(null);
  const error = errorText(issues);
  function add(): void {
    setRows([...rows, { name: '', value: '' }]);
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLInputElement>('div:last-of-type > div input')?.focus(),
    );
  }
  return (
    <fieldset ref={list} className={classes.group}>
      <div className="row gap-4">
        <legend className={classes.legend}>{title}</legend>
        {rows.some((row) => row.value !== '') && <RevealButton reveal={reveal} onChange={setReveal} />}
        <AddButton label={`Add ${noun}`} onClick={add} />
      </div>
      {rows.map((row, index) => (
        <PairLine
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while typing, so the position identifies a row
          key={index}
          row={row}
          label={`${noun} ${index + 1}`}
          namePlaceholder={namePlaceholder}
          reveal={reveal}
          onChange={(next) => setRows(rows.with(index, next))}
          onRemove={() => setRows(rows.toSpliced(index, 1))}
        />
      ))}
      {rows.length === 0 ? <p className={classes.none}>None</p> : <p className={classes.hint}>{hint}</p>}
      {error !== undefined && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}

interface PairLineProps {
  readonly row: Pair;
  readonly label: string;
  readonly namePlaceholder: string;
  readonly reveal: boolean;
  readonly onChange: (row: Pair) => void;
  readonly onRemove: () => void;
}

function PairLine({ row, label, namePlaceholder, reveal, onChange, onRemove }: PairLineProps) {
  return (
    <div className="row gap-6">
      <TextInput
        aria-label={`Name of ${label}`}
        placeholder={namePlaceholder}
        value={row.name}
        onChange={(event) => onChange({ ...row, name: event.currentTarget.value })}
        classNames={{ root: classes.pairName ?? '', input: classes.code ?? '' }}
        spellCheck={false}
      />
      <TextInput
        type={reveal || isReference(row.value) || row.value === '' ? 'text' : 'password'}
        autoComplete="off"
        aria-label={`Value of ${row.name === '' ? label : row.name}`}
        value={row.value}
        onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
        classNames={{ root: classes.grow ?? '', input: classes.code ?? '' }}
        spellCheck={false}
      />
      <ActionIcon aria-label={`Remove ${row.name === '' ? label : row.name}`} onClick={onRemove}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}

function RevealButton({ reveal, onChange }: { reveal: boolean; onChange: (reveal: boolean) => void }) {
  const Icon = reveal ? EyeOff : Eye;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<Icon size={13} aria-hidden />}
      onClick={() => onChange(!reveal)}
    >
      {reveal ? 'Hide' : 'Reveal'}
    </Button>
  );
}

function hasName({ name }: Pair): boolean {
  return name !== '';
}
