import { useViewportSize } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { ServersView } from '../feature/servers/servers-view.tsx';
import { useView } from '../store/model-context.tsx';
import type { View } from '../store/view-store.ts';
import { Dialogs } from './dialog/dialogs.tsx';
import { DropTarget } from './drop-target.tsx';
import { HubBanner } from './hub-banner.tsx';
import { usePaletteKeys } from './palette/use-palette-keys.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar/sidebar.tsx';
import { TesterQuestions } from './tester-questions.tsx';
import { useFocusInView } from './use-focus-in-view.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { ViewFallback } from './view-fallback.tsx';
import { WaitingCalls } from './waiting-calls.tsx';

const loaders = {
  tools: () => import('../feature/tools/tools-view.tsx'),
  activity: () => import('../feature/activity/activity-view.tsx'),
  clients: () => import('../feature/clients/clients-view.tsx'),
  settings: () => import('../feature/settings/settings-view.tsx'),
  tester: () => import('../feature/tester/tester-view.tsx'),
};
const loadPalette = () => import('./palette/palette.tsx');

const ToolsView = lazy(() => loaders.tools().then((module) => ({ default: module.ToolsView })));
const ActivityView = lazy(() => loaders.activity().then((module) => ({ default: module.ActivityView })));
const ClientsView = lazy(() => loaders.clients().then((module) => ({ default: module.ClientsView })));
const SettingsView = lazy(() => loaders.settings().then((module) => ({ default: module.SettingsView })));
const TesterView = lazy(() => loaders.tester().then((module) => ({ default: module.TesterView })));

/** The window's frame: sidebar, banner, and the current view. */
export function Shell() {
  const view = useView((state) => state.place.view);
  const isTesting = useView((state) => state.place.testing !== undefined);
  const { width } = useViewportSize();
  useShortcuts();
  usePaletteKeys();
  useEffect(preloadViews, []);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <Sidebar narrow={width > 0 && width < 1000} />
      <main id="content" className={`pane ${classes.main}`} tabIndex={-1}>
        <HubBanner />
        <Suspense fallback={<ViewFallback />}>
          <Current view={isTesting ? 'tester' : view} />
        </Suspense>
        <WaitingCalls />
      </main>
      <Dialogs />
      <TesterQuestions />
      <DropTarget />
    </div>
  );
}

/** Rendered inside the boundary, so that the previous view is gone once this one is drawn. */
function Current({ view }: { view: View | 'tester' }) {
  useFocusInView(view);
  switch (view) {
    case 'servers':
      return <ServersView />;
    case 'tools':
      return <ToolsView />;
    case 'activity':
      return <ActivityView />;
    case 'clients':
      return <ClientsView />;
    case 'settings':
      return <SettingsView />;
    case 'tester':
      return <TesterView />;
  }
}

/**
 * Loads the other views and the palette once the first view has been drawn, so that opening them is instant.
 */
function preloadViews(): () => void {
  const idle = requestIdleCallback(() => {
    for (const load of [...Object.values(loaders), loadPalette]) void load();
  });
  return () => cancelIdleCallback(idle);
}
