import { open } from 'node:fs/promises';
import { arch, homedir, release, type as systemName } from 'node:os';
import { join } from 'node:path';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import { systemClock } from '../base/clock.ts';
import type { ConfiguredServer } from '../config/contract.ts';
import { createConfigStore } from '../config/store/store.ts';
import { openVault } from '../secrets/sign-ins.ts';
import { readTextIfExists } from '../store/files/atomic-file.ts';
import { type DataPaths, dataPaths } from '../store/files/data-dir.ts';
import type { SecretBox } from '../store/files/key-secret-box.ts';
import { type SecretVault, userSecretPrefix } from '../store/files/secret-vault.ts';
import { configText } from './config-text.ts';
import { knownValues } from './known-values.ts';
import { lineMasker } from './mask-lines.ts';
import { type LiveFacts, type ProgramFacts, supportText } from './sections.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SupportOptions {
  readonly ports: MakeSupportOptions['ports'] & { readonly inherited?: Environment };
  readonly settings: { readonly dataDir: string };
  readonly view: HubView;
}

type RunningFacts = LiveFacts & { readonly configured: readonly ConfiguredServer[] };

/** Returns a text with everything needed to find a fault, without secrets; `running` adds what a hub knows. */
export function supportBundle(
  program: ProgramFacts,
  { ports, settings: { dataDir }, view }: SupportOptions,
  running?: RunningFacts,
): Promise<string> {
  const { inherited: env = process.env } = ports;
  return makeSupport({ dataDir, env, ports, program, hub: view, running });
}

/** Creates a bundle of a data folder for programs other than its hub. */
export async function offlineSupport(
  dataDir: string,
  version: string,
  env: Environment,
  program: ProgramFacts,
): Promise<string> {
  const hub: HubView = {
    version,
    pid: process.pid,
    startedAt: 0,
    dataDir,
    configFile: '',
    revision: 0,
    problems: [],
  };
  return makeSupport({ dataDir, env, ports: {}, program, hub });
}

interface MakeSupportOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly ports: { readonly secretBox?: () => SecretBox | undefined };
  readonly program: ProgramFacts;
  readonly hub: HubView;
  /** Facts of this program's hub; without one, only files are read. */
  readonly running?: RunningFacts | undefined;
}

/** Builds a support bundle from a data folder and, if there is one, its hub. Writes nothing. */
async function makeSupport(options: MakeSupportOptions): Promise<string> {
  const { dataDir, env, ports, program, hub, running } = options;
  const paths = dataPaths(dataDir);
  const vault = anyVault(ports, paths, env);
  const servers = running?.configured ?? (await readServers(paths, env, vault));
  const mask = lineMasker({ secrets: await knownValues({ paths, vault, servers }), home: homedir() });
  const text = supportText({
    at: systemClock.now(),
    program: { ...program, Node: process.versions.node, system: `${systemName()} ${release()} ${arch()}` },
    hub,
    settings: await fileText(paths.settings),
    config: configText(await fileText(paths.config)),
    log: await tailOf(join(paths.logs, 'patchbay.log')),
    ...(running === undefined ? {} : { live: running }),
  });
  return mask(text);
}

/** An invalid `PATCHBAY_KEY` may be the reason for the bundle; values encrypted with it stay encrypted. */
function anyVault(ports: MakeSupportOptions['ports'], paths: DataPaths, env: Environment): SecretVault {
  try {
    return openVault({ ports, paths, env, clock: systemClock });
  } catch {
    return openVault({ ports, paths, env: {}, clock: systemClock });
  }
}

async function fileText(file: string): Promise<string> {
  return (await readTextIfExists(file).catch(() => undefined)) ?? '';
}

/** Reads the values that the config gives to servers, for masking; an unreadable config has none. */
async function readServers(
  paths: DataPaths,
  env: Environment,
  vault: SecretVault,
): Promise<readonly ConfiguredServer[]> {
  const listed = await vault.list().catch(() => []);
  const values = await Promise.all(
    listed.map(async ({ name }) => [name, await vault.get(name).catch(() => undefined)] as const),
  );
  const secretValues = new Map(values);
  try {
    const config = await createConfigStore({
      file: paths.config,
      env: () => env,
      secrets: {
        get: (name) => secretValues.get(userSecretPrefix + name),
        isClosed: (name) => secretValues.has(userSecretPrefix + name),
      },
      create: false,
    });
    const { servers } = config.state;
    config.dispose();
    return servers;
  } catch {
    return [];
  }
}

/** Returns the last lines of a file. Drops the first one, which may be incomplete. */
async function tailOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return 'There is no log file.';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - maxTailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxTailBytes), 0, maxTailBytes, start);
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    return lines
      .slice(start > 0 ? 1 : 0)
      .slice(-maxLines)
      .join('\n');
  } finally {
    await handle.close();
  }
}

const maxTailBytes = 128 * 1024;
const maxLines = 300;
