import type { Settings } from '../../../shared/schema/settings.ts';
import { type AttentionInput, attentionItems } from '../attention/matter.ts';
import type { HubLifecycle } from '../lifecycle/hub-run.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { showNotification } from '../port/system-note.ts';
import type { TrayAction } from '../tray/model.ts';
import { Notifier } from './notifier.ts';
import { openItems } from './open-matters.ts';
import type { NotifiedVersions } from './told-book.ts';

export interface NotificationsOptions {
  readonly hub: Pick<HubLifecycle, 'onRunning'>;
  /** What is known of the hub, once it runs. */
  readonly input: () => AttentionInput | undefined;
  readonly settings: () => Settings;
  readonly watched: () => boolean;
  readonly state: {
    readonly current: { readonly told: NotifiedVersions };
    change(patch: { told: NotifiedVersions }): void;
  };
  /** Resolves when the action is done, successfully or not; it reports its own failure. */
  readonly act: (action: TrayAction) => Promise<void>;
}

export interface Notifications extends Disposable {
  update(): void;
}

/** Shows system notifications for what needs the user. */
export function startNotifications(options: NotificationsOptions): Notifications {
  const { hub, input, state, act } = options;
  const actInOrder = async (actions: readonly TrayAction[]) => {
    for (const action of actions) await act(action);
  };
  const notifier = new Notifier({
    ...options,
    now: Date.now,
    after,
    items: () => withInput(input(), attentionItems, []),
    // An unknown item does not count as solved.
    isOpen: (id) => withInput(input(), openItems, () => true)(id),
    show: ({ title, body, actions }) => showNotification({ title, body }, () => void actInOrder(actions)),
    known: state.current.told,
    save: (told) => state.change({ told }),
  });
  const update = () => notifier.update();
  const feeds: Disposable[] = [notifier];
  hub.onRunning(({ events }) => feeds.push(...changes.map((name) => events[name](update as () => void))));
  return { update, dispose: () => disposeAll(feeds).dispose() };
}

const changes = ['hub.changed', 'servers.changed', 'connect.changed', 'approvals.changed'] as const;

function withInput<T>(
  input: AttentionInput | undefined,
  read: (input: AttentionInput) => T,
  otherwise: T,
): T {
  return input === undefined ? otherwise : read(input);
}
