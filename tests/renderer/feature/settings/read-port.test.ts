import { expect, it } from 'vitest';
import { readPort } from '../../../../renderer/feature/settings/read-port.ts';

it.each([
  [' 7420 ', 7420],
  ['1024', 1024],
  ['65535', 65535],
])('takes %j as a port', (text, port) => {
  expect(readPort(text)).toEqual({ ok: true, port });
});

it.each(['', 'http', '74.20', '-1', '80', '65536', '7420x'])('refuses %j with a reason', (text) => {
  expect(readPort(text)).toMatchObject({ ok: false, reason: expect.stringMatching(/port/) });
});
