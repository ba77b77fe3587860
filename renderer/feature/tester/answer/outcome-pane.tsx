import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { Maximize2, Minimize2, PackageOpen, Save, WrapText } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { TestAnswer } from '../../../../shared/model/tool/tester.ts';
import { saveAnswer } from '../../../command/tester-actions.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { useModel } from '../../../store/model-context.tsx';
import type { TryRun, TryTarget } from '../../../store/tester-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { JsonTree } from '../../../ui/json/json-tree.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { SaveCheck } from '../checks/save-check.tsx';
import { RawText } from '../result/raw-text.tsx';
import { readAnswer } from '../result/read-answer.ts';
import { ResultView } from '../result/result-view.tsx';
import { sentRun } from '../run/run-input.ts';
import { FindInAnswer } from './find-in-answer.tsx';
import { HistoryList } from './history-list.tsx';
import classes from './outcome-pane.module.css';
import { outcomes } from './outcomes.ts';

interface OutcomePaneProps {
  readonly target: TryTarget;
  readonly text: string;
  readonly run: TryRun | undefined;
  readonly outputSchema: unknown;
  /** Uses the arguments of an earlier run again. */
  readonly onReuse: (text: string) => void;
  /** True while it fills the full width. */
  readonly isWide: boolean;
  readonly onWide: (isWide: boolean) => void;
}

/** Shows the answer to the last run and the history of earlier ones. */
export function OutcomePane(props: OutcomePaneProps) {
  const { target, text, run, outputSchema, onReuse, isWide, onWide } = props;
  const [page, setPage] = useState<'result' | 'history'>('result');
  const sent = sentRun(target, text).target;
  return (
    <section className={classes.pane} aria-label="Result">
      <div className={classes.bar}>
        <div className="row gap-6">
          <SegmentedControl
            size="xs"
            aria-label="Result or history"
            value={page}
            onChange={(value) => setPage(value === 'history' ? 'history' : 'result')}
            data={[
              { value: 'result', label: 'Result' },
              { value: 'history', label: 'History' },
            ]}
          />
          {run !== undefined && (
            <Tooltip label={isWide ? 'Show the arguments' : 'Use the full width'}>
              <ActionIcon aria-label="Full width" aria-pressed={isWide} onClick={() => onWide(!isWide)}>
                {isWide ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </div>
        {page === 'result' && run?.kind === 'answered' && <Facts answer={run.answer} />}
      </div>
      {page === 'history' ? (
        <HistoryList
          target={sent}
          runs={run?.kind === 'answered' ? run.answer.runId : ''}
          onReuse={onReuse}
        />
      ) : (
        <Answer target={target} run={run} outputSchema={outputSchema} />
      )}
    </section>
  );
}

interface AnswerProps {
  readonly target: TryTarget;
  readonly run: TryRun | undefined;
  readonly outputSchema: unknown;
}

function Answer({ target, run, outputSchema }: AnswerProps) {
  if (run === undefined) {
    return <EmptyState icon={PackageOpen} title="No result yet" text="Results appear here." />;
  }
  if (run.kind === 'running') {
    return (
      <p className="dim" role="status">
        Waiting for the result…
      </p>
    );
  }
  if (run.kind === 'failed') return <ProblemCard problem={run.problem} about={target.name} />;
  return <Answered target={target} answer={run.answer} sent={run.sent} outputSchema={outputSchema} />;
}

interface AnsweredProps {
  readonly target: TryTarget;
  readonly answer: TestAnswer;
  readonly sent: string;
  readonly outputSchema: unknown;
}

function Answered({ target, answer, sent, outputSchema }: AnsweredProps) {
  const model = useModel();
  const { text, whole, outcome, runId } = answer;
  const isReadable = whole && text.length <= maxReadable;
  const [wanted, setView] = useState<'parts' | 'tree' | 'raw'>('parts');
  const view = isReadable ? wanted : 'raw';
  const kind = target.kind === 'template' ? 'resource' : target.kind;
  const isError = outcome !== 'ok' && outcome !== 'tool-error';
  const read = useMemo(
    () => (isReadable ? readAnswer(kind, isError, text) : undefined),
    [isReadable, kind, isError, text],
  );
  const shown = useRef<HTMLDivElement>(null);
  const [isWrapped, setWrapped] = useState(true);
  return (
    <div className="flex min-0 gap-12 column" data-outcome={outcome}>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label="How to show the result"
          value={view}
          onChange={(value) => setView(value === 'parts' || value === 'tree' ? value : 'raw')}
          data={[
            { value: 'parts', label: 'Readable', disabled: !isReadable },
            { value: 'tree', label: 'Tree', disabled: !isReadable },
            { value: 'raw', label: 'JSON' },
          ]}
        />
        <FindInAnswer within={shown} shownAs={`${view} ${runId}`} />
        <div className="row gap-6">
          <Tooltip label={isWrapped ? 'Don’t wrap long lines' : 'Wrap long lines'}>
            <ActionIcon
              aria-label="Wrap lines"
              aria-pressed={isWrapped}
              onClick={() => setWrapped(!isWrapped)}
            >
              <WrapText size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {text.length <= maxCopy && <CopyButton text={() => text} label="Copy the result as JSON" />}
          <Button
            variant="default"
            leftSection={<Save size={13} aria-hidden />}
            onClick={() => void saveAnswer(model, runId)}
          >
            Save
          </Button>
          <SaveCheck target={sentRun(target, sent).target} answer={answer} sent={sent} />
        </div>
      </div>
      {!whole && (
        <p className={classes.cut} role="status">
          {`Only the beginning of ${formatBytes(answer.bytes)} is shown. Save the result to see all of it.`}
        </p>
      )}
      <div className={classes.shown} ref={shown} data-wrapped={isWrapped}>
        {view === 'parts' && read !== undefined && (
          <ResultView
            answer={read}
            text={text}
            outputSchema={target.kind === 'tool' ? outputSchema : undefined}
          />
        )}
        {view === 'tree' && <JsonTree text={text} label="Result as a tree" />}
        {view === 'raw' && <RawText text={text} label="Result as JSON" />}
      </div>
    </div>
  );
}

const maxReadable = 3_000_000;
/** Max characters for the clipboard, as in the IPC contract. */
const maxCopy = 4_000_000;

function Facts({ answer: { outcome, milliseconds, bytes } }: { answer: TestAnswer }) {
  const { words, icon: Icon, tone } = outcomes[outcome];
  return (
    <p className={`row ${classes.facts}`} role="status">
      <span className={classes.outcome} data-tone={tone}>
        <Icon size={13} aria-hidden />
        {words}
      </span>
      <span className="numeric">{formatMilliseconds(milliseconds)}</span>
      <span className="numeric">{formatBytes(bytes)}</span>
    </p>
  );
}
