import type { ClientView } from '../../../shared/model/client.ts';
import type { CatalogueView, ClientProfile } from '../catalogue/contract.ts';
import type { CompactChoice, ProfileChoice } from '../catalogue/profiles.ts';
import type { Introduction } from './introduction.ts';
import type { SessionConnection, SessionSurroundings } from './session-contract.ts';
import type { SessionLists } from './session-lists.ts';

/** What is known of a session. */
export interface SessionFacts {
  readonly id: string;
  /** Undefined before it has introduced itself, and once it is over. */
  readonly greeted: { readonly client: Introduction; readonly profile: ClientProfile } | undefined;
  readonly lists: Pick<SessionLists, 'revision' | 'stale'>;
  readonly view: CatalogueView | undefined;
  readonly choice: ProfileChoice;
  readonly compact: CompactChoice | undefined;
  readonly identityId: string | undefined;
  readonly activity: Pick<ClientView, 'connectedAt' | 'calls' | 'lastActiveAt'>;
}

type Options = Pick<SessionSurroundings, 'programDefault'> &
  Pick<SessionConnection, 'via' | 'only' | 'askedStyle' | 'profile' | 'bridge'>;

/** The session as people see it. */
export function sessionView(facts: SessionFacts, options: Options): ClientView {
  const { id, greeted, lists, view, activity, choice, compact, identityId } = facts;
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
    stale: lists.stale(view).size > 0,
    // All have to be named for it, again with every server that starts; few who hear of a change ask.
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
