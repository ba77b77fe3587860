import type { ClientView } from '../../../shared/model/client.ts';
import type { CatalogueView, ClientProfile } from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice } from '../catalogue/profiles.ts';
import type { ClientInitializeParams } from './introduction.ts';
import type { SessionConnection, SessionServices } from './session-contract.ts';
import type { SessionLists } from './session-lists.ts';

/** State of a session. */
export interface SessionFacts {
  readonly id: string;
  /** Undefined before `initialize`, and once the session has closed. */
  readonly identified:
    | { readonly client: ClientInitializeParams; readonly profile: ClientProfile }
    | undefined;
  readonly lists: Pick<SessionLists, 'revision' | 'outdated'>;
  readonly view: CatalogueView | undefined;
  readonly choice: ProfileChoice;
  readonly compact: CompactChoice | undefined;
  readonly identityId: string | undefined;
  readonly activity: Pick<ClientView, 'connectedAt' | 'calls' | 'lastActiveAt'>;
}

type Options = Pick<SessionServices, 'programDefault'> &
  Pick<SessionConnection, 'via' | 'only' | 'askedStyle' | 'profile' | 'bridge'>;

/** Converts a session's state for display. */
export function sessionView(facts: SessionFacts, options: Options): ClientView {
  const { id, identified: greeted, lists, view, activity, choice, compact, identityId } = facts;
  const { name = '', version = '', title } = greeted?.client ?? {};
  const style = options.askedStyle ?? (options.only === undefined ? options.programDefault : 'raw');
  return {
    id,
    name,
    version,
    ...(title === undefined ? {} : { title }),
    via: options.via,
    nameStyle: greeted?.profile.style ?? style,
    ...(lists.revision === undefined ? {} : { listRevision: lists.revision }),
    stale: lists.outdated(view).size > 0,
    // A getter, because counting requires naming all tools again with every server that starts, and few
    // listeners read it.
    get listedTools() {
      return view?.tools.length ?? 0;
    },
    ...activity,
    ...profileMember(choice, options.profile !== undefined),
    ...(compact === undefined ? {} : { compact: compact.by }),
    ...(identityId === undefined ? {} : { identityId }),
    ...(options.bridge === undefined ? {} : { bridgeVersion: options.bridge.version }),
  };
}

function profileMember(choice: ProfileChoice, isRequested: boolean): Pick<ClientView, 'profile'> {
  switch (choice.kind) {
    case 'everything':
      return {};
    case 'selection':
      return { profile: { name: choice.selection.name, isKnown: true, isAsked: isRequested } };
    case 'unknown':
      return { profile: { name: choice.name, isKnown: false, isAsked: isRequested } };
    case 'unreadable':
      return { profile: { name: '', isKnown: false, isAsked: isRequested } };
  }
}
