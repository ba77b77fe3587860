import { Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { entryVariables } from '../../../../shared/model/entry-variable.ts';
import type { GuardMode } from '../../../../shared/model/guard.ts';
import type { PastePreview } from '../../../../shared/model/import.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog.tsx';
import { GuardChoice } from '../../../ui/guard-choice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { IssueList } from '../config/entry-form.tsx';
import { VariableList } from '../variable-list.tsx';
import classes from './add-server.module.css';
import { addServers } from './add-servers.ts';
import { entryTarget, firstChoices, guardedEntry, keyError, type PasteChoice } from './paste-choice.ts';

const placeholder = `{
  "mcpServers": {
    "github": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github"] }
  }
}`;

/** Any number of servers out of pasted JSON, each to be ticked and named. */
export function AddByPaste({ firstText, onClose }: { firstText: string; onClose: () => void }) {
  const model = useModel();
  const [text, setText] = useState(firstText);
  const [choices, setChoices] = useState<readonly PasteChoice[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [guard, setGuard] = useState<GuardMode>('changes');
  const order = useServers((state) => state.order);
  const existing = useMemo(() => new Set(order), [order]);
  const preview = usePreview(text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a server added elsewhere must not undo the choices
  useEffect(
    () => setChoices(preview?.kind === 'entries' ? firstChoices(preview.entries, existing) : []),
    [preview],
  );
  const chosen = choices.filter((choice) => choice.chosen);
  const ready =
    chosen.length > 0 && chosen.every((choice) => keyError(choice, choices, existing) === undefined);
  async function add(): Promise<void> {
    const failed = await addServers(
      model,
      chosen.map(({ key, entry }) => ({ key, entry: guardedEntry(entry, guard) })),
    );
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  return (
    <div className={classes.body}>
      <div className={classes.scroll}>
        <Textarea
          label="JSON"
          description="A config file, an mcpServers block, one server, a command such as npx -y … or claude mcp add …, or an address."
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={7}
          maxRows={choices.length > 0 ? 7 : 16}
          data-autofocus
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
        />
        <Reading preview={preview} />
        {choices.length > 0 && <Choices choices={choices} existing={existing} onChange={setChoices} />}
        {chosen.length > 0 && (
          <GuardChoice
            label={chosen.length === 1 ? 'Its tools' : 'Their tools'}
            value={guard}
            onChange={setGuard}
          />
        )}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot note={chosen.length > 0 ? 'They start as soon as they are added.' : undefined}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!ready} onClick={() => void add()}>
          {chosen.length === 0 ? 'Add servers' : `Add ${formatCount(chosen.length, 'server')}`}
        </Button>
      </DialogFoot>
    </div>
  );
}

/** What the text was understood as. */
function Reading({ preview }: { preview: PastePreview | undefined }) {
  if (preview === undefined) return null;
  if (preview.kind === 'entries') {
    return (
      <p className={classes.status} role="status">
        {preview.entries.length === 0
          ? 'There is no server in this.'
          : `Found ${formatCount(preview.entries.length, 'server')}.`}
      </p>
    );
  }
  const place = preview.line === undefined ? '' : ` (line ${preview.line}, column ${preview.column ?? 1})`;
  return (
    <p className={classes.status} data-bad="true" role="status">
      {preview.message}
      {place}
    </p>
  );
}

interface ChoicesProps {
  readonly choices: readonly PasteChoice[];
  readonly existing: ReadonlySet<string>;
  readonly onChange: (choices: readonly PasteChoice[]) => void;
}

function Choices({ choices, existing, onChange }: ChoicesProps) {
  return (
    <ul className={classes.entries} aria-label="Servers found">
      {choices.map((choice, index) => (
        <ChoiceLine
          // biome-ignore lint/suspicious/noArrayIndexKey: keys are edited here, the place in the text is the identity
          key={index}
          choice={choice}
          error={choice.chosen ? keyError(choice, choices, existing) : undefined}
          onChange={(change) => onChange(choices.with(index, { ...choice, ...change }))}
        />
      ))}
    </ul>
  );
}

interface ChoiceLineProps {
  readonly choice: PasteChoice;
  readonly error: string | undefined;
  readonly onChange: (change: Partial<PasteChoice>) => void;
}

function ChoiceLine({ choice, error, onChange }: ChoiceLineProps) {
  const { key, pastedKey, chosen, entry, issues } = choice;
  const renamed = pastedKey !== '' && pastedKey !== key;
  return (
    <li className={classes.entry}>
      <Checkbox
        checked={chosen}
        aria-label={`Add ${key}`}
        onChange={(event) => onChange({ chosen: event.currentTarget.checked })}
      />
      <div>
        <div className={classes.entryHead}>
          <TextInput
            className={classes.key ?? ''}
            aria-label="Name"
            value={key}
            error={error !== undefined}
            disabled={!chosen}
            onChange={(event) => onChange({ key: event.currentTarget.value })}
          />
          <code className={classes.target} title={entryTarget(entry)}>
            {entryTarget(entry)}
          </code>
        </div>
        {(error ?? (renamed ? `“${pastedKey}” exists already; this one is renamed.` : undefined)) !==
          undefined && (
          <p className={classes.note}>{error ?? `“${pastedKey}” exists already; this one is renamed.`}</p>
        )}
        <VariableList variables={entryVariables(entry)} />
        {issues.length > 0 && <IssueList issues={issues} />}
      </div>
    </li>
  );
}

function usePreview(text: string): PastePreview | undefined {
  const { link } = useModel();
  const [preview, setPreview] = useState<PastePreview>();
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const answer = text.trim() === '' ? undefined : await link.call('server.parsePaste', { text });
      if (wanted) setPreview(answer?.ok ? answer.value : undefined);
    }, 150);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [link, text]);
  return preview;
}
