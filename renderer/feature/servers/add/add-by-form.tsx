import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import { readEntry } from '../../../lib/entry-text.ts';
import { keyField } from '../../../lib/field-issues.ts';
import type { Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { EntryForm } from '../config/entry-form.tsx';
import { useSecretMoves } from '../config/use-secret-moves.ts';
import classes from './add-server.module.css';
import { addServers } from './add-servers.ts';

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
  const blocked = issues.some((issue) => issue.severity === 'error');
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const named = typedKey ?? (await deriveKey(model, text));
    setTried(true);
    const entry = readEntry(text);
    const found = await validate(model, named, text);
    if (entry === undefined || found.some((issue) => issue.severity === 'error')) return;
    const failed = await addServers(model, [{ key: named, entry }]);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  return (
    <form className={classes.body} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.scroll}>
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
  const model = useModel();
  const [derived, setDerived] = useState('');
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const key = await deriveKey(model, text);
      if (wanted) setDerived(key);
    }, 250);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [model, text]);
  return derived;
}

async function deriveKey({ link }: Model, text: string): Promise<string> {
  const { command = '', url = '' } = readEntry(text) ?? {};
  if (command === '' && url === '') return '';
  const answer = await link.call('import.parse', { text });
  if (!answer.ok) return '';
  void link.call('import.close', { session: answer.value.session });
  return answer.value.entries[0]?.key ?? '';
}

/** Hides errors about fields the user has not reached yet. */
function isRelevant({ path }: EntryIssue, key: string, text: string): boolean {
  if (path === keyField) return key !== '';
  const entry = readEntry(text);
  return path === 'command' || path === 'url' || path === '' ? entry?.[path] !== '' && path !== '' : true;
}

function useEntryIssues(key: string, text: string): readonly EntryIssue[] {
  const model = useModel();
  const [issues, setIssues] = useState<readonly EntryIssue[]>([]);
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(async () => {
      const found = await validate(model, key, text);
      if (wanted) setIssues(found);
    }, 150);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [model, key, text]);
  return issues;
}

async function validate(model: Model, key: string, text: string): Promise<readonly EntryIssue[]> {
  const answer = await model.link.call('server.validate', { key, text });
  return answer.ok ? answer.value.issues : [];
}
