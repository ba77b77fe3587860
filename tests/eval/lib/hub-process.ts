import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../helper/free-port.ts';
import type { RestOptions } from './rest-search.ts';

/** A hub without a window, as a person starts it, on a folder that goes with it. */
export interface HubProcess extends RestOptions {
  close(): Promise<void>;
}

/** `files`: what stands in its folder beforehand, by name. Resolves when it answers. */
export async function startHubProcess(files: Readonly<Record<string, unknown>>): Promise<HubProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'eval-hub-'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content));
  const port = await freePort();
  const start = join(import.meta.dirname, '..', '..', '..', 'build', 'start.mjs');
  const program = [start, '--headless', '--data-dir', folder, '--port', String(port)];
  const child = spawn(process.execPath, program, { stdio: 'ignore', env: environment() });
  const over = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await over;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(`${url}/healthz`);
    return { url, token: (await readFile(join(folder, 'admin.token'), 'utf8')).trim(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Environment of the hub, without a proxy between it and this machine. */
function environment() {
  const { PATH, HOME } = process.env;
  return { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) };
}

async function answers(url: string): Promise<void> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`the hub does not answer at ${url}`);
}

/** Milliseconds; it may have to be built first. */
const patience = 120_000;
