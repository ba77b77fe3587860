/**
 * `npm run test:busy`: `npm test` under load: all processors and the disk are busy, and processes are started
 * continuously. `-- --project integration path` runs tests of one project this way; `--hogs 4` sets the
 * number of busy processors. The load ends with this program, however that ends, and after three hours.
 */
import { fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { runGroup } from './child.mjs';
import { e2eStep } from './e2e.mjs';
import { pack } from './pack.mjs';
import { root } from './root.mjs';
import { vitestStep } from './steps.mjs';
import { windowStep } from './window.mjs';

const longestMs = 3 * 60 * 60 * 1000;
const load = path.join(root, 'build', 'busy-load.mjs');

process.exit(await main(process.argv.slice(2)));

async function main(args) {
  const hogs = takeHogs(args);
  const command = await commandFor(args);
  const kinds = [...Array(hogs).fill('processor'), 'disk', 'processes'];
  const children = kinds.map((kind) => fork(load, [kind, String(longestMs)]));
  console.log(`Busy: ${kinds.join(', ')} (${children.map(({ pid }) => pid).join(', ')})`);
  try {
    return (await runGroup(command, { milliseconds: longestMs })) ?? 1;
  } finally {
    for (const child of children) child.disconnect();
  }
}

function takeHogs(args) {
  const at = args.indexOf('--hogs');
  return at < 0 ? os.availableParallelism() : Number(args.splice(at, 2)[1]);
}

async function commandFor(args) {
  if (args.length === 0) return [process.execPath, path.join(root, 'build/test.mjs')];
  const at = args.indexOf('--project');
  const [, project] = at < 0 ? [] : args.splice(at, 2);
  const step = [e2eStep, windowStep].find(({ name }) => name === project) ?? vitestStep(project ?? '*');
  if (step === e2eStep) await pack();
  await step.prepare?.();
  return [...step.command.filter((each) => !each.startsWith('--reporter')), ...args];
}
