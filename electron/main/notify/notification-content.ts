import type { Settings } from '../../../shared/schema/settings.ts';
import type { AttentionItem, AttentionKind } from '../attention/attention-item.ts';
import type { TrayAction } from '../tray/tray-types.ts';

/** A system notification. */
export interface NotificationContent {
  readonly title: string;
  readonly body: string;
  /** Actions of a click, in this order. */
  readonly actions: readonly TrayAction[];
}

/** Setting that controls notifications of each kind. */
export const kindSettings = {
  call: 'notifyTools',
  hub: 'notifyServers',
  server: 'notifyServers',
  'sign-in': 'notifySignIn',
  tools: 'notifyTools',
  client: 'notifyClients',
  update: 'checkUpdates',
} as const satisfies Record<AttentionKind, keyof Settings>;

/** A degraded server still works, so it is shown in the window but does not notify. */
export function shouldNotify(item: AttentionItem, settings: Settings): boolean {
  return settings[kindSettings[item.kind]] && !item.version.startsWith('degraded:');
}

export function notificationFor({ verb, sentence, action }: AttentionItem): NotificationContent {
  return { title: verb, body: sentence, actions: safeActions(action) };
}

/**
 * Summarises many items in one notification, since they mostly have one cause: no network, an expired
 * password.
 */
export function summaryNotification(items: readonly AttentionItem[]): NotificationContent {
  const named = items.slice(0, maxNamedInSummary).map(({ verb }) => verb);
  const rest = items.length - named.length;
  return {
    title: `${items.length} items need your attention`,
    body: [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', '),
    actions: [{ kind: 'command', id: 'open-servers' }],
  };
}

/**
 * Restricts the action of a click, which may be accidental: it disables nothing, and what it starts can be
 * watched.
 */
function safeActions(action: TrayAction): readonly TrayAction[] {
  if (action.kind !== 'run' || action.input === undefined || !('key' in action.input)) return [action];
  const open = { kind: 'open-server', key: action.input.key } as const;
  return action.operation === 'server.restart' ? [open, action] : [open];
}

const maxNamedInSummary = 3;
