import { readFile, rm } from 'node:fs/promises';
import { type Clock, delay } from '../base/clock.ts';
import { signalAll } from './process-set.ts';
import { startProcess } from './start-process.ts';

/** A container that a server's command line starts, as noted on disk: all it takes to remove it. */
export interface ContainerRecord {
  /** Id of the record, unique to this run of the server. */
  readonly id: string;
  readonly key: string;
  /** The tool that started it, with its general options. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Variables in the entry that say where the containers are, such as DOCKER_HOST. */
  readonly env: Readonly<Record<string, string>>;
  /** The container is called so, by us. */
  readonly name?: string;
  /** File to which the tool writes the container's id. */
  readonly cidfile?: string;
  /** The file is ours and goes with it. */
  readonly ownsFile?: boolean;
  /** Whether anonymous volumes are removed too, as with `--rm`. */
  readonly withVolumes?: boolean;
  /** How often it could not be removed. */
  readonly failures?: number;
}

export interface RemoveOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
}

/** Removes the container of a record, whatever runs in it; false if the tool could not. */
export async function removeContainer(record: ContainerRecord, options: RemoveOptions): Promise<boolean> {
  const container = record.name ?? (await readId(record.cidfile));
  const isRemoved = container === undefined || (await runRemove(record, container, options));
  if (isRemoved && record.ownsFile && record.cidfile !== undefined) await rm(record.cidfile, { force: true });
  return isRemoved;
}

/** Reads a record from disk; undefined for what is none. */
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

/** Undefined where none was written: then no container was made. */
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
  const exit = await Promise.race([exited, delay(clock, patienceMs, settled.signal)]);
  settled.abort();
  if (exit === undefined) await signalAll([pid], 'SIGKILL');
  return exit?.code === 0;
}

/** Milliseconds that the tool may take. */
const patienceMs = 10_000;
