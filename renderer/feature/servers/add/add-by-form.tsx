import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { IpcInput } from '../../../../shared/ipc/contract.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { openServer } from '../../../command/navigate.ts';
import { readEntry } from '../../../lib/entry/entry-text.ts';
import { keyField } from '../../../lib/entry/field-issues.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { type Answer, knownValue, useAnswer, useEngine } from '../../../store/hook/use-engine.ts';
import type { HubLink, Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { EntryForm } from '../config/entry-form.tsx';
import { useSecretMoves } from '../config/secrets/use-secret-moves.ts';
import classes from './add-server.module.css';

const emptyEntry = '{\n  "command": ""\n}';

/**
 * Adds one server by its fields. Errors appear after a field is left or the form is submitted, not while it
 * is still empty.
 */
export function AddByForm({ onClose }: { onClose: () => void }) {
  const model = useModel();
  const [typedKey, setKey] = useState<string>();
  const [text, setText] = useState(emptyEntry);
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const derived = useDerivedKey(text);
  const key = typedKey ?? derived;
  const issues = useEntryIssues(key, text);
  const moveSecret = useSecretMoves(text, setText);
  const blocked = issues.some(isError);
  async function readKey(): Promise<string> {
    const answer = await deriveKey(model.link, text);
    return answer.ok ? answer.value : '';
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const named = typedKey ?? (await readKey());
    setTried(true);
    const entry = readEntry(text);
    const found = await model.link.call('server.validate', { key: named, text });
    if (entry === undefined || (found.ok && found.value.issues.some(isError))) return;
    const failed = await addServers(model, [{ key: named, entry }]);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  return (
    <form className={classes.body} onSubmit={(event) => void submit(event)} noValidate>
      <div className={`scrolls ${classes.scroll}`}>
        <EntryForm
          isNew
          serverKey={key}
          text={text}
          issues={tried ? issues : issues.filter((issue) => isRelevant(issue, key, text))}
          onKey={setKey}
          onText={setText}
          onMoveSecret={moveSecret}
        />
        {problem !== undefined && <ProblemCard problem={problem} about={key} />}
      </div>
      <DialogFoot note="The server starts right away.">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={tried && blocked}>
          Add server
        </Button>
      </DialogFoot>
    </form>
  );
}

/** Derives an unused name from the command or URL until one is typed. */
function useDerivedKey(text: string): string {
  const [settled] = useDebouncedValue(text, 250);
  const [state] = useAnswer((link) => deriveKey(link, settled), [settled]);
  return knownValue(state) ?? '';
}

async function deriveKey(link: HubLink, text: string): Promise<Answer<string>> {
  const { command = '', url = '' } = readEntry(text) ?? {};
  if (command === '' && url === '') return { ok: true, value: '' };
  const answer = await link.call('import.parse', { text });
  if (!answer.ok) return answer;
  void link.call('import.close', { session: answer.value.session });
  return { ok: true, value: answer.value.entries[0]?.key ?? '' };
}

function isError({ severity }: EntryIssue): boolean {
  return severity === 'error';
}

/** Hides errors about fields the user has not reached yet. */
function isRelevant({ path }: EntryIssue, key: string, text: string): boolean {
  if (path === keyField) return key !== '';
  const entry = readEntry(text);
  return path === 'command' || path === 'url' || path === '' ? entry?.[path] !== '' && path !== '' : true;
}

const noIssues: readonly EntryIssue[] = [];

function useEntryIssues(key: string, text: string): readonly EntryIssue[] {
  const [settledKey] = useDebouncedValue(key, 150);
  const [settledText] = useDebouncedValue(text, 150);
  const state = useEngine('server.validate', { key: settledKey, text: settledText });
  return knownValue(state)?.issues ?? noIssues;
}

type NewServers = IpcInput<'server.add'>['servers'];

/** Adds servers to the config and opens the page of a single one. Resolves to the problem, if any. */
async function addServers(model: Model, servers: NewServers): Promise<Problem | undefined> {
  const answer = await model.link.call('server.add', { servers });
  if (!answer.ok) return answer.problem;
  const [first] = servers;
  if (servers.length === 1 && first !== undefined) {
    model.notify.done(`${first.key} was added.`);
    openServer(model, first.key, 'overview');
  } else {
    model.notify.done(`${formatCount(servers.length, 'server')} were added.`);
  }
  return undefined;
}
