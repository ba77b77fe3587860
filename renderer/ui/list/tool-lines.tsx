import { Switch } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { ToolSummary } from '../../../shared/model/tool/tool.ts';
import { turnTools } from '../../command/server/bulk-actions.ts';
import { setToolsEnabled } from '../../command/tool/tool-actions.ts';
import type { ToolRow } from '../../lib/tool/tool-rows.ts';
import { useModel, useServerTitle, useToolSwitch } from '../../store/model-context.tsx';
import { toolId } from '../../store/tool-id.ts';
import { MarkedText } from '../text/marked-text.tsx';
import { ToolTraits } from '../tool/tool-page.tsx';
import { type TriState, TriSwitch } from '../tri-switch.tsx';
import classes from './tool-list.module.css';
import type { RowPlace } from './virtual-list.tsx';

interface GroupLineProps {
  readonly row: Extract<ToolRow, { kind: 'group' }>;
  readonly place: RowPlace;
  readonly onToggle: () => void;
}

/** Header of a server's tools: expands and collapses them, and switches those found. */
export function GroupLine({ row, place, onToggle }: GroupLineProps) {
  const model = useModel();
  const { serverKey, tools } = row.group;
  const title = useServerTitle(serverKey);
  const on = useOnCount(row.hits);
  const state: TriState = on === 0 ? 'off' : on === row.hits.length ? 'on' : 'mixed';
  return (
    <Line place={place} className={classes.group}>
      <button
        type="button"
        className={`row grow bare ${classes.toggle}`}
        data-row={place.index}
        aria-expanded={row.open}
        onClick={onToggle}
      >
        <ChevronRight size={14} className={classes.chevron} data-open={row.open} aria-hidden />
        <span className="truncate strong">{title}</span>
        <span className="dim tiny numeric nowrap">
          {row.hits.length === tools.length ? '' : `${row.hits.length} found, `}
          {on} of {row.hits.length} on
        </span>
      </button>
      <TriSwitch
        state={state}
        label={`All ${row.hits.length} tools of ${title}`}
        onChange={(enabled) => turnTools(model, row.hits, enabled)}
      />
    </Line>
  );
}

interface ToolLineProps {
  readonly tool: ToolSummary;
  readonly place: RowPlace;
  readonly words: readonly string[];
  readonly open: boolean;
  readonly onOpen: () => void;
}

export function ToolLine({ tool, place, words, open, onOpen }: ToolLineProps) {
  const model = useModel();
  const enabled = useToolSwitch(tool);
  return (
    <Line place={place} className={`list-row ${classes.tool}`} open={open}>
      <div className="grow">
        <div className="row min-0 gap-8">
          <button
            type="button"
            className={`truncate bare row-opener tool-name ${classes.name}`}
            data-row={place.index}
            data-off={!enabled}
            aria-current={open ? 'true' : undefined}
            onClick={onOpen}
          >
            <MarkedText text={tool.name} words={words} />
          </button>
          <ToolTraits tool={tool} />
        </div>
        <p className={`truncate ${classes.description}`}>
          <MarkedText text={firstLine(tool.description ?? tool.title ?? '')} words={words} />
        </p>
      </div>
      <Switch
        className="above-opener"
        checked={enabled}
        aria-label={`${tool.name} is on`}
        onChange={(event) => void setToolsEnabled(model, [tool], event.currentTarget.checked)}
      />
    </Line>
  );
}

interface LineProps {
  readonly place: RowPlace;
  readonly className: string | undefined;
  readonly open?: boolean;
  readonly children: ReactNode;
}

function Line({ place, className, open = false, children }: LineProps) {
  return (
    <li className={`${classes.line} ${className}`} data-open={open} {...place.line}>
      {children}
    </li>
  );
}

function useOnCount(tools: readonly ToolSummary[]): number {
  return useStore(
    useModel().pendingToolSwitches,
    ({ byId }) => tools.filter((tool) => byId[toolId(tool)]?.enabled ?? tool.enabled).length,
  );
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
