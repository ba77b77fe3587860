import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { errorText } from '../../../lib/entry/field-issues.ts';
import classes from './entry-form.module.css';

interface ArgsListProps {
  readonly args: readonly string[];
  readonly issues: readonly EntryIssue[];
  readonly onChange: (args: readonly string[]) => void;
}

/**
 * Edits the arguments of a command, one per line: Enter adds the next, Backspace in an empty one removes it.
 */
export function ArgsList({ args, issues, onChange }: ArgsListProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const error = errorText(issues);
  function focus(index: number): void {
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus());
  }
  function insert(index: number): void {
    onChange(args.toSpliced(index, 0, ''));
    focus(index);
  }
  function remove(index: number): void {
    onChange(args.toSpliced(index, 1));
    focus(Math.max(0, index - 1));
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      insert(index + 1);
    }
    if (event.key === 'Backspace' && args[index] === '') {
      event.preventDefault();
      remove(index);
    }
  }
  return (
    <fieldset ref={list} className={classes.group}>
      <div className="row gap-4">
        <legend className={classes.legend}>Arguments</legend>
        <AddButton label="Add argument" onClick={() => insert(args.length)} />
      </div>
      {args.map((arg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: arguments may repeat, so their position identifies them
        <div key={index} className="row gap-6">
          <TextInput
            aria-label={`Argument ${index + 1}`}
            value={arg}
            onChange={(event) => onChange(args.with(index, event.currentTarget.value))}
            onKeyDown={(event) => onKeyDown(event, index)}
            classNames={{ root: classes.grow ?? '', input: classes.code ?? '' }}
            spellCheck={false}
          />
          <ActionIcon aria-label={`Remove argument ${index + 1}`} onClick={() => remove(index)}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {args.length === 0 && <p className={classes.none}>None</p>}
      {error !== undefined && <p className={classes.error}>{error}</p>}
    </fieldset>
  );
}

export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="subtle" size="compact-xs" leftSection={<Plus size={13} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}
