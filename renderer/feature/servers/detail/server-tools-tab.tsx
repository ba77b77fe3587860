import { Button } from '@mantine/core';
import { FlaskConical, PackageOpen } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { openTester } from '../../../command/navigate.ts';
import { indexTools, toolRows } from '../../../lib/tool/tool-rows.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { SplitView } from '../../../ui/list/split-view.tsx';
import { ToolList } from '../../../ui/list/tool-list.tsx';
import { ToolPage } from '../../../ui/tool/tool-page.tsx';
import classes from './server-tools-tab.module.css';

const none: readonly ToolSummary[] = [];

/** Lists the tools of one server beside the schema of the open one. */
export function ServerToolsTab({ server }: { server: ServerView }) {
  const title = useServerTitle(server.key);
  const tools = useStore(useModel().mirrors.tools, (byServer) => byServer[server.key] ?? none);
  const [query, setQuery] = useState('');
  const [openName, setOpenName] = useState<string>();
  const index = useMemo(() => indexTools([{ serverKey: server.key, tools }]), [server.key, tools]);
  const rows = useMemo(() => toolRows(index, query), [index, query]);
  const open = tools.find((tool) => tool.name === openName);
  if (tools.length === 0) return <NoTools server={server} />;
  const list = (
    <>
      <div className={classes.tools}>
        <SearchField label="Search tools" width="100%" value={query} onChange={setQuery} />
        <TryButton serverKey={server.key} />
      </div>
      <ToolList
        rows={rows}
        query={query}
        open={open}
        label={`Tools of ${title}`}
        onOpen={(tool) => setOpenName(tool.name)}
      />
    </>
  );
  const detail = open && <ToolPage key={open.name} tool={open} onClose={() => setOpenName(undefined)} />;
  return (
    <SplitView
      list={list}
      fixed="detail"
      {...(detail === undefined ? {} : { detail, onClose: () => setOpenName(undefined) })}
    />
  );
}

/** Opens the tester, which also covers prompts and resources. */
function TryButton({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <Button
      variant="default"
      flex="none"
      leftSection={<FlaskConical size={13} aria-hidden />}
      onClick={() => openTester(model, { serverKey })}
    >
      Try
    </Button>
  );
}

function NoTools({ server }: { server: ServerView }) {
  const running = server.status === 'connected';
  return (
    <EmptyState
      icon={PackageOpen}
      title={running ? 'No tools' : 'No tools known yet'}
      text={
        running
          ? 'The server is connected but offers no tools.'
          : 'Tools appear here after the first connection.'
      }
    >
      {server.counts.prompts + server.counts.resources > 0 && <TryButton serverKey={server.key} />}
    </EmptyState>
  );
}
