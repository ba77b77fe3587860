import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../helper/temp-dir.ts';
import { within } from './within.ts';

/** The revisions whose required scenarios count: with sessions, and stateless. */
export type Revision = '2025-11-25' | '2026-07-28';

export interface Outcome {
  readonly scenario: string;
  readonly passed: boolean;
  /** The suite's message about a failure. */
  readonly reason: string;
}

/** The score of one path through Patchbay. */
export interface Score {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
}

export interface ScoredSet {
  readonly name: string;
  readonly run: () => Promise<readonly Outcome[]>;
}

type Leg = 'server' | 'client';

/** The official suite as installed in `folder`. */
export interface Suite {
  /** The required server scenarios against this address; of the revision with sessions by default. */
  server(url: string, revision?: Revision): Promise<readonly Outcome[]>;
  /** The required client scenarios with this command, which is given the address of a server as its last argument. */
  client(command: string, revision?: Revision): Promise<readonly Outcome[]>;
}

export async function createSuite(folder: string): Promise<Suite> {
  const required = {
    '2025-11-25': await requirementsOf(folder, '2025-11-25'),
    '2026-07-28': await requirementsOf(folder, '2026-07-28'),
  };
  const cli = join(folder, 'dist', 'index.js');

  /** Calls the suite, which writes what it finds to a folder, and reads there. */
  function run(leg: Leg, scenarios: readonly string[], ...args: readonly string[]) {
    return within(tempDir(), async ({ path }) => {
      await runToEnd([cli, leg, ...args, '--timeout', '240000', '-o', path], join(folder, '.compiled'));
      return await Promise.all(scenarios.map((scenario) => outcomeOf(path, leg, scenario)));
    });
  }

  /** One by one, since the set as a whole brings scenarios along that are not required and take minutes. */
  async function client(command: string, revision: Revision = '2025-11-25'): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const scenario of required[revision].client) {
      const flags = ['--command', command, '--scenario', scenario, '--spec-version', revision];
      outcomes.push(...(await run('client', [scenario], ...flags)));
    }
    return outcomes;
  }

  return {
    server: (url, revision = '2025-11-25') =>
      run('server', required[revision].server, '--url', url, '--requirements', revision),
    client,
  };
}

async function requirementsOf(folder: string, revision: Revision) {
  const text = await readFile(join(folder, 'requirements', `${revision}.yaml`), 'utf8');
  return { server: listOf(text, 'server'), client: listOf(text, 'client') };
}

/** One list of the requirements file: `name:` and the `- item` lines below it. */
function listOf(text: string, name: string): readonly string[] {
  const block = new RegExp(`^${name}:\\n((?:  - .*\\n)+)`, 'm').exec(text)?.[1] ?? '';
  return [...block.matchAll(/^ {2}- (\S+)$/gm)].map(([, scenario = '']) => scenario);
}

/**
 * Runs the suite. Its exit code also counts optional scenarios and its output is long, so only the files that
 * it writes are used. Node keeps its compiled modules in the folder `compiled`, which spares each start a fifth.
 */
async function runToEnd(args: readonly string[], compiled: string): Promise<void> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, args, { stdio: 'ignore', env });
  await once(child, 'exit');
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

/** The suite writes the checks of each scenario to a folder of its own. */
async function outcomeOf(results: string, leg: Leg, scenario: string): Promise<Outcome> {
  const pattern = new RegExp(`^(${leg}-)?${scenario.replaceAll('/', '[/-]')}-\\d{4}-`);
  const entries = await readdir(results, { recursive: true });
  const file = entries.find((entry) => entry.endsWith('checks.json') && pattern.test(entry));
  if (file === undefined) return { scenario, passed: false, reason: 'the scenario did not run to its end' };
  const checks: readonly Check[] = JSON.parse(await readFile(join(results, file), 'utf8'));
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const proven = checks.some(({ status }) => status === 'SUCCESS');
  const reason = failed
    .map(({ id, errorMessage = 'no reason given' }) => `${id}: ${errorMessage}`)
    .join('; ');
  return { scenario, passed: failed.length === 0 && proven, reason };
}
