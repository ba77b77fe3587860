import type { Settings } from '../../../shared/schema/settings.ts';
import type { Matter, MatterKind } from '../attention/matter.ts';
import type { TrayAction } from '../tray/model.ts';

/** A system notification. */
export interface Note {
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
} as const satisfies Record<MatterKind, keyof Settings>;

/** A degraded server still works, so it is shown in the window but does not notify. */
export function isWorthTelling(matter: Matter, settings: Settings): boolean {
  return settings[kindSettings[matter.kind]] && !matter.mark.startsWith('degraded:');
}

export function noteOf({ verb, sentence, action }: Matter): Note {
  return { title: verb, body: sentence, actions: safely(action) };
}

/**
 * Summarises many items in one notification, since they mostly have one cause: no network, an expired
 * password.
 */
export function summaryOf(matters: readonly Matter[]): Note {
  const named = matters.slice(0, namedInSummary).map(({ verb }) => verb);
  const rest = matters.length - named.length;
  return {
    title: `${matters.length} things need your attention`,
    body: [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', '),
    actions: [{ kind: 'command', id: 'open-servers' }],
  };
}

/**
 * Restricts the action of a click, which may be accidental: it disables nothing, and what it starts can be
 * watched.
 */
function safely(action: TrayAction): readonly TrayAction[] {
  switch (action.kind) {
    case 'restart':
      return [{ kind: 'open-server', key: action.key }, action];
    case 'set-enabled':
      return [{ kind: 'open-server', key: action.key }];
    default:
      return [action];
  }
}

const namedInSummary = 3;
