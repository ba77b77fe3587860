import { ActionIcon, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useStore } from 'zustand/react';
import { closeServer } from '../../../command/navigate.ts';
import { isDirty } from '../../../store/draft-store.ts';
import { useModel, useServers, useView } from '../../../store/model-context.tsx';
import classes from './server-page.module.css';

const ConfigTab = lazy(() =>
  import('../config/config-tab.tsx').then((module) => ({ default: module.ConfigTab })),
);

/**
 * Returns the key of the open server if it was removed while its config has unsaved changes, which must not
 * be lost.
 */
export function useRemovedKey(): string | undefined {
  const model = useModel();
  const openKey = useView(({ place }) => place.serverKey);
  const known = useServers(({ byKey }) => openKey !== undefined && byKey[openKey] !== undefined);
  const edited = useStore(model.draft, ({ draft }) => isDirty(draft) && draft?.originalKey === openKey);
  return edited && !known ? openKey : undefined;
}

/** Shows a removed server's unsaved changes. */
export function RemovedServerPage({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <section className={`pane ${classes.page}`} aria-label={`Server ${serverKey}`}>
      <header className={`row ${classes.head}`}>
        <div className={`row grow ${classes.titles}`}>
          <h2 className={`truncate ${classes.name}`} title={serverKey}>
            {serverKey}
          </h2>
          <p className="dim">Removed</p>
        </div>
        <Tooltip label="Close">
          <ActionIcon onClick={() => closeServer(model)} aria-label="Close the server page">
            <X size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <Suspense fallback={null}>
        <ConfigTab serverKey={serverKey} />
      </Suspense>
    </section>
  );
}
