import { Button } from '@mantine/core';
import { Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import { openView } from '../../command/navigate.ts';
import { indexTools } from '../../lib/tool/tool-rows.ts';
import { useModel, useServers, useView } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { ByServer } from './by-server.tsx';
import { SkillsPage } from './skills/skills-page.tsx';

/** Lists every tool of every server: by server, by skill, or as search results. */
export function ToolsView() {
  const model = useModel();
  const page = useView(({ place }) => place.toolsPage) ?? 'servers';
  const byServer = useStore(model.mirrors.tools, (tools) => tools);
  const order = useServers((state) => state.order);
  const groups = useMemo(
    () => order.map((serverKey) => ({ serverKey, tools: byServer[serverKey] ?? [] })),
    [order, byServer],
  );
  const index = useMemo(() => indexTools(groups), [groups]);
  const total = groups.reduce((sum, group) => sum + group.tools.length, 0);
  if (total === 0) return <NoTools />;
  return page === 'skills' ? <SkillsPage /> : <ByServer index={index} total={total} />;
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
            ? 'Tools come from servers. Add a server, and its tools appear here.'
            : 'No server has listed its tools yet. They appear here as soon as a server connects.'
        }
      >
        <Button onClick={() => openView(model, 'servers')}>Go to servers</Button>
      </EmptyState>
    </>
  );
}
