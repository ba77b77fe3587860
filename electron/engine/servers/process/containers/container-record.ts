import { readFile, rm } from 'node:fs/promises';
import { type Clock, delay } from '../../../base/clock.ts';
import { startProcess } from '../spawn-child.ts';
import { signalAll } from '../tree/process-set.ts';

/** A container started by a server's command line, as recorded on disk: all that is needed to remove it. */
export interface ContainerRecord {
  /** Id of the record, unique to this start of the server. */
  readonly id: string;
  readonly key: string;
  /** Tool that started it, with its general options. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables of the entry that say where the containers are, such as DOCKER_HOST. */
  readonly env: Readonly<Record<string, string>>;
  /** Name that we gave the container. */
  readonly name?: string;
  /** File to which the tool writes the container's id. */
  readonly cidfile?: string;
  /** True if the file is ours and is deleted with the container. */
  readonly ownsFile?: boolean;
  /** True if anonymous volumes are removed too, as with `--rm`. */
  readonly withVolumes?: boolean;
  /** Number of failed removals. */
  readonly failures?: number;
}

export interface RemoveOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
}

/** Removes the container of a record, even while it runs. Resolves with false if the tool failed. */
export async function removeContainer(record: ContainerRecord, options: RemoveOptions): Promise<boolean> {
  const container = record.name ?? (await readId(record.cidfile));
  const isRemoved = container === undefined || (await runRemove(record, container, options));
  if (isRemoved && record.ownsFile && record.cidfile !== undefined) await rm(record.cidfile, { force: true });
  return isRemoved;
}

/** Validates a record from disk; returns undefined if it is not valid. */
export function readContainerRecord(value: unknown): ContainerRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Partial<Record<keyof ContainerRecord, unknown>>;
  const texts = [record.id, record.key, record.file, record.cwd];
  const isWhole =
    texts.every(isText) &&
    Array.isArray(record.args) &&
    record.args.every(isText) &&
    typeof record.env === 'object' &&
    record.env !== null &&
    Object.values(record.env).every(isText) &&
    (isText(record.name) || isText(record.cidfile));
  return isWhole ? (value as ContainerRecord) : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns undefined if no id was written, which means that no container was created. */
async function readId(file: string | undefined): Promise<string | undefined> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  return /^[0-9a-f]{12,64}$/.exec(text.trim())?.[0];
}

async function runRemove(
  { file, args, cwd, withVolumes, ...record }: ContainerRecord,
  container: string,
  { clock, env }: RemoveOptions,
): Promise<boolean> {
  const remove = [...args, 'rm', '-f', ...(withVolumes ? ['-v'] : []), container];
  const program = { file, args: remove, env: { ...env, ...record.env }, cwd };
  const started = await startProcess(program).catch(() => undefined);
  if (started === undefined) return false;
  const { pid, stdin, stdout, stderr, exited } = started;
  stdin.on('error', () => undefined);
  stdin.end();
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined).resume();
  const settled = new AbortController();
  const exit = await Promise.race([exited, delay(clock, removeTimeoutMs, settled.signal)]);
  settled.abort();
  if (exit === undefined) await signalAll([pid], 'SIGKILL');
  return exit?.code === 0;
}

/** Milliseconds that the tool may take. */
const removeTimeoutMs = 10_000;
