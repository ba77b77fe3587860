import { expect, it } from 'vitest';
import type { BatchedEvent } from '../../../../electron/main/ipc/event-batch.ts';
import { forwardHubEvents } from '../../../../electron/main/ipc/hub-events.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { hubView, serverView, someProblem } from '../../../helper/views.ts';

function bench() {
  const hub = new FakeHub();
  const problems = [someProblem('hub.settings_unreadable')];
  const pushed: (BatchedEvent | 'flush')[] = [];
  const feed = forwardHubEvents(hub.events, (view) => ({ ...view, problems }), {
    push: (event) => void pushed.push(event),
    flush: () => void pushed.push('flush'),
  });
  return { hub, problems, pushed, feed };
}

it('[PB-IPC-1] every event of the hub is forwarded, its view with the problems of the shell, until disposal', () => {
  const { hub, problems, pushed, feed } = bench();
  expect(hub.heard).toEqual(Object.keys(hub.events));
  const servers = { servers: [serverView('a')], order: ['a'] };
  hub.fire('hub.changed', hubView());
  hub.fire('servers.changed', servers);
  expect(pushed.filter((event) => event !== 'flush')).toEqual([
    { name: 'hub.changed', payload: hubView({ problems }) },
    { name: 'servers.changed', payload: servers },
  ]);
  feed.dispose();
  expect(hub.heard).toEqual([]);
});

it('[PB-IPC-1] events that the hub has batched are sent at once, all others wait for more', () => {
  const { hub, pushed } = bench();
  hub.fire('approvals.changed', { approvals: [] });
  expect(pushed).not.toContain('flush');
  hub.fire('servers.changed', { servers: [], order: [] });
  expect(pushed.at(-1)).toBe('flush');
});
