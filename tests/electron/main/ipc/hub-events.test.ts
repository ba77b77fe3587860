import { expect, it } from 'vitest';
import type { BatchedEvent } from '../../../../electron/main/ipc/event-batch.ts';
import { forwardHubEvents } from '../../../../electron/main/ipc/hub-events.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { hubView, serverView, someProblem } from '../../../helper/views.ts';

it('[PB-IPC-1] every event of the hub is forwarded, its view with the problems of the shell, until disposal', () => {
  const hub = new FakeHub();
  const pushed: BatchedEvent[] = [];
  const problems = [someProblem('hub.settings_unreadable')];
  const feed = forwardHubEvents(
    hub.events,
    (view) => ({ ...view, problems }),
    (event) => void pushed.push(event),
  );
  expect(hub.heard).toEqual(Object.keys(hub.events));
  const servers = { servers: [serverView('a')], order: ['a'] };
  hub.fire('hub.changed', hubView());
  hub.fire('servers.changed', servers);
  expect(pushed).toEqual([
    { name: 'hub.changed', payload: hubView({ problems }) },
    { name: 'servers.changed', payload: servers },
  ]);
  feed.dispose();
  expect(hub.heard).toEqual([]);
});
