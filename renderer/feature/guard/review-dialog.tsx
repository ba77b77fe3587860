import { Button, Select, Skeleton } from '@mantine/core';
import { ShieldCheck, TriangleAlert, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { QuarantinedTool } from '../../../shared/model/tool/guard.ts';
import { decideTools, type ToolDecision, undoDecision } from '../../command/access/guard-actions.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { knownValue, useEngine } from '../../store/hook/use-engine.ts';
import { useModel, useServerTitle, useTitleOf } from '../../store/model-context.tsx';
import { closeDialog } from '../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { VirtualList } from '../../ui/list/virtual-list.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import classes from './review-dialog.module.css';
import { type Decide, ToolReviewPane } from './tool-review.tsx';

/** Reviews tools that stay hidden from clients until the user has seen what changed. */
export function ReviewDialog({ serverKey: first }: { serverKey: string }) {
  const model = useModel();
  const state = useEngine('guard.list', undefined, { event: 'guard.changed' });
  const [serverKey, setServerKey] = useState(first);
  const titleOf = useTitleOf();
  const close = () => closeDialog(model.view);
  const all = knownValue(state)?.held ?? [];
  const keys = [...new Set([...all.map((tool) => tool.serverKey), serverKey])];
  return (
    <Dialog
      title={keys.length > 1 ? 'Review changed tools' : `Review changed tools in “${titleOf(serverKey)}”`}
      onClose={close}
      size={1080}
      classNames={{ content: classes.content, body: classes.dialog }}
      head={keys.length > 1 && <ServerChoice keys={keys} value={serverKey} onChange={setServerKey} />}
    >
      {state.kind === 'loading' && (
        <div className={classes.loading}>
          <Skeleton height={320} radius={8} aria-label="Loading tools to review" />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.loading}>
          <ProblemCard problem={state.problem} />
        </div>
      )}
      {state.kind === 'known' && (
        <QuarantinedTools
          key={serverKey}
          serverKey={serverKey}
          tools={all.filter((tool) => tool.serverKey === serverKey)}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

interface ServerChoiceProps {
  readonly keys: readonly string[];
  readonly value: string;
  readonly onChange: (key: string) => void;
}

function ServerChoice({ keys, value, onChange }: ServerChoiceProps) {
  const titleOf = useTitleOf();
  return (
    <Select
      size="xs"
      aria-label="Server"
      data={keys.map((key) => ({ value: key, label: titleOf(key) }))}
      value={value}
      allowDeselect={false}
      onChange={(key) => key !== null && onChange(key)}
    />
  );
}

interface QuarantinedToolsProps {
  readonly serverKey: string;
  readonly tools: readonly QuarantinedTool[];
  readonly onClose: () => void;
}

function QuarantinedTools({ serverKey, tools: held, onClose }: QuarantinedToolsProps) {
  const model = useModel();
  const [chosen, setChosen] = useState<QuarantinedTool>();
  const [lastDecision, setLast] = useState<ToolDecision>();
  const sorted = [...held.filter(({ blocked }) => !blocked), ...held.filter(({ blocked }) => blocked)];
  const open =
    sorted.find((tool) => tool.name === chosen?.name && tool.digest === chosen.digest) ?? sorted[0];
  const waiting = sorted.filter(({ blocked }) => !blocked);
  const unflagged = waiting.filter(({ flags }) => flags === 0);
  const decide: Decide = (tools, decision) =>
    void decideTools(model, serverKey, tools, decision).then((made) => setLast(made));
  const note =
    lastDecision === undefined ? (
      footNote(sorted, waiting)
    ) : (
      <LastDecision decision={lastDecision} onUndone={() => setLast(undefined)} />
    );
  return (
    <>
      {open === undefined ? (
        <NothingToReview serverKey={serverKey} />
      ) : (
        <div className={classes.split}>
          <QuarantineList tools={sorted} open={open} onOpen={setChosen} />
          <ToolReviewPane key={`${open.digest} ${open.name}`} tool={open} onDecide={decide} />
        </div>
      )}
      <DialogFoot note={note}>
        {waiting.length > 1 && (
          <>
            <Button variant="default" onClick={() => decide(waiting, 'block')}>
              {waiting.length === 2 ? 'Block both' : `Block all ${waiting.length}`}
            </Button>
            {unflagged.length > 0 && (
              <Button variant="default" onClick={() => decide(unflagged, 'approve')}>
                {approveAllLabel(unflagged.length, waiting.length)}
              </Button>
            )}
          </>
        )}
        <Button variant={waiting.length > 1 ? 'subtle' : 'default'} color="gray" onClick={onClose}>
          Close
        </Button>
      </DialogFoot>
    </>
  );
}

/** Labels the bulk approval, which leaves out tools with warnings. */
function approveAllLabel(plain: number, waiting: number): string {
  if (plain < waiting) return `Approve ${plain} without warnings`;
  return waiting === 2 ? 'Approve both' : `Approve all ${waiting}`;
}

/** Shows the last decision with an undo button. */
function LastDecision({ decision, onUndone }: { decision: ToolDecision; onUndone: () => void }) {
  const model = useModel();
  return (
    <span className="row gap-6 soft">
      {decision.text}
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<Undo2 size={12} aria-hidden />}
        onClick={() => {
          onUndone();
          void undoDecision(model, decision);
        }}
      >
        Undo
      </Button>
    </span>
  );
}

function footNote(tools: readonly QuarantinedTool[], waiting: readonly QuarantinedTool[]): string {
  if (tools.length === 0) return '';
  if (waiting.length === 0) return 'Nothing to review. Blocked tools stay blocked until they change.';
  const flagged = waiting.filter(({ flags }) => flags > 0).length;
  const first = 'Hidden from clients until you approve them.';
  return flagged === 0 ? first : `${first} ${formatCount(flagged, 'has', 'have')} warnings.`;
}

function NothingToReview({ serverKey }: { serverKey: string }) {
  return (
    <div className={classes.empty}>
      <EmptyState
        icon={ShieldCheck}
        title="Nothing to review"
        text={`You have approved all tools of ${useServerTitle(serverKey)}.`}
      />
    </div>
  );
}

interface QuarantineListProps {
  readonly tools: readonly QuarantinedTool[];
  readonly open: QuarantinedTool | undefined;
  readonly onOpen: (tool: QuarantinedTool) => void;
}

/** Lists the quarantined tools of one server. */
function QuarantineList({ tools: held, open, onOpen }: QuarantineListProps) {
  return (
    <VirtualList
      label="Tools to review"
      rows={held}
      heightOf={() => 46}
      keyOf={({ digest, name }) => `${digest} ${name}`}
      className={classes.list}
    >
      {(tool, { index, line }) => {
        const isOpen = tool.digest === open?.digest && tool.name === open.name;
        return (
          <li className={classes.row} data-open={isOpen} {...line}>
            <button
              type="button"
              className={`bare ${classes.open}`}
              data-row={index}
              aria-current={isOpen ? 'true' : undefined}
              onClick={() => onOpen(tool)}
            >
              <span className={`truncate ${classes.rowName}`}>{tool.name}</span>
              <span className={classes.rowNote}>
                {stateLabel(tool)}
                {tool.flags > 0 && (
                  <span className="row gap-4 warns">
                    <TriangleAlert size={12} aria-hidden /> {formatCount(tool.flags, 'warning')}
                  </span>
                )}
              </span>
            </button>
          </li>
        );
      }}
    </VirtualList>
  );
}

function stateLabel({ kind, blocked }: QuarantinedTool): string {
  if (blocked) return 'Blocked';
  return kind === 'new' ? 'New' : 'Changed';
}
