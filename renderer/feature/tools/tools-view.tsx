import { Button } from '@mantine/core';
import { SearchX, Wrench } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { closeTool, openTool, openView } from '../../command/navigate.ts';
import { setToolsEnabled } from '../../command/tool-actions.ts';
import { formatCount } from '../../lib/format-amount.ts';
import { hitsOf, type IndexedGroup, indexTools, type ToolRow, toolRows } from '../../lib/tool-rows.ts';
import { useModel, useServers, useView } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { ToolList } from '../../ui/tool-list.tsx';
import { ToolPage } from '../../ui/tool-page.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import classes from './tools-view.module.css';

/** Every tool of every server, by server. */
export function ToolsView() {
  const model = useModel();
  const byServer = useStore(model.mirrors.tools, (tools) => tools);
  const order = useServers((state) => state.order);
  const groups = useMemo(
    () => order.map((serverKey) => ({ serverKey, tools: byServer[serverKey] ?? [] })),
    [order, byServer],
  );
  const index = useMemo(() => indexTools(groups), [groups]);
  const total = groups.reduce((sum, group) => sum + group.tools.length, 0);
  return total === 0 ? <NoTools /> : <Tools index={index} total={total} />;
}

function Tools({ index, total }: { index: readonly IndexedGroup[]; total: number }) {
  const model = useModel();
  const [query, setQuery] = useState('');
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const searched = useDeferredValue(query);
  const rows = useMemo(() => toolRows(index, searched, collapsed), [index, searched, collapsed]);
  const openRef = useView(({ place }) => place.tool);
  const open = useStore(model.mirrors.tools, (tools) =>
    tools[openRef?.serverKey ?? '']?.find((tool) => tool.name === openRef?.name),
  );
  const all = index.filter((group) => group.tools.length > 0).map((group) => group.serverKey);
  const detail = open && (
    <ToolPage key={`${open.serverKey}:${open.name}`} tool={open} onClose={() => closeTool(model)} />
  );
  return (
    <>
      <ViewHeader
        title="Tools"
        note={`${formatCount(total, 'tool')} from ${formatCount(all.length, 'server')}`}
      >
        <SearchField
          label="Search name, description or server"
          width={290}
          value={query}
          onChange={setQuery}
          onEnterList={focusFirst}
        />
        <Button
          variant="default"
          onClick={() => setCollapsed(collapsed.size === all.length ? new Set() : new Set(all))}
          disabled={query !== ''}
        >
          {collapsed.size === all.length ? 'Expand all' : 'Collapse all'}
        </Button>
      </ViewHeader>
      {searched !== '' && <FoundBar rows={rows} />}
      {rows.length === 0 ? (
        <EmptyState icon={SearchX} title="No tool matches" text={`Nothing contains “${searched}”.`}>
          <Button variant="default" onClick={() => setQuery('')}>
            Show all tools
          </Button>
        </EmptyState>
      ) : (
        <SplitView
          fixed="detail"
          list={
            <ToolList
              rows={rows}
              query={searched}
              label="Tools"
              open={open}
              onOpen={(tool) => openTool(model, { serverKey: tool.serverKey, name: tool.name })}
              onToggleGroup={(key) => setCollapsed(toggled(collapsed, key))}
            />
          }
          {...(detail === undefined ? {} : { detail })}
        />
      )}
    </>
  );
}

/** What was found, and one switch for all of it. */
function FoundBar({ rows }: { rows: readonly ToolRow[] }) {
  const model = useModel();
  const hits = hitsOf(rows);
  return (
    <div className={classes.found}>
      <p role="status">{formatCount(hits.length, 'match', 'matches')}</p>
      <Button variant="subtle" size="compact-xs" onClick={() => void setToolsEnabled(model, hits, true)}>
        Switch all found on
      </Button>
      <Button variant="subtle" size="compact-xs" onClick={() => void setToolsEnabled(model, hits, false)}>
        Switch all found off
      </Button>
    </div>
  );
}

function NoTools() {
  const model = useModel();
  const servers = useServers((state) => state.order.length);
  return (
    <>
      <ViewHeader title="Tools" />
      <EmptyState
        icon={Wrench}
        title="No tools yet"
        text={
          servers === 0
            ? 'Tools come from servers. Add the first one, and what it offers is listed here.'
            : 'None of your servers has told its tools yet. They are listed here as soon as one has connected.'
        }
      >
        <Button onClick={() => openView(model, 'servers')}>Go to servers</Button>
      </EmptyState>
    </>
  );
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
}

function focusFirst(): void {
  document.querySelector<HTMLElement>('main [data-row]')?.focus();
}
