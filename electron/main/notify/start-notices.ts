import type { Settings } from '../../../shared/schema/settings.ts';
import { type MatterInput, mattersOf } from '../attention/matter.ts';
import type { HubRun } from '../lifecycle/hub-run.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { showNote } from '../port/system-note.ts';
import type { TrayAction } from '../tray/model.ts';
import { Notifier } from './notifier.ts';
import { openMatters } from './open-matters.ts';
import type { Told } from './told-book.ts';

export interface NoticesOptions {
  readonly hub: Pick<HubRun, 'onRunning'>;
  /** What is known of the hub, once it runs. */
  readonly input: () => MatterInput | undefined;
  readonly settings: () => Settings;
  readonly watched: () => boolean;
  readonly state: { readonly current: { readonly told: Told }; change(patch: { told: Told }): void };
  /** Resolves when the action is done, successfully or not; it reports its own failure. */
  readonly act: (action: TrayAction) => Promise<void>;
}

export interface Notices extends Disposable {
  update(): void;
}

/** Shows system notifications for what needs the user. */
export function startNotices(options: NoticesOptions): Notices {
  const { hub, input, state, act } = options;
  const actInOrder = async (actions: readonly TrayAction[]) => {
    for (const action of actions) await act(action);
  };
  const notifier = new Notifier({
    ...options,
    now: Date.now,
    after,
    matters: () => withInput(input(), mattersOf, []),
    // An unknown item does not count as solved.
    isOpen: (id) => withInput(input(), openMatters, () => true)(id),
    show: ({ title, body, actions }) => showNote({ title, body }, () => void actInOrder(actions)),
    known: state.current.told,
    keep: (told) => state.change({ told }),
  });
  const update = () => notifier.update();
  const feeds: Disposable[] = [notifier];
  hub.onRunning(({ events }) => feeds.push(...changes.map((name) => events[name](update as () => void))));
  return { update, dispose: () => disposeAll(feeds).dispose() };
}

const changes = ['hub.changed', 'servers.changed', 'connect.changed', 'approvals.changed'] as const;

function withInput<T>(input: MatterInput | undefined, read: (input: MatterInput) => T, otherwise: T): T {
  return input === undefined ? otherwise : read(input);
}
