import { Button, Textarea } from '@mantine/core';
import { ClipboardPaste, FileText, FileUp } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportPreview } from '../../../../shared/model/import/import-session.ts';
import type { GuardMode } from '../../../../shared/model/tool/guard.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useServers } from '../../../store/model-context.tsx';
import type { PasteStart } from '../../../store/view-store.ts';
import { DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { GuardChoice } from '../../../ui/tool/guard-choice.tsx';
import { IssueList } from '../config/entry-form.tsx';
import {
  type Choices,
  changeEntry,
  entryKeyError,
  isReady,
  waitingText,
  wantedInputs,
} from '../import/import-choices.ts';
import { ImportLine } from '../import/import-line.tsx';
import { InputFields } from '../import/input-fields.tsx';
import classes from './add-server.module.css';
import { type Pasting, usePaste } from './use-paste.ts';
import type { Reading } from './use-reading.ts';

const placeholder = `npx -y @modelcontextprotocol/server-github
https://mcp.example.com/mcp
{ "mcpServers": { … } }`;

/** Adds any number of servers from a text or file, each to be selected, named and completed. */
export function AddByPaste({ start, onClose }: { start: PasteStart; onClose: () => void }) {
  const pasting = usePaste(start, onClose);
  const [guard, setGuard] = useState<GuardMode>('changes');
  const order = useServers((state) => state.order);
  const existing = useMemo(() => new Set(order), [order]);
  const { reading, adding } = pasting;
  const read = reading.kind === 'read' && reading.preview.entries.length > 0 ? reading : undefined;
  const chosen = read?.choices.entries.filter((entry) => entry.chosen) ?? [];
  const ready = read !== undefined && isReady(read.choices, existing);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !ready || adding) return;
    event.preventDefault();
    void pasting.add(guard);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the fields and buttons inside
    <div className={classes.body} onKeyDown={onKeyDown}>
      <div className={`scrolls ${classes.scroll}`}>
        <PasteField pasting={pasting} />
        {reading.kind === 'failed' && <ProblemCard problem={reading.problem} />}
        {reading.kind === 'read' && <Status preview={reading.preview} text={pasting.text} />}
        {read !== undefined && (
          <FoundServers
            preview={read.preview}
            choices={read.choices}
            existing={existing}
            onChoose={pasting.choose}
          />
        )}
        {chosen.length > 0 && <GuardChoice value={guard} onChange={setGuard} />}
        {reading.kind === 'read' && <AddFailure {...reading} />}
      </div>
      <DialogFoot note={read === undefined ? undefined : noteOf(read.preview, read.choices)}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!ready} loading={adding} onClick={() => void pasting.add(guard)}>
          {chosen.length === 0 ? 'Add server' : `Add ${formatCount(chosen.length, 'server')}`}
        </Button>
      </DialogFoot>
    </div>
  );
}

/** Shows why servers could not be added. */
function AddFailure({ failed, problem }: Extract<Reading, { kind: 'read' }>) {
  return (
    <>
      {failed.map((one) => (
        <ProblemCard key={one.key} problem={one.problem} about={one.key} />
      ))}
      {problem !== undefined && <ProblemCard problem={problem} />}
    </>
  );
}

/** Shows the text field, or the file or link used in its place. */
function PasteField({ pasting }: { pasting: Pasting }) {
  const { text, filled, source, reading } = pasting;
  const field = useRef<HTMLTextAreaElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => {
    // Pasting another text replaces this one.
    if (filled) field.current?.select();
  }, [filled]);
  if (source !== undefined) {
    return (
      <div className={classes.source}>
        <FileText size={15} aria-hidden />
        <code title={source}>{sourceText(source)}</code>
        <Button variant="default" size="compact-xs" onClick={pasting.clear} data-autofocus>
          Paste something else
        </Button>
      </div>
    );
  }
  const isLong = reading.kind === 'read' && reading.preview.entries.length > 0;
  return (
    <div>
      <Textarea
        ref={field}
        label="Paste anything"
        description="A config, a README, an install link, a command, a package name or a server’s address."
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          setEmpty(false);
          pasting.type(event.currentTarget.value);
        }}
        autosize
        minRows={isLong ? 3 : 6}
        maxRows={isLong ? 6 : 14}
        data-autofocus
        spellCheck={false}
        classNames={{ input: classes.code ?? '' }}
      />
      <div className={classes.ways}>
        {text.trim() === '' && (
          <Button
            variant="default"
            size="xs"
            leftSection={<ClipboardPaste size={14} aria-hidden />}
            onClick={async () => setEmpty(!(await pasting.fromClipboard()))}
          >
            Paste from clipboard
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          leftSection={<FileUp size={14} aria-hidden />}
          onClick={() => void pasting.chooseFile()}
        >
          Choose a file…
        </Button>
        <span className="dim tiny" role="status">
          {fieldHint(filled, isEmpty)}
        </span>
      </div>
    </div>
  );
}

