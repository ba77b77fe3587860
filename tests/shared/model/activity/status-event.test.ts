import { expect, test } from 'vitest';
import { describeServer } from '../../../../shared/model/activity/status-event.ts';
import { serverView } from '../../../helper/views.ts';

const held = (waiting: number, blocked = 0) => serverView('gh', { heldTools: { waiting, blocked } });
const texts = (...[before, after]: [ReturnType<typeof held>, ReturnType<typeof held>]) =>
  describeServer(before, after).map(({ text }) => text);

test('[PB-SAFE-1] quarantined tools are reported once, when they appear', () => {
  expect(texts(serverView('gh'), held(2))).toEqual(['2 new or changed tools need review']);
  expect(texts(held(2), held(2))).toEqual([]);
  expect(texts(held(2), held(0, 2))).toEqual([]);
});
