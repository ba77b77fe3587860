import { SegmentedControl, TextInput } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import { launcherWords, splitCommand } from '../../../../shared/split-command.ts';
import { readOptions, writeOption } from '../../../lib/entry-options.ts';
import { type EntryDraft, readDraft, switchKind, writeField } from '../../../lib/entry-text.ts';
import { errorText, issuesOf, keyField, otherIssues } from '../../../lib/field-issues.ts';
import { GuardChoice } from '../../../ui/guard-choice.tsx';
import { ArgsList } from './args-list.tsx';
import classes from './entry-form.module.css';
import { OptionGroups, optionFields } from './option-groups.tsx';
import { PairTable } from './pair-table.tsx';
import { SecretHints } from './secret-hints.tsx';
import type { SecretMover } from './use-secret-moves.ts';

interface EntryFormProps {
  readonly serverKey: string;
  /** The entry as JSON text: the form reads it and writes into it, leaving the rest alone. */
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  readonly onKey: (key: string) => void;
  readonly onText: (text: string) => void;
  readonly onMoveSecret: SecretMover;
  readonly focusName?: boolean;
  /** It is not in the config yet: what is to become of its tools is decided now. */
  readonly isNew?: boolean;
}

const valueHint = `Use \${NAME} for a value of your own environment, \${secret:NAME} for one of the vault.`;
const fields = [keyField, 'command', 'args', 'env', 'cwd', 'url', 'headers', ...optionFields];

/** The entry of a server as fields. */
export function EntryForm(props: EntryFormProps) {
  const { serverKey, text, issues, onKey, onText, onMoveSecret, focusName = false, isNew = false } = props;
  const draft = readDraft(text);
  if (draft === undefined) {
    return <p className={classes.broken}>The JSON has a mistake. The form comes back when it is mended.</p>;
  }
  const others = otherIssues(issues, fields);
  return (
    <div className={classes.form}>
      <TextInput
        label="Name"
        description="Its key in the config. Clients see tools as name__tool."
        placeholder="github"
        value={serverKey}
        onChange={(event) => onKey(event.currentTarget.value)}
        error={errorText(issuesOf(issues, keyField))}
        data-autofocus={focusName || undefined}
        spellCheck={false}
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Kind of server"
        value={draft.kind}
        onChange={(kind) => onText(switchKind(text, kind))}
        data={[
          { value: 'stdio', label: 'Runs on this computer' },
          { value: 'remote', label: 'Remote, by URL' },
        ]}
      />
      <FieldsOfKind draft={draft} text={text} issues={issues} onText={onText} />
      <SecretHints issues={issues} onMove={onMoveSecret} />
      {isNew && (
        <GuardChoice
          value={readOptions(text).guard}
          onChange={(mode) => onText(writeOption(text, 'guard', mode))}
        />
      )}
      <OptionGroups serverKey={serverKey} text={text} issues={issues} onText={onText} isNew={isNew} />
      {others.length > 0 && <IssueList issues={others} />}
    </div>
  );
}

interface FieldsProps {
  readonly draft: EntryDraft;
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  readonly onText: (text: string) => void;
}

function FieldsOfKind(props: FieldsProps) {
  return props.draft.kind === 'stdio' ? <StdioFields {...props} /> : <RemoteFields {...props} />;
}

function StdioFields({ draft, text, issues, onText }: FieldsProps) {
  function onCommandLine(command: string, args: readonly string[]): void {
    onText(writeField(writeField(text, 'command', command), 'args', args));
  }
  /** A whole command line pasted into an empty command is taken apart. */
  function onPaste(event: ClipboardEvent): void {
    const [command, ...args] = splitCommand(event.clipboardData.getData('text').trim());
    if (command === undefined || args.length === 0 || draft.command !== '' || draft.args.length > 0) return;
    event.preventDefault();
    onCommandLine(command, args);
  }
  /** One that was typed is taken apart once it is whole, if it is one beyond doubt. */
  function onBlur(): void {
    const words = launcherWords(draft.command);
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
      <TextInput
        label="Working folder"
        placeholder="Optional"
        value={draft.cwd}
        onChange={(event) => onText(writeField(text, 'cwd', event.currentTarget.value))}
        error={errorText(issuesOf(issues, 'cwd'))}
        classNames={{ input: classes.code ?? '' }}
        spellCheck={false}
      />
    </>
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

/** Issues that stand at no field, or that are only warnings. */
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
