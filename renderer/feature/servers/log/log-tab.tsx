import { ActionIcon, Tooltip } from '@mantine/core';
import { ChevronDown, ChevronUp, Eraser, Pause, Play, WrapText } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { createStore } from 'zustand/vanilla';
import { useModel } from '../../../store/model-context.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { findLines, type LogStream, linesOfStreams, linesText, stepHit } from './find-lines.ts';
import { LogLines } from './log-lines.tsx';
import { followLog, type LogStore } from './log-store.ts';
import classes from './log-tab.module.css';
import { StreamFilter } from './stream-filter.tsx';

/** Shows a server's live log. */
export function LogTab({ serverKey }: { serverKey: string }) {
  const store = useFollowedLog(serverKey);
  const { lines, loading, problem } = useStore(store);
  const [streams, setStreams] = useState<ReadonlySet<LogStream>>(new Set());
  const [query, setQuery] = useState('');
  const [hit, setHit] = useState(0);
  const [following, setFollowing] = useState(true);
  const [wrap, setWrap] = useState(true);
  const shown = useMemo(() => linesOfStreams(lines, streams), [lines, streams]);
  const hits = useMemo(() => findLines(shown, query), [shown, query]);
  if (problem !== undefined) return <ProblemCard problem={problem} about={serverKey} />;
  function search(text: string): void {
    setQuery(text);
    setHit(0);
    if (text !== '') setFollowing(false);
  }
  return (
    <div className="pane">
      <div className={`row ${classes.bar}`}>
        <LogSearch query={query} onQuery={search} hit={hit} onHit={setHit} count={hits.length} />
        <StreamFilter lines={lines} chosen={streams} onChange={setStreams} />
        <Tools wrap={wrap} onWrap={setWrap} following={following} onFollow={setFollowing}>
          <CopyButton text={() => linesText(shown)} label="Copy the visible lines" />
          <ClearButton serverKey={serverKey} store={store} />
        </Tools>
      </div>
      <LogLines
        lines={shown}
        loading={loading}
        query={query}
        current={hits[hit]}
        following={following}
        onFollow={setFollowing}
        wrap={wrap}
      />
    </div>
  );
}

interface ToolsProps {
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  readonly following: boolean;
  readonly onFollow: (following: boolean) => void;
  readonly children: ReactNode;
}

function Tools({ wrap, onWrap, following, onFollow, children }: ToolsProps) {
  return (
    <div className={classes.tools}>
      <ToggleIcon
        label={following ? 'Pause: stop following new lines' : 'Follow new lines'}
        on={following}
        onClick={() => onFollow(!following)}
      >
        {following ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
      </ToggleIcon>
      <ToggleIcon label="Wrap long lines" on={wrap} onClick={() => onWrap(!wrap)}>
        <WrapText size={15} aria-hidden />
      </ToggleIcon>
      {children}
    </div>
  );
}

interface ToggleIconProps {
  readonly label: string;
  readonly on: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function ToggleIcon({ label, on, onClick, children }: ToggleIconProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} aria-pressed={on} variant={on ? 'light' : 'subtle'} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function ClearButton({ serverKey, store }: { serverKey: string; store: LogStore }) {
  const { link, notify } = useModel();
  async function clear(): Promise<void> {
    const answer = await link.call('server.clearLog', { key: serverKey });
    if (answer.ok) store.setState({ lines: [] });
    else notify.problem(answer.problem);
  }
  return (
    <Tooltip label="Clear the log">
      <ActionIcon aria-label="Clear the log" onClick={() => void clear()}>
        <Eraser size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const emptyStore: LogStore = createStore(() => ({ lines: [], loading: true }));

function useFollowedLog(serverKey: string): LogStore {
  const { link } = useModel();
  const [store, setStore] = useState(emptyStore);
  useEffect(() => {
    const followed = followLog(link, serverKey, requestAnimationFrame);
    setStore(followed.store);
    return followed.stop;
  }, [link, serverKey]);
  return store;
}

interface LogSearchProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly hit: number;
  readonly onHit: (hit: number) => void;
  readonly count: number;
}

/** Searches the log: shows the number of matching lines and steps through them (Enter, Shift+Enter). */
function LogSearch({ query, onQuery, hit, onHit, count }: LogSearchProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onHit(stepHit(hit, count, event.shiftKey ? -1 : 1));
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Enter from the field inside
    <div className={classes.search} onKeyDown={onKeyDown}>
      <SearchField label="Search the log" width={200} value={query} onChange={onQuery} />
      {query !== '' && (
        <>
          <span className={classes.hits} role="status">
            {count === 0 ? 'No match' : `${hit + 1} of ${count}`}
          </span>
          <StepButton
            label="Previous match"
            onClick={() => onHit(stepHit(hit, count, -1))}
            icon={ChevronUp}
          />
          <StepButton label="Next match" onClick={() => onHit(stepHit(hit, count, 1))} icon={ChevronDown} />
        </>
      )}
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly icon: typeof ChevronUp;
}

function StepButton({ label, onClick, icon: Icon }: StepButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={onClick}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
