import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { ConnectClient, ConnectFile, ConnectStatus } from '../../../shared/model/client/connect.ts';
import type { FoundFile } from './config-locations.ts';
import type { ClientRecord, Connection } from './journal/connections.ts';
import type { NameRule } from './proof/name-rule.ts';
import type { ClientRow } from './table/client-row.ts';

export interface ViewFacts {
  readonly found: readonly FoundFile[];
  readonly record: ClientRecord;
  readonly rule: NameRule;
  /** True if there is a bundle to install. */
  readonly hasBundle: boolean;
}

/** Describes a client as the window lists it. */
export function clientView(row: ClientRow, { found, record, rule, hasBundle }: ViewFacts): ConnectClient {
  const files = filesOf(found, record);
  const status = statusOf(row, files);
  const connections = record.connections;
  const decisive = connections.find((connection) => connection.status === status);
  const wipes = Math.max(0, ...connections.map((connection) => connection.wipes));
  const bundle = hasBundle && row.bundle === true;
  const why = decisive === undefined ? undefined : connectionProblem(row, decisive, bundle);
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    status,
    files,
    canLocate: row.canLocate,
    since: decisive?.since,
    wipes,
    problem: why,
    proof: record.proof,
    pickup: row.pickup,
    pickupText: row.pickupText,
    bundle,
    suggestBundle: bundle && wipes >= wipesBeforeBundle,
    canUndo: connections.length > 0,
    clientNames: [...row.clientNames],
    limits: {
      nameLength: rule.budget,
      tools: rule.toolCap,
      hearsChanges: rule.honoursListChanged,
    },
  };
}

/** After this many removals, restoring the entry again would only continue the fight with another program. */
const wipesBeforeBundle = 2;

function filesOf(found: readonly FoundFile[], { connections, chosen }: ClientRecord): readonly ConnectFile[] {
  const missing = connections.filter(({ file }) => !found.some((one) => one.file === file));
  return [...found, ...missing.map(({ file }) => ({ file, exists: false }))].map(({ file, exists }) => ({
    file,
    exists,
    chosen: file === chosen,
    status: connections.find((connection) => connection.file === file)?.status ?? 'found',
  }));
}

const statusesBySeverity = ['wiped', 'changed', 'connected', 'found'] as const;

function statusOf(row: ClientRow, files: readonly ConnectFile[]): ConnectStatus {
  if (row.places === undefined && !row.canLocate) return 'manual';
  return statusesBySeverity.find((status) => files.some((file) => file.status === status)) ?? 'not-found';
}

function connectionProblem(
  { title }: ClientRow,
  { status, file, wipes }: Connection,
  bundle: boolean,
): Problem | undefined {
  if (status === 'connected') return undefined;
  if (status === 'changed') {
    const sentence = `Patchbay’s entry in the config file of ${title} was changed, or the file can no longer be read.`;
    const fix = 'Restore the entry, or keep it this way if you changed it.';
    return problem('client.config_edited', sentence, fix, { file });
  }
  const sentence = `Another program removed Patchbay from the config file of ${title}.`;
  const often = wipes >= wipesBeforeBundle && bundle;
  const fix = often
    ? 'This has happened before. Install the bundle instead: it does not depend on that file.'
    : `Restore the entry while ${title} is quit.`;
  return problem('client.config_wiped', sentence, fix, { file, times: wipes });
}
