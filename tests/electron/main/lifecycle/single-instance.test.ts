import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import {
  claimInstance,
  onSecondLaunch,
  type SecondLaunch,
} from '../../../../electron/main/lifecycle/single-instance.ts';

/** Hands what a second app sends to the first one, as the system does. */
function twoApps() {
  const first = new EventEmitter();
  const heard: SecondLaunch[] = [];
  onSecondLaunch(first as unknown as Parameters<typeof onSecondLaunch>[0], (request) => heard.push(request));
  const send = (data: unknown) => first.emit('second-instance', {}, [], '', JSON.parse(JSON.stringify(data)));
  return { heard, send };
}

it('[PB-APP-1] a second launch hands its link to the first app, and is refused', () => {
  const { heard, send } = twoApps();
  const app = { requestSingleInstanceLock: (data?: unknown) => !send(data) };
  const link = 'patchbay://add?name=docs';
  expect(claimInstance(app, { hidden: false, addServer: false, link })).toBe(false);
  expect(claimInstance(app, { hidden: true, addServer: false })).toBe(false);
  expect(heard).toEqual([
    { hidden: false, addServer: false, link },
    { hidden: true, addServer: false },
  ]);
});

it('[PB-APP-1] what an app of another version sends shows the window', () => {
  const { heard, send } = twoApps();
  send({ version: 9 });
  send(null);
  expect(heard).toEqual(Array(2).fill({ hidden: false, addServer: false }));
});
