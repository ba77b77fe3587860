import { stat } from 'node:fs/promises';
import { readCatalogueFile } from '../engine/catalogue/catalogue-file.ts';
import type { DataPaths } from '../engine/store/data-dir.ts';
import { connectHub, type HubGreeting } from './hub-connection.ts';
import { readJsonFile } from './json-file.ts';
import type { Launch } from './launch.ts';

export interface Diagnosis {
  /** True when a client that starts this bridge will be served. */
  readonly healthy: boolean;
  readonly text: string;
}

export interface DoctorOptions {
  readonly paths: DataPaths;
  readonly version: string;
  readonly launch: () => Promise<Launch | undefined>;
}

type HubFinding = HubGreeting | { readonly kind: 'absent'; readonly record: unknown };

/** Looks at everything the bridge depends on and says what it means; changes nothing. */
export async function examine(options: DoctorOptions): Promise<Diagnosis> {
  const { paths, version } = options;
  const [hub, launch, catalogue] = await Promise.all([
    findHub(paths, version),
    options.launch(),
    describeCatalogue(paths.catalogue),
  ]);
  const rows = [
    ['program', `patchbay-bridge ${version}, connects an MCP client to Patchbay`],
    ['data folder', paths.dir],
    ['socket', paths.socket],
    ['Patchbay', describeHub(hub)],
    ['catalogue', catalogue],
    ['start command', launch === undefined ? 'none known' : [launch.command, ...launch.args].join(' ')],
    ['what to do', advise(hub, launch)],
  ] as const;
  const text = rows.map(([label, value]) => `${label.padEnd(14)} ${value}\n`).join('');
  const canStart = hub.kind === 'absent' && launch !== undefined;
  return { healthy: hub.kind === 'connected' || canStart, text };
}

async function findHub(paths: DataPaths, version: string): Promise<HubFinding> {
  try {
    const found = await connectHub(paths.socket, { version }, AbortSignal.timeout(patience));
    if (found.kind === 'connected') await hangUp(found);
    return found;
  } catch {
    return { kind: 'absent', record: await readJsonFile(paths.hub) };
  }
}

async function hangUp({ transport }: Extract<HubGreeting, { kind: 'connected' }>): Promise<void> {
  await transport.start({ message: () => {}, closed: () => {} });
  await transport.close();
}

function describeHub(hub: HubFinding): string {
  switch (hub.kind) {
    case 'connected':
      return `running, version ${hub.version}, process ${hub.pid}`;
    case 'refused':
      return `running, but refuses this bridge (${hub.problem.code}): ${hub.problem.sentence}`;
    case 'absent':
      return hub.record === undefined ? 'not running' : 'not running, though its lock file is there';
  }
}

async function describeCatalogue(file: string): Promise<string> {
  const stored = await readCatalogueFile(file);
  if (stored.kind === 'missing') return 'none yet: tools are listed once Patchbay has run';
  if (stored.kind !== 'catalogue') return `cannot be used (${stored.kind}): ${file}`;
  const { mtime } = await stat(file);
  const { servers } = stored.catalogue;
  const tools = servers.reduce((sum, { offer, disabledTools }) => {
    return sum + offer.tools.filter(({ name }) => !disabledTools.has(String(name))).length;
  }, 0);
  return `${tools} tools of ${servers.length} servers, saved ${mtime.toISOString()}`;
}

function advise(hub: HubFinding, launch: Launch | undefined): string {
  if (hub.kind === 'connected') return 'nothing, all is well';
  if (hub.kind === 'refused') return hub.problem.fix;
  return launch === undefined
    ? 'open Patchbay once, so that it can be started from here next time'
    : 'nothing: Patchbay is started when a client needs it';
}

const patience = 5_000;
