import { SegmentedControl, TextInput } from '@mantine/core';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { splitCommand, splitLauncherCommand } from '../../../../shared/split-command.ts';
import { readOptions, writeOption } from '../../../lib/entry/entry-options.ts';
import { type EntryDraft, readDraft, switchKind, writeField } from '../../../lib/entry/entry-text.ts';
import { errorText, issuesOf, keyField, otherIssues } from '../../../lib/entry/field-issues.ts';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { GuardChoice } from '../../../ui/tool/guard-choice.tsx';
import { NameField } from '../name-field.tsx';
import { ArgsList } from './args-list.tsx';
import classes from './entry-form.module.css';
import { OptionGroups, optionFields } from './options/option-groups.tsx';
import { PairTable } from './pair-table.tsx';
import { SecretHints } from './secrets/secret-hints.tsx';
import type { SecretMover } from './secrets/use-secret-moves.ts';

interface EntryFormProps {
  readonly serverKey: string;
  /** The entry as JSON text. The form reads and edits it, leaving everything else unchanged. */
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  readonly onKey: (key: string) => void;
  readonly onText: (text: string) => void;
  readonly onMoveSecret: SecretMover;
  /** True for a new server: the command comes first, and rarely used fields stay collapsed. */
  readonly isNew?: boolean;
}

const valueHint = `Use \${NAME} for an environment variable, \${secret:NAME} for a stored secret.`;
const fields = [keyField, 'command', 'args', 'env', 'cwd', 'url', 'headers', ...optionFields];

/** Edits a server's config entry as fields. */
export function EntryForm(props: EntryFormProps) {
  const { serverKey, text, issues, onKey, onText, onMoveSecret, isNew = false } = props;
  const draft = readDraft(text);
  if (draft === undefined) {
    return <p className={classes.broken}>The JSON has an error. The form returns once it is fixed.</p>;
  }
  const others = otherIssues(issues, fields);
  const { title } = readOptions(text);
  const setTitle = (next: string) => onText(writeOption(text, 'title', next));
  const name = (
    <>
      <NameField
        value={serverKey}
        error={errorText(issuesOf(issues, keyField))}
        onChange={onKey}
        onSuggestion={(key) => {
          onKey(key);
          if (title === '') setTitle(serverKey.trim());
        }}
      />
      {(!isNew || title !== '') && (
        <TextInput
          label="Display name"
          description="Shown to you instead of the name. Tool names stay the same."
          placeholder="Optional"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          spellCheck={false}
        />
      )}
    </>
  );
  const options = (
    <OptionGroups serverKey={serverKey} text={text} issues={issues} onText={onText} isNew={isNew} />
  );
  return (
    <div className={classes.form}>
      {!isNew && name}
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Kind of server"
        value={draft.kind}
        onChange={(kind) => onText(switchKind(text, kind))}
        data={[
          { value: 'stdio', label: 'Local command' },
          { value: 'remote', label: 'Remote URL' },
        ]}
      />
      <FieldsOfKind draft={draft} text={text} issues={issues} onText={onText} isNew={isNew} />
      {isNew && name}
      <SecretHints issues={issues} onMove={onMoveSecret} />
      {isNew ? (
        <Advanced bad={hasIssue(issues, ['cwd', ...optionFields])}>
          {draft.kind === 'stdio' && (
            <FolderField draft={draft} text={text} issues={issues} onText={onText} />
          )}
          <GuardChoice
            value={readOptions(text).guard}
            onChange={(mode) => onText(writeOption(text, 'guard', mode))}
          />
          {options}
        </Advanced>
      ) : (
        options
      )}
      {others.length > 0 && <IssueList issues={others} />}
    </div>
  );
}

function hasIssue(issues: readonly EntryIssue[], paths: readonly string[]): boolean {
  return paths.some((path) => errorText(issuesOf(issues, path)) !== undefined);
}

