import type { z } from 'zod';
import { accessOperations } from './access.ts';
import { activityOperations } from './activity.ts';
import { auditOperations } from './audit.ts';
import { backupOperations } from './backups.ts';
import { clientOperations } from './clients.ts';
import { connectOperations } from './connect.ts';
import { guardOperations } from './guard.ts';
import { hubOperations } from './hub.ts';
import { importOperations } from './import.ts';
import { limitOperations } from './limits.ts';
import type { Door } from './operation.ts';
import { profileOperations } from './profiles.ts';
import { searchOperations } from './search.ts';
import { secretOperations } from './secrets.ts';
import { serverOperations } from './servers.ts';
import { testerOperations } from './tester.ts';
import { toolOperations } from './tools.ts';

/**
 * All operations of a running hub. A row defines input and output, the notes for the audit log, and the doors
 * that lead to it; one handler in its room implements it. The window and the commands call operations by
 * name; REST has routes of its own (`api/route`), which run those behind `rest`.
 */
export const operations = {
  ...hubOperations,
  ...serverOperations,
  ...toolOperations,
  ...connectOperations,
  ...secretOperations,
  ...importOperations,
  ...testerOperations,
  ...activityOperations,
  ...accessOperations,
  ...guardOperations,
  ...clientOperations,
  ...profileOperations,
  ...limitOperations,
  ...auditOperations,
  ...searchOperations,
  ...backupOperations,
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = z.infer<Operations[N]['input']>;
export type OperationOutput<N extends OperationName> = z.infer<Operations[N]['output']>;

/** Names of the operations that are available through a door. */
export type OperationsBehind<D extends Door> = {
  [N in OperationName]: D extends Operations[N]['doors'][number] ? N : never;
}[OperationName];

/** Tells whether an operation of this name is available through a door. */
export function isBehind<D extends Door>(door: D, name: string): name is OperationsBehind<D> {
  if (!Object.hasOwn(operations, name)) return false;
  const doors: readonly Door[] = operations[name as OperationName].doors;
  return doors.includes(door);
}
