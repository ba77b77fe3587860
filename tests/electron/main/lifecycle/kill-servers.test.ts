import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { hasProcess } from '../../../../electron/engine/store/files/process-identity.ts';
import { killServers } from '../../../../electron/main/lifecycle/kill-servers.ts';
import { eventually } from '../../../helper/eventually.ts';

const stays = 'setInterval(() => {}, 1000)';
const wraps = `
  const { spawn } = require('node:child_process');
  console.log(spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { stdio: 'ignore' }).pid);
  ${stays}`;

/** Starts a server of its own group behind which another program stays. */
async function startWrapper(): Promise<{ readonly wrapper: ChildProcess; readonly inner: number }> {
  const detached = process.platform !== 'win32';
  const wrapper = spawn(process.execPath, ['-e', wraps], { stdio: ['ignore', 'pipe', 'ignore'], detached });
  const [text] = await once(wrapper.stdout, 'data');
  return { wrapper, inner: Number(String(text)) };
}

it('[PB-PROC-1] a quit that takes too long kills servers and the programs behind them', async () => {
  const started = await Promise.all([startWrapper(), startWrapper()]);
  const pids = started.flatMap(({ wrapper, inner }) => [wrapper.pid ?? 0, inner]);
  expect(pids.filter(hasProcess)).toEqual(pids);
  killServers([...started.map(({ wrapper }) => ({ pid: wrapper.pid })), { pid: undefined }]);
  await eventually(() => expect(pids.filter(hasProcess)).toEqual([]));
});