function Advanced({ bad, children }: { bad: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const summary = bad ? 'Contains an error' : 'Start, health checks, calls, tool changes';
  return (
    <Disclosure title="Advanced" summary={summary} bad={bad} open={open} onOpen={setOpen}>
      <div className={classes.form}>{children}</div>
    </Disclosure>
  );
}

interface FieldsProps {
  readonly draft: EntryDraft;
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  readonly onText: (text: string) => void;
  readonly isNew?: boolean;
}

function FieldsOfKind(props: FieldsProps) {
  return props.draft.kind === 'stdio' ? <StdioFields {...props} /> : <RemoteFields {...props} />;
}

function StdioFields({ draft, text, issues, onText, isNew = false }: FieldsProps) {
  function onCommandLine(command: string, args: readonly string[]): void {
    onText(writeField(writeField(text, 'command', command), 'args', args));
  }
  /** Splits a whole command line pasted into an empty command field. */
  function onPaste(event: ClipboardEvent): void {
    const [command, ...args] = splitCommand(event.clipboardData.getData('text').trim());
    if (command === undefined || args.length === 0 || draft.command !== '' || draft.args.length > 0) return;
    event.preventDefault();
    onCommandLine(command, args);
  }
  /** Splits a typed command line on blur if it clearly is one. */
  function onBlur(): void {
    const words = splitLauncherCommand(draft.command);
    if (words === undefined) return;
    const [command, ...args] = words;
    onCommandLine(command, [...args, ...draft.args]);
  }
  return (
    <>
      <TextInput
        label="Command"
        placeholder="npx"
        value={draft.command}
        onChange={(event) => onText(writeField(text, 'command', event.currentTarget.value))}
        onPaste={onPaste}
        onBlur={onBlur}
        error={errorText(issuesOf(issues, 'command'))}
        classNames={{ input: classes.code ?? '' }}
        data-autofocus={isNew || undefined}
        spellCheck={false}
      />
      <ArgsList
        args={draft.args}
        issues={issuesOf(issues, 'args')}
        onChange={(args) => onText(writeField(text, 'args', args))}
      />
      <PairTable
        title="Environment"
        noun="variable"
        namePlaceholder="GITHUB_TOKEN"
        hint={valueHint}
        pairs={draft.env}
        issues={issuesOf(issues, 'env')}
        onChange={(env) => onText(writeField(text, 'env', env))}
      />
      {!isNew && <FolderField draft={draft} text={text} issues={issues} onText={onText} />}
    </>
  );
}

function FolderField({ draft, text, issues, onText }: FieldsProps) {
  return (
    <TextInput
      label="Working folder"
      placeholder="Optional"
      value={draft.cwd}
      onChange={(event) => onText(writeField(text, 'cwd', event.currentTarget.value))}
      error={errorText(issuesOf(issues, 'cwd'))}
      classNames={{ input: classes.code ?? '' }}
      spellCheck={false}
    />
  );
}

function RemoteFields({ draft, text, issues, onText }: FieldsProps) {
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://example.com/mcp"
        value={draft.url}
        onChange={(event) => onText(writeField(text, 'url', event.currentTarget.value))}
        error={errorText(issuesOf(issues, 'url'))}
        classNames={{ input: classes.code ?? '' }}
        spellCheck={false}
      />
      <PairTable
        title="Headers"
        noun="header"
        namePlaceholder="Authorization"
        hint={valueHint}
        pairs={draft.headers}
        issues={issuesOf(issues, 'headers')}
        onChange={(headers) => onText(writeField(text, 'headers', headers))}
      />
    </>
  );
}

/** Lists issues that belong to no field, and warnings. */
export function IssueList({ issues }: { issues: readonly EntryIssue[] }) {
  return (
    <ul className={classes.issues}>
      {issues.map(({ path, severity, message }) => (
        <li key={`${path} ${message}`} data-severity={severity}>
          {path !== '' && <code>{path}:</code>} {message}
        </li>
      ))}
    </ul>
  );
}
