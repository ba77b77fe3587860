import type { HubView } from '../../../shared/model/hub.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Disposable, disposeAll } from '../port/disposable.ts';
import type { BatchedEvent } from './event-batch.ts';

/** Passes every change of the engine to `push`. */
export function forwardEngineEvents(
  engine: Engine,
  hubView: (view: HubView) => HubView,
  push: (event: BatchedEvent) => void,
): Disposable {
  return disposeAll([
    engine.onHub((view) => push({ name: 'hub.changed', payload: hubView(view) })),
    engine.onServers((payload) => push({ name: 'servers.changed', payload })),
    engine.onTools((payload) => push({ name: 'tools.changed', payload })),
    engine.secrets.onChange((payload) => push({ name: 'secrets.changed', payload })),
    engine.breakers.onChange((breakers) => push({ name: 'breaker.changed', payload: { breakers } })),
    engine.profiles.onChange((payload) => push({ name: 'profiles.changed', payload })),
    engine.skills.onChange((payload) => push({ name: 'skills.changed', payload })),
    engine.search.onMeaning((payload) => push({ name: 'meaning.changed', payload })),
    engine.access.onChange((payload) => push({ name: 'access.changed', payload })),
    engine.access.onApprovals((approvals) => push({ name: 'approvals.changed', payload: { approvals } })),
    engine.guard.onChange((payload) => push({ name: 'guard.changed', payload })),
    engine.connect.onChange((payload) => push({ name: 'connect.changed', payload })),
    engine.tester.onProgress((payload) => push({ name: 'tester.progress', payload })),
    engine.tester.onQuestion((payload) => push({ name: 'tester.question', payload })),
    engine.tester.onQuestionEnded((payload) => push({ name: 'tester.questionEnded', payload })),
    engine.checks.onChange((checks) => push({ name: 'checks.changed', payload: { checks } })),
    engine.onClients((clients) => push({ name: 'clients.changed', payload: { clients } })),
  ]);
}
