import { Skeleton } from '@mantine/core';
import { useDidUpdate, useViewportSize } from '@mantine/hooks';
import { lazy, Suspense, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { useShallow } from 'zustand/react/shallow';
import { commands } from '../command/commands.ts';
import { closeServer, closeTester, closeTool } from '../command/navigate.ts';
import { commandForKey, type KeyContext } from '../command/run-shortcut.ts';
import { followTester } from '../command/tester-actions.ts';
import { ServersView } from '../feature/servers/servers-view.tsx';
import type { Model } from '../store/model.ts';
import { useModel, useView } from '../store/model-context.tsx';
import type { View } from '../store/view-store.ts';
import { Dialogs } from './dialog/dialogs.tsx';
import { DropTarget } from './drop-target.tsx';
import { HubBanner } from './hub-banner.tsx';
import { usePaletteKeys } from './palette/use-palette-keys.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar/sidebar.tsx';

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

const QuestionDialog = lazy(() =>
  import('../feature/tester/server-request-dialog.tsx').then((module) => ({
    default: module.ServerRequestDialog,
  })),
);

/** Shows questions that servers ask during tester runs, in any view, one at a time. */
function TesterQuestions() {
  const model = useModel();
  const question = useStore(model.tester, ({ questions }) => questions[0]);
  useEffect(() => followTester(model), [model]);
  if (question === undefined) return null;
  return (
    <Suspense fallback={null}>
      <QuestionDialog key={question.questionId} question={question} />
    </Suspense>
  );
}

/** Moves the focus to the start of a new view if the old view had it. */
function useFocusInView(view: string): void {
  useDidUpdate(() => {
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [view]);
}

/** Listens for the shortcuts of all commands, and for Escape, which goes one step back. */
function useShortcuts(): void {
  const model = useModel();
  useEffect(() => {
    let covered = false;
    // Checks before other handlers run: a dialog that this key closes may be gone when the key arrives here.
    const checkCovered = () => {
      covered = isCovered(model);
    };
    const onKeyDown = (event: KeyboardEvent) => handle(event, model, covered);
    window.addEventListener('keydown', checkCovered, { capture: true });
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', checkCovered, { capture: true });
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [model]);
}

function handle(event: KeyboardEvent, model: Model, covered: boolean): void {
  if (event.defaultPrevented || event.isComposing) return;
  const context = keyContext(event, covered);
  const command = commandForKey(event, commands, model, context);
  if (command !== undefined) {
    event.preventDefault();
    command.run(model);
  } else if (event.key === 'Escape' && !context.dialog) {
    goBack(event, model, context);
  }
}

function keyContext({ target }: KeyboardEvent, covered: boolean): KeyContext {
  const field = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
  return { typing: target instanceof Element && target.closest(field) !== null, dialog: covered };
}

/** True if something that takes the keys covers the page. */
function isCovered({ view }: Model): boolean {
  const { dialog, palette } = view.getState();
  const isOpen = dialog !== undefined || palette;
  return isOpen || document.querySelector('[role="menu"], [role="dialog"]') !== null;
}

/** Leaves a field, or else goes from a page back to its list. */
function goBack(event: KeyboardEvent, model: Model, { typing }: KeyContext): void {
  const { place } = model.view.getState();
  if (typing && event.target instanceof HTMLElement) event.target.blur();
  else if (place.testing !== undefined) closeTester(model);
  else if (place.view === 'servers' && place.serverKey !== undefined) closeServer(model);
  else if (place.view === 'tools' && place.tool !== undefined) closeTool(model);
}

/** Placeholder of a view while its code or its first data is loading. */
function ViewFallback() {
  return (
    <div className={classes.fallback} role="status" aria-label="Loading">
      <Skeleton height={18} width={120} radius={5} />
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <Skeleton key={index} height={38} radius={6} />
      ))}
    </div>
  );
}

const ApprovalsPanel = lazy(() =>
  import('../feature/approvals/approvals-panel.tsx').then((module) => ({ default: module.ApprovalsPanel })),
);

/** Shows calls that wait for approval in every view, except those just answered. */
function WaitingCalls() {
  const { approval, mirrors } = useModel();
  const answered = useStore(approval, (state) => state.answered);
  const waiting = useStore(
    mirrors.approvals,
    useShallow((all) => all.filter(({ id }) => !answered.has(id))),
  );
  if (waiting.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ApprovalsPanel waiting={waiting} />
    </Suspense>
  );
}
