import type { Settings } from '../../../shared/schema/settings.ts';
import type { Matter, MatterKind } from '../attention/matter.ts';
import type { TrayAction } from '../tray/model.ts';

/** A notification of the system. */
export interface Note {
  readonly title: string;
  readonly body: string;
  /** What a click on it does, in this order. */
  readonly actions: readonly TrayAction[];
}

/** Kinds that a person can choose to be told of, by their setting. */
export const kindSettings = {
  call: 'notifyTools',
  hub: 'notifyServers',
  server: 'notifyServers',
  'sign-in': 'notifySignIn',
  tools: 'notifyTools',
  client: 'notifyClients',
  update: 'checkUpdates',
} as const satisfies Record<MatterKind, keyof Settings>;

/** One that still works is shown where one looks, and nobody is called for it. */
export function isWorthTelling(matter: Matter, settings: Settings): boolean {
  return settings[kindSettings[matter.kind]] && !matter.mark.startsWith('degraded:');
}

export function noteOf({ verb, sentence, action }: Matter): Note {
  return { title: verb, body: sentence, actions: safely(action) };
}

/** One for many, since they mostly have one cause: no network, a password that has expired. */
export function summaryOf(matters: readonly Matter[]): Note {
  const named = matters.slice(0, namedInSummary).map(({ verb }) => verb);
  const rest = matters.length - named.length;
  return {
    title: `${matters.length} things need your attention`,
    body: [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', '),
    actions: [{ kind: 'command', id: 'open-servers' }],
  };
}

/** A click on a notification is made in passing: it takes nothing away, and what it starts can be watched. */
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
