import { ActionIcon, Button, Loader, Tabs, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { closeServer, openServer } from '../../../command/navigate.ts';
import { startAction } from '../../../command/server/one-server.ts';
import { isDirty } from '../../../store/draft-store.ts';
import { useModel, useServerTitle, useView } from '../../../store/model-context.tsx';
import type { ServerTab } from '../../../store/view-store.ts';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { ServerSwitch } from '../list/server-row.tsx';
import { ServerMenu } from '../server-menu.tsx';
import { ServerKey, ServerTags } from '../server-tags.tsx';
import { OverviewTab } from './overview-tab.tsx';
import classes from './server-page.module.css';
import { ServerToolsTab } from './server-tools-tab.tsx';

const LogTab = lazy(() => import('../log/log-tab.tsx').then((module) => ({ default: module.LogTab })));
const ConfigTab = lazy(() =>
  import('../config/config-tab.tsx').then((module) => ({ default: module.ConfigTab })),
);

/** Shows everything about one server. */
export function ServerPage({ server }: { server: ServerView }) {
  const model = useModel();
  const tab = useView(({ place }) => place.serverTab);
  return (
    <section
      className={`pane ${classes.page}`}
      aria-label={`Server ${useServerTitle(server.key)}`}
      tabIndex={-1}
      data-server-page
    >
      <Head server={server} />
      <Tabs
        value={tab}
        onChange={(value) => openServer(model, server.key, value as ServerTab)}
        keepMounted={false}
        className="pane"
        classNames={{ list: classes.tabList ?? '', tab: classes.tab ?? '', panel: classes.panel ?? '' }}
      >
        <TabList server={server} />
        <Suspense fallback={<Loader m="lg" role="status" aria-label="Loading" />}>
          <Tabs.Panel value="overview">
            <OverviewTab server={server} />
          </Tabs.Panel>
          <Tabs.Panel value="tools">
            <ServerToolsTab server={server} />
          </Tabs.Panel>
          <Tabs.Panel value="log">
            <LogTab serverKey={server.key} />
          </Tabs.Panel>
          <Tabs.Panel value="config">
            <ConfigTab serverKey={server.key} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </section>
  );
}

function TabList({ server }: { server: ServerView }) {
  const dirty = useStore(
    useModel().draft,
    ({ draft }) => draft?.originalKey === server.key && isDirty(draft),
  );
  return (
    <Tabs.List aria-label={`Pages of ${useServerTitle(server.key)}`}>
      <Tabs.Tab value="overview">Overview</Tabs.Tab>
      <Tabs.Tab value="tools">
        Tools <span className="dim numeric">{server.counts.tools}</span>
      </Tabs.Tab>
      <Tabs.Tab value="log">Log</Tabs.Tab>
      <Tabs.Tab value="config">
        Config
        {dirty && <span className={classes.dirty} role="img" aria-label="has unsaved changes" />}
      </Tabs.Tab>
    </Tabs.List>
  );
}

function StartButton({ server }: { server: ServerView }) {
  const model = useModel();
  const { icon: Icon, title, run } = startAction(server);
  return (
    <Button
      variant="default"
      leftSection={<Icon size={13} aria-hidden />}
      disabled={!server.enabled}
      onClick={() => run(model, server.key)}
    >
      {title}
    </Button>
  );
}

function Head({ server }: { server: ServerView }) {
  const model = useModel();
  return (
    <header className={`row ${classes.head}`}>
      <div className={`row grow ${classes.titles}`}>
        <h2 className={`truncate ${classes.name}`} title={server.key}>
          {useServerTitle(server.key)}
        </h2>
        <StatusMark server={server} />
        <ServerKey server={server} />
        <ServerTags server={server} />
      </div>
      <StartButton server={server} />
      <ServerSwitch server={server} />
      <ServerMenu server={server} />
      <Tooltip label="Close">
        <ActionIcon onClick={() => closeServer(model)} aria-label="Close the server page">
          <X size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}
