import type { ClientView } from '../../../../shared/model/client/client.ts';
import { negotiateVersion } from '../../../../shared/model/client/initialize-result.ts';
import { modernVersion } from '../../../../shared/model/mcp.ts';
import type { ProfileChoice } from '../../catalogue/profiles.ts';
import type { SessionCatalogue } from './catalogue/session-catalogue.ts';
import type { IdentifiedClient } from './client-handshake.ts';
import type { SessionConnection, SessionServices, SessionSnapshot } from './session-contract.ts';

/** State of a session. */
export interface SessionState {
  readonly id: string;
  /** Undefined before `initialize`, and once the session has closed. */
  readonly identified: IdentifiedClient | undefined;
  readonly catalogue: SessionCatalogue;
  readonly activity: Pick<ClientView, 'connectedAt' | 'calls' | 'lastActiveAt'>;
}

type Options = Pick<SessionServices, 'programDefault'> &
  Pick<SessionConnection, 'via' | 'only' | 'askedStyle' | 'profile' | 'bridge'>;

/** Converts a session's state for display. */
export function sessionView(
  { id, identified, catalogue, activity }: SessionState,
  options: Options,
): ClientView {
  const { name = '', version = '', title } = identified?.client ?? {};
  const { lists, view, identityId } = catalogue;
  const compact = catalogue.compact.choice;
  const style = options.askedStyle ?? (options.only === undefined ? options.programDefault : 'raw');
  return {
    id,
    name,
    version,
    ...(title === undefined ? {} : { title }),
    via: options.via,
    ...(identified === undefined ? {} : protocolOf(identified.client)),
    nameStyle: identified?.profile.style ?? style,
    ...(lists.revision === undefined ? {} : { listRevision: lists.revision }),
    stale: lists.outdated(view).size > 0,
    // A getter, because counting requires naming all tools again with every server that starts, and few
    // listeners read it.
    get listedTools() {
      return view?.tools.length ?? 0;
    },
    ...activity,
    ...profileMember(catalogue.choice, options.profile !== undefined),
    ...(compact === undefined ? {} : { compact: compact.by }),
    ...(identityId === undefined ? {} : { identityId }),
    ...(options.bridge === undefined ? {} : { bridgeVersion: options.bridge.version }),
  };
}

function protocolOf({
  era,
  protocolVersion,
}: IdentifiedClient['client']): Pick<ClientView, 'era' | 'protocolVersion'> {
  return { era, protocolVersion: era === 'modern' ? modernVersion : negotiateVersion(protocolVersion) };
}

function profileMember(choice: ProfileChoice, isAsked: boolean): Pick<ClientView, 'profile'> {
  switch (choice.kind) {
    case 'everything':
      return {};
    case 'selection':
      return { profile: { name: choice.selection.name, isKnown: true, isAsked } };
    case 'unknown':
      return { profile: { name: choice.name, isKnown: false, isAsked } };
    case 'unreadable':
      return { profile: { name: '', isKnown: false, isAsked } };
  }
}

/** Returns the lists that an initialized client has, and would get now. */
export function sessionSnapshot(
  { client, profile }: IdentifiedClient,
  session: SessionCatalogue,
  views: SessionServices['views'],
): SessionSnapshot | undefined {
  const { current: catalogue, compact, lists, fullView } = session;
  if (fullView === undefined) return undefined;
  const { name, title } = client;
  const view = compact.view(fullView);
  return {
    client: { name, ...(title === undefined ? {} : { title }) },
    profile,
    view,
    catalogue,
    tools: views.list(view, 'tools/list').items,
    compact: compact.choice,
    fullView,
    direct: (choice) => compact.direct(fullView, choice),
    clientTools: lists.clientTools,
    hasToolList: lists.hasList('tools'),
    isStale: lists.outdated(view).has('tools'),
    clientRevision: lists.revision,
  };
}
