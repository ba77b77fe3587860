import { Switch } from '@mantine/core';
import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { mainProblem } from '../../../../shared/model/server/server-look.ts';
import { serverTitle } from '../../../../shared/model/server/server-title.ts';
import { openServer } from '../../../command/navigate.ts';
import { setServerEnabled } from '../../../command/server/server-actions.ts';
import { isRunning, serverLook } from '../../../lib/server/server-status.ts';
import { signInProblem, wantsSignIn } from '../../../lib/server/sign-in.ts';
import { formatBytes, formatCount, formatPercent } from '../../../lib/text/format-amount.ts';
import { useModel, useServerSwitch } from '../../../store/model-context.tsx';
import { GridPart } from '../../../ui/list/grid-part.tsx';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { Lasting, Retrying } from '../../../ui/text/time-text.tsx';
import { ReviewButton } from '../guard/review-button.tsx';
import { ServerMenu } from '../server-menu.tsx';
import { ServerKey, ServerTags } from '../server-tags.tsx';
import { SignInButton } from '../sign-in-button.tsx';
import { Starting } from '../starting.tsx';
import classes from './server-table.module.css';
import type { Selection } from './use-selection.ts';

interface RowProps {
  readonly server: ServerView;
  readonly index: number;
  readonly top: number;
  readonly open: boolean;
  readonly selection: Selection;
}

/** Shows a server in a full-width row with all columns. */
export function ServerRow({ server, index, top, open, selection }: RowProps) {
  const isSelected = selection.has(server.key);
  return (
    <Row index={index} top={top} open={open} isSelected={isSelected} className={classes.grid}>
      <Cell column="status">
        <input
          type="checkbox"
          className={classes.check}
          aria-label={`Select ${serverTitle(server)}`}
          checked={isSelected}
          onClick={(event) => selection.toggle(index, event.shiftKey)}
          readOnly
          tabIndex={-1}
        />
        <StatusMark server={server} />
      </Cell>
      <Cell column="name">
        <div className="grow">
          <div className="row gap-6">
            {server.favorite === true && <Star className={classes.star} size={12} aria-label="Favorite" />}
            <OpenButton server={server} index={index} open={open} selection={selection} />
            <ServerKey server={server} />
            <ServerTags server={server} />
          </div>
          <SecondLine server={server} />
        </div>
        {(server.heldTools?.waiting ?? 0) > 0 && (
          <span className={classes.signIn}>
            <ReviewButton server={server} />
          </span>
        )}
        {wantsSignIn(server) && (
          <span className={classes.signIn}>
            <SignInButton server={server} named />
          </span>
        )}
      </Cell>
      <Cell column="tools" quiet={server.counts.tools === 0 || server.cached}>
        <span title={server.cached ? 'As of its last connection' : undefined}>{toolCount(server)}</span>
      </Cell>
      <Cell column="uptime" quiet={server.connectedAt === undefined}>
        {server.connectedAt === undefined ? '–' : <Lasting since={server.connectedAt} />}
      </Cell>
      <Cell column="restarts" quiet={server.restarts === 0}>
        {server.restarts}
      </Cell>
      <Cell column="memory">
        <Memory server={server} />
      </Cell>
      <Cell column="cpu">
        <Cpu serverKey={server.key} />
      </Cell>
      <Cell column="actions">
        <ServerSwitch server={server} />
        <ServerMenu server={server} />
      </Cell>
    </Row>
  );
}

/** Shows a server beside an open page: name, short status, switch. */
export function CompactRow({ server, index, top, open, selection }: RowProps) {
  return (
    <Row
      index={index}
      top={top}
      open={open}
      isSelected={selection.has(server.key)}
      className={classes.compact}
    >
      <Cell column="status">
        <StatusMark server={server} compact />
      </Cell>
      <Cell column="name">
        <OpenButton server={server} index={index} open={open} selection={selection} />
        <p className={classes.second}>
          <CompactState server={server} />
        </p>
      </Cell>
      <Cell column="actions">
        <ServerSwitch server={server} />
      </Cell>
    </Row>
  );
}

function CompactState({ server }: { server: ServerView }) {
  if (waitsForBrowser(server)) return waitingText;
  const problem = shownProblem(server);
  if (problem !== undefined) return problem.sentence;
  return server.starting === undefined ? stateAndTools(server) : <Starting server={server} />;
}

