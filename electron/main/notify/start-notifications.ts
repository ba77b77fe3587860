import type { Settings } from '../../../shared/schema/settings.ts';
import { type AttentionInput, attentionItems } from '../attention/attention-item.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { showNotification } from '../port/show-notification.ts';
import type { TrayAction } from '../tray/tray-types.ts';
import type { NotifiedVersions } from './notified-items.ts';
import { Notifier } from './notifier.ts';
import { openItems } from './open-items.ts';

export interface NotificationsOptions {
  readonly hub: Pick<HubLifecycle, 'onRunning'>;
  /** Returns the input from the hub; undefined until it runs. */
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
    save: (versions) => state.change({ told: versions }),
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
