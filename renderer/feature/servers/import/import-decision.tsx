import { Button, Checkbox } from '@mantine/core';
import { useMemo } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ImportPreview } from '../../../../shared/model/import-session.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useServers } from '../../../store/model-context.tsx';
import { DialogFoot } from '../../../ui/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { IssueList } from '../config/entry-form.tsx';
import { type Choices, changeEntry, entryKeyError, isReady, wantedInputs } from './import-choices.ts';
import { ImportLine } from './import-line.tsx';
import classes from './import-servers.module.css';
import { InputFields } from './input-fields.tsx';

interface ImportDecisionProps {
  readonly preview: ImportPreview;
  readonly choices: Choices;
  readonly adding: boolean;
  readonly problem: Problem | undefined;
  readonly onChoose: (change: (choices: Choices) => Choices) => void;
  readonly onBack: () => void;
  readonly onAdd: () => void;
}

/** Every server of a source with what is known of it: taken or left, named, its secrets and what it needs. */
export function ImportDecision(props: ImportDecisionProps) {
  const { preview, choices, adding, problem, onChoose, onBack, onAdd } = props;
  const order = useServers((state) => state.order);
  const existing = useMemo(() => new Set(order), [order]);
  const chosen = choices.entries.filter((entry) => entry.chosen).length;
  const inputs = wantedInputs(preview, choices);
  return (
    <div className={classes.body}>
      <div className={classes.scroll}>
        <Heading preview={preview} />
        {preview.issues.length > 0 && <IssueList issues={preview.issues} />}
        {preview.entries.length > 0 && (
          <ul className={classes.list} aria-label="Servers found">
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
        )}
        {inputs.length > 0 && (
          <InputFields
            inputs={inputs}
            values={choices.inputs}
            onChange={(id, value) => onChoose((now) => ({ ...now, inputs: { ...now.inputs, [id]: value } }))}
          />
        )}
        {preview.canReplace && chosen > 0 && (
          <Checkbox
            className={classes.replace ?? ''}
            checked={choices.replace}
            onChange={({ currentTarget: { checked } }) => onChoose((now) => ({ ...now, replace: checked }))}
            label={
              <>
                Take them out of {preview.title} and put Patchbay there instead
                <span className={classes.hint}>
                  So that they do not run twice. A copy of its file is kept, and it can be undone.
                </span>
              </>
            }
          />
        )}
        {problem !== undefined && <ProblemCard problem={problem} />}
      </div>
      <DialogFoot note={chosen > 0 ? 'They start as soon as they are added.' : undefined}>
        <Button variant="default" onClick={onBack} disabled={adding}>
          Back
        </Button>
        <Button disabled={!isReady(preview, choices, existing)} loading={adding} onClick={onAdd}>
          {chosen === 0 ? 'Import servers' : `Import ${formatCount(chosen, 'server')}`}
        </Button>
      </DialogFoot>
    </div>
  );
}

function Heading({ preview }: { preview: ImportPreview }) {
  const { title, file, entries } = preview;
  return (
    <div className={classes.head} role="status">
      <p className={classes.name}>
        {title}: {entries.length === 0 ? 'no servers' : formatCount(entries.length, 'server')}
      </p>
      {file !== undefined && (
        <p className={classes.file} title={file}>
          {file}
        </p>
      )}
    </div>
  );
}