/** Returns the path, or the number and names of several files. */
function sourceText(source: string): string {
  const paths = source.split('\n');
  const names = paths.map((path) => path.split(/[/\\]/).at(-1) ?? path);
  return paths.length === 1 ? source : `${formatCount(paths.length, 'file')}: ${joinWords(names, 4)}`;
}

function fieldHint(filled: boolean, isEmpty: boolean): string {
  if (filled) return 'Filled from the clipboard';
  return isEmpty ? 'No server found on the clipboard' : 'Or drop a file, text or link on the window';
}

/** Shows what was found and in which format, or why nothing was found. */
function Status({ preview, text }: { preview: ImportPreview; text: string }) {
  const { entries, issues, forms = [] } = preview;
  if (entries.length > 0) {
    return (
      <div>
        <p className={classes.status} role="status">
          Found {formatCount(entries.length, 'server')}
          {forms.length > 0 && <span> in {joinWords(forms, 4)}</span>}
        </p>
        {issues.length > 0 && <IssueList issues={issues} />}
      </div>
    );
  }
  return (
    <div className={classes.status} data-bad="true" role="status">
      {issues.map((issue) => (
        <div key={issue.message}>
          <p>{issue.message}</p>
          <BadLine issue={issue} text={text} />
        </div>
      ))}
    </div>
  );
}

/** Shows the line that could not be read. */
function BadLine({ issue: { line, column }, text }: { issue: EntryIssue; text: string }) {
  if (line === undefined) return null;
  const lineText = text.split('\n')[line - 1]?.trim().slice(0, 160);
  return (
    <p className={classes.badLine}>
      <span>
        Line {line}
        {column === undefined ? '' : `, column ${column}`}
      </span>
      {lineText !== undefined && lineText !== '' && <code>{lineText}</code>}
    </p>
  );
}

interface FoundServersProps {
  readonly preview: ImportPreview;
  readonly choices: Choices;
  readonly existing: ReadonlySet<string>;
  readonly onChoose: (change: (choices: Choices) => Choices) => void;
}

function FoundServers({ preview, choices, existing, onChoose }: FoundServersProps) {
  const inputs = wantedInputs(preview, choices);
  return (
    <>
      <ul className={classes.entries} aria-label="Servers found">
        {preview.entries.map((entry, index) => {
          const choice = choices.entries[index];
          if (choice === undefined) return null;
          return (
            <ImportLine
              key={entry.id}
              entry={entry}
              choice={choice}
              error={choice.chosen ? entryKeyError(choice, choices, existing) : undefined}
              onChange={(change) => onChoose((now) => changeEntry(now, entry.id, change))}
            />
          );
        })}
      </ul>
      {inputs.length > 0 && (
        <InputFields
          inputs={inputs}
          values={choices.inputs}
          onChange={(id, value) => onChoose((now) => ({ ...now, inputs: { ...now.inputs, [id]: value } }))}
        />
      )}
    </>
  );
}

/** Says what happens to the servers and which of them wait for a missing value. */
function noteOf(preview: ImportPreview, choices: Choices): string | undefined {
  if (!choices.entries.some(({ chosen }) => chosen)) return undefined;
  return waitingText(preview, choices) ?? 'Added servers start right away.';
}
