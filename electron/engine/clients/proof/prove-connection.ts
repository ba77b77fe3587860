import type { ConnectProof } from '../../../../shared/model/client/connect.ts';
import { notConnected } from '../connect-problem.ts';
import { entryIn } from '../edit/entry-edit.ts';
import { withFormatProblems, withoutByteOrderMark } from '../edit/plan-edit.ts';
import { readClientFile } from '../file/client-file.ts';
import type { Entry } from '../format/contract.ts';
import { formatOf } from '../format/format-of.ts';
import type { Connection } from '../journal/connections.ts';
import type { Machine } from '../machine.ts';
import type { ConnectorOptions } from '../options.ts';
import type { ClientRow } from '../table/client-row.ts';
import type { Command } from '../table/entry-shape.ts';
import { prove } from './prove.ts';

/** Tests the entry in a client's file, with that client's name and its rule for names. */
export function proveConnection(
  row: ClientRow,
  connection: Connection,
  { machine, clock, rule }: Pick<ConnectorOptions, 'machine' | 'clock' | 'rule'>,
): Promise<ConnectProof> {
  const [clientName] = row.clientNames;
  return prove({
    file: connection.file,
    read: () => readWrittenCommand(row, connection),
    env: bareEnvironment(machine),
    clientName: clientName ?? row.title,
    rule: rule(clientName),
    clock,
  });
}

async function readWrittenCommand(row: ClientRow, { file, writes }: Connection): Promise<Command> {
  const { root, key } = writes[writes.length - 1] ?? writes[0];
  const format = await formatOf(row.format);
  const text = (await readClientFile(file)) ?? '';
  const entry = withFormatProblems(file, () => entryIn(format, withoutByteOrderMark(text), { root, key }));
  const command = row.shape.command((entry ?? {}) as Entry);
  if (command === undefined) throw notConnected(row.title);
  return command;
}

/** Returns the minimal environment that clients pass on; a written entry must work with it. */
function bareEnvironment({ platform, home, env }: Machine): Readonly<Record<string, string>> {
  if (platform !== 'win32') return { HOME: home, PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };
  const kept = windowsNames.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const system = env.SYSTEMROOT ?? 'C:\\Windows';
  return { ...Object.fromEntries(kept), PATH: `${system}\\System32;${system}` };
}

/** Windows programs do not even start without these. */
const windowsNames = ['SYSTEMROOT', 'SYSTEMDRIVE', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP'] as const;
