import { breakersOf } from '../activity/audit/audit-operations.ts';
import type { Event } from '../base/emitter.ts';
import { secretChanges } from '../secrets/secret-operations.ts';
import type { Feeds } from './feeds.ts';
import type { HubEvents } from './hub-contract.ts';
import type { HubParts } from './hub-parts.ts';
import type { RunningHub } from './running-hub.ts';

/** Collects the events of all rooms. */
export function hubEvents(running: RunningHub, parts: HubParts, feeds: Feeds): HubEvents {
  const { access, guard, profiles, resilience, search } = running;
  const { connector, tester, checks, accessChanged } = parts;
  return {
    'hub.changed': feeds.onHub,
    'servers.changed': feeds.onServers,
    'tools.changed': feeds.onTools,
    'clients.changed': mapped(running.onClients, (clients) => ({ clients })),
    'connect.changed': connector.onChange,
    'secrets.changed': secretChanges(running),
    'tester.progress': tester.onProgress,
    'tester.question': tester.onQuestion,
    'tester.questionEnded': tester.onQuestionEnded,
    'checks.changed': mapped(checks.onChange, (checks) => ({ checks })),
    'access.changed': accessChanged.event,
    'approvals.changed': mapped(access.approvals.onChange, (approvals) => ({ approvals })),
    'guard.changed': guard.onView,
    'profiles.changed': profiles.onChange,
    'breaker.changed': mapped(resilience.circuits.onChange, () => ({
      breakers: breakersOf(resilience.circuits),
    })),
    'skills.changed': search.onSkills,
    'meaning.changed': search.onMeaning,
  };
}

/** Maps an event's payload to another form. */
function mapped<A, B>(event: Event<A>, map: (payload: A) => B): Event<B> {
  return (listener) => event((payload) => listener(map(payload)));
}
