import { stat } from 'node:fs/promises';
import { type Problem, toProblem } from '../../shared/error/problem.ts';
import { formatCount } from '../../shared/model/amount.ts';
import { readCatalogueFile } from '../engine/catalogue/catalogue-file.ts';
import type { CatalogueServer } from '../engine/catalogue/contract.ts';
import type { DataPaths } from '../engine/store/files/data-dir.ts';
import { type HubRecord, readRunningHub } from '../engine/store/files/instance-lock.ts';
import { hubSocket } from '../engine/store/files/socket-location.ts';
import { hubTurnedOff, isTurnedOff } from '../engine/store/files/turned-off.ts';
import { hubSilent } from './bridge-problem.ts';
import { examineFolder, readJsonFile } from './data-folder.ts';
import { connectHub, type HubHandshake } from './hub-connection.ts';
import { commandText, type Launch } from './launch.ts';

export interface Diagnosis {
  /** True if a client that starts this bridge will be served: there is nothing to do. */
  readonly healthy: boolean;
  readonly text: string;
}

export interface DoctorOptions {
  readonly paths: DataPaths;
  readonly version: string;
  readonly launch: () => Promise<Launch | undefined>;
}

/** Result of one check, and what to do about it. */
interface Finding {
  readonly text: string;
  readonly todo?: string;
}

type HubState = HubHandshake | { readonly kind: 'absent' };

/** Checks everything the bridge depends on and explains it; changes nothing. */
export async function runDoctor(options: DoctorOptions): Promise<Diagnosis> {
  const { paths, version } = options;
  const [hub, owner, launch, folder, catalogue] = await Promise.all([
    findHub(paths, version),
    readRunningHub(paths.hub),
    options.launch(),
    judgeFolder(paths),
    judgeCatalogue(paths.catalogue),
  ]);
  const isDown = hub.kind === 'absent' && owner === undefined;
  const findings = {
    program: { text: `patchbay-bridge ${version}, connects an MCP client to Patchbay` },
    'data folder': folder,
    socket: await judgeSocket(paths),
    Patchbay: isDown ? await describeAbsence(paths) : judgeHub(hub, owner),
    catalogue,
    'start command': judgeLaunch(launch, isDown),
  };
  const todos = Object.values(findings).flatMap(({ todo }: Finding) => (todo === undefined ? [] : [todo]));
  const rows = Object.entries(findings).map(([label, { text }]) => row(label, text));
  const advice = todos.length > 0 ? todos : [isDown ? startsAutomatically : 'nothing, everything works'];
  return {
    healthy: todos.length === 0,
    text: [...rows, ...advice.map((todo, nr) => row(nr === 0 ? 'what to do' : '', todo))].join(''),
  };
}

function row(label: string, text: string): string {
  return `${label.padEnd(14)} ${text}\n`;
}

async function findHub(paths: DataPaths, version: string): Promise<HubState> {
  try {
    const found = await connectHub(
      await hubSocket(paths),
      { version, probe: true },
      AbortSignal.timeout(helloTimeoutMs * 2),
      helloTimeoutMs,
    );
    if (found.kind === 'connected') await disconnect(found);
    return found;
  } catch {
    return { kind: 'absent' };
  }
}

async function judgeSocket(paths: DataPaths): Promise<Finding> {
  try {
    return { text: await hubSocket(paths) };
  } catch (error) {
    return problemFinding(`${paths.socket}, cannot be trusted`, toProblem(error));
  }
}

async function disconnect({ transport }: Extract<HubHandshake, { kind: 'connected' }>): Promise<void> {
  await transport.start({ message: () => {}, closed: () => {} }).catch(() => {});
  await transport.close();
}

function judgeHub(hub: HubState, owner: HubRecord | undefined): Finding {
  switch (hub.kind) {
    case 'connected':
      return { text: `running, version ${hub.version}, process ${hub.pid}` };
    case 'refused':
      return problemFinding('running, but refuses this bridge', hub.problem);
    case 'silent':
    case 'absent':
      return problemFinding('running, but does not respond', hubSilent(owner?.pid));
  }
}

/** Explains why no hub is running. The next hub takes over a record whose process has ended. */
async function describeAbsence(paths: DataPaths): Promise<Finding> {
  if (await isTurnedOff(paths)) return problemFinding('turned off until you open it', hubTurnedOff());
  const left = (await readJsonFile(paths.hub)) !== undefined;
  return { text: left ? 'not running; it ended unexpectedly, which did no harm' : 'not running' };
}

async function judgeFolder(paths: DataPaths): Promise<Finding> {
  const found = await examineFolder(paths);
  if (found.kind === 'unusable') return problemFinding(`${paths.dir}, cannot be used`, found.problem);
  return {
    text:
      found.kind === 'usable' ? paths.dir : `${paths.dir}, does not exist yet; the first start creates it`,
  };
}

async function judgeCatalogue(file: string): Promise<Finding> {
  const stored = await readCatalogueFile(file);
  switch (stored.kind) {
    case 'missing':
      return { text: 'none yet: tools appear once Patchbay has run' };
    case 'damaged':
      return { text: `damaged; Patchbay rewrites it when it runs: ${file}` };
    case 'newer': {
      const todo = 'restart the client, so that it starts the current bridge';
      return { text: `written by a newer Patchbay than this bridge: ${file}`, todo };
    }
    case 'catalogue': {
      const { mtime } = await stat(file);
      const { servers } = stored.catalogue;
      const tools = servers.reduce((sum, server) => sum + countListed(server), 0);
      const held = servers.reduce((sum, { heldTools }) => sum + heldTools.size, 0);
      const wait = held === 0 ? '' : `, ${held} more blocked until reviewed (patchbay guard list)`;
      return {
        text: `${formatCount(tools, 'tool')} from ${formatCount(servers.length, 'server')}${wait}, saved ${mtime.toISOString()}`,
      };
    }
  }
}

function countListed({ offer, disabledTools, heldTools }: CatalogueServer): number {
  const withheld = new Set([...disabledTools, ...heldTools]);
  return offer.tools.filter(({ name }) => !withheld.has(String(name))).length;
}

function judgeLaunch(launch: Launch | undefined, isNeeded: boolean): Finding {
  if (launch !== undefined) return { text: commandText(launch) };
  return isNeeded ? { text: 'none known', todo: openOnceAdvice } : { text: 'none known' };
}

function problemFinding(what: string, { code, sentence, fix }: Problem): Finding {
  return { text: `${what} (${code}): ${sentence}`, todo: fix };
}

const openOnceAdvice =
  'open Patchbay once, or run "patchbay serve", so that the bridge can start it next time';
const startsAutomatically = 'nothing: a client that needs Patchbay starts it';
/** Milliseconds a hub may take to answer the hello. */
const helloTimeoutMs = 2_000;