interface FrameProps {
  readonly index: number;
  readonly top: number;
  readonly open: boolean;
  readonly isSelected: boolean;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

function Row({ index, top, open, isSelected, className, children }: FrameProps) {
  return (
    <GridPart
      role="row"
      aria-rowindex={index + 2}
      className={`list-row ${classes.row} ${className}`}
      data-open={open}
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      {children}
    </GridPart>
  );
}

function Cell({ column, quiet = false, children }: { column: string; quiet?: boolean; children: ReactNode }) {
  return (
    <GridPart role="cell" data-column={column} data-quiet={quiet}>
      {children}
    </GridPart>
  );
}

/** The row's main button, whose click area is the whole row. */
function OpenButton({ server, index, open, selection }: Omit<RowProps, 'top'>) {
  const model = useModel();
  return (
    <button
      type="button"
      className={`truncate bare row-opener ${classes.open}`}
      data-row={index}
      aria-current={open ? 'true' : undefined}
      onClick={(event) => {
        if (!selection.onClick(event, index)) openServer(model, server.key);
      }}
    >
      {serverTitle(server)}
    </button>
  );
}

function SecondLine({ server }: { server: ServerView }) {
  if (waitsForBrowser(server)) return <p className={classes.second}>{waitingText}</p>;
  const problem = shownProblem(server);
  if (problem !== undefined) {
    return (
      <p className={classes.second} data-tone={problemTone(server)} title={problem.sentence}>
        {problem.sentence}
        {server.nextTryAt !== undefined && (
          <>
            {' '}
            <Retrying at={server.nextTryAt} />
          </>
        )}
      </p>
    );
  }
  if (server.starting !== undefined) {
    return (
      <p className={classes.second} title={server.target}>
        <Starting server={server} />
      </p>
    );
  }
  return (
    <p className={classes.second} title={server.target}>
      <span className={classes.transport}>{server.transport}</span>
      <span className={classes.target}>{server.target}</span>
    </p>
  );
}

/**
 * Returns the problem shown instead of the command: why the server is down, unhealthy or still on its old
 * config.
 */
function shownProblem(server: ServerView): Problem | undefined {
  const { problem, update } = server;
  if (problem === undefined && update?.kind === 'failed') {
    return { ...update.problem, sentence: `Still uses its old config. ${update.problem.sentence}` };
  }
  return signInProblem(server) ?? mainProblem(server);
}

function problemTone(server: ServerView): 'warning' | 'bad' {
  const { auth } = server;
  if (isRunning(server)) return 'warning';
  return auth?.problem === undefined && wantsSignIn(server) ? 'warning' : 'bad';
}

const waitingText = 'Waiting for the browser…';

function waitsForBrowser({ auth }: ServerView): boolean {
  return auth?.pending === true;
}

function stateAndTools(server: ServerView): string {
  const { label } = serverLook(server);
  const { counts } = server;
  return counts.tools === 0 ? label : `${label} · ${formatCount(counts.tools, 'tool')}`;
}

function toolCount({ counts }: ServerView): ReactNode {
  if (counts.disabledTools === 0) return counts.tools === 0 ? '–' : counts.tools;
  return `${counts.tools - counts.disabledTools}/${counts.tools}`;
}

/** Shows the memory in use, or the memory saved while asleep. */
function Memory({ server: { key, asleep } }: { server: ServerView }) {
  const memory = useStore(useModel().mirrors.usage, (usage) => usage[key]?.memory);
  if (memory !== undefined) return formatBytes(memory);
  const saved = asleep?.memorySaved;
  if (saved === undefined) return <span data-quiet>–</span>;
  return (
    <span data-quiet title={`${formatBytes(saved)} saved while it sleeps`}>
      −{formatBytes(saved)}
    </span>
  );
}

function Cpu({ serverKey }: { serverKey: string }) {
  const cpu = useStore(useModel().mirrors.usage, (usage) => usage[serverKey]?.cpu);
  if (cpu === undefined) return <span data-quiet>–</span>;
  return <span data-quiet={cpu < 0.05}>{formatPercent(cpu)}</span>;
}

/** Turns the server on or off. */
export function ServerSwitch({ server }: { server: ServerView }) {
  const model = useModel();
  const enabled = useServerSwitch(server);
  return (
    <Switch
      className={classes.switch ?? ''}
      checked={enabled}
      aria-label={`${serverTitle(server)} is on`}
      onChange={(event) => void setServerEnabled(model, server.key, event.currentTarget.checked)}
    />
  );
}
