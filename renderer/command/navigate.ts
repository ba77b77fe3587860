import { isDirty } from '../store/draft-store.ts';
import type { Model } from '../store/model.ts';
import {
  type ActivityPage,
  closeDialog,
  openDialog,
  type PasteStart,
  type Place,
  type ServerTab,
  type SettingsPage,
  type TestingPlace,
  type ToolRef,
  type View,
} from '../store/view-store.ts';

/** Navigates to a place; asks first if that would discard unsaved changes. */
export function navigate(model: Model, to: Place): void {
  if (leavesDraft(model, to)) openDialog(model.view, { kind: 'leave-draft', to });
  else model.view.setState({ place: to });
}

export function openView(model: Model, view: View): void {
  navigate(model, { ...placeOf(model), view });
}

export function openServer(model: Model, serverKey: string, serverTab?: ServerTab): void {
  const place = placeOf(model);
  const tab = serverTab ?? (place.serverKey === undefined ? 'overview' : place.serverTab);
  navigate(model, { ...place, view: 'servers', serverKey, serverTab: tab });
}

export function closeServer(model: Model): void {
  const { serverKey: _closed, ...place } = placeOf(model);
  navigate(model, place);
}

export function openTool(model: Model, tool: ToolRef): void {
  navigate(model, { ...placeOf(model), view: 'tools', tool });
}

export function closeTool(model: Model): void {
  const { tool: _closed, ...place } = placeOf(model);
  model.view.setState({ place });
}

/** Discards the unsaved changes and navigates. */
export function discardDraftAndGo(model: Model, to: Place): void {
  model.draft.setState({ draft: undefined });
  closeDialog(model.view);
  model.view.setState({ place: to });
}

export function openSettings(model: Model, settingsPage: SettingsPage): void {
  navigate(model, { ...placeOf(model), view: 'settings', settingsPage });
}

/** Opens the paste dialog with something dropped, pasted or linked. */
export function openPaste({ view }: Model, start: PasteStart): void {
  openDialog(view, { kind: 'add-server', how: 'paste', start });
}

export function openActivity(model: Model, activityPage: ActivityPage): void {
  navigate(model, { ...placeOf(model), view: 'activity', activityPage });
}

/** Opens the tester in front of the current view. */
export function openTester(model: Model, testing: TestingPlace): void {
  model.view.setState({ place: { ...placeOf(model), testing } });
}

export function closeTester(model: Model): void {
  model.view.setState({ place: placeOf(model) });
}

function leavesDraft(model: Model, to: Place): boolean {
  const { draft } = model.draft.getState();
  if (draft === undefined || !isDirty(draft)) return false;
  const stays = to.view === 'servers' && to.serverKey === draft.originalKey && to.serverTab === 'config';
  return !stays;
}

/** Returns the current place without the tester, since navigating elsewhere closes it. */
function placeOf(model: Model): Place {
  const { testing: _left, ...place } = model.view.getState().place;
  return place;
}
