import { z } from 'zod';
import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { parseJson } from '../../../../shared/json.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { readTextIfExists, writePrivateFile, writeProblem } from './atomic-file.ts';
import type { FileLock } from './file-lock.ts';
import type { SecretBox } from './key-secret-box.ts';

/**
 * Stores secrets in `secrets.json`, each encrypted by a box and tagged with its kind. All methods reject with
 * ProblemError: `hub.secrets_unreadable` for a damaged file or a value that cannot be decrypted,
 * `hub.newer_data` for a file of a later version. Neither is ever overwritten.
 */
export interface SecretVault {
  /** Kind of the box that encrypts new secrets. */
  readonly keeper: SecretBox['kind'];
  /** Reads from disk each time, to see changes by other processes. */
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Lists the stored secrets without decrypting them. */
  list(): Promise<readonly StoredSecret[]>;
  /** Returns one problem for each value that cannot be decrypted here; the value stays in the file. */
  problems(): Promise<readonly Problem[]>;
  /** Decrypts all stored secrets. */
  openAll(): Promise<readonly OpenSecret[]>;
  /**
   * Returns the text of a vault with these values: added to the stored ones, which take precedence, or
   * instead of them. Writes nothing.
   */
  textWith(values: readonly OpenSecret[], isAdded: boolean): Promise<string>;
}

/** A decrypted secret: never log it. */
export const openSecretsSchema = z.array(
  z.object({ name: z.string().max(500), value: z.string().max(1_000_000), at: z.number().optional() }),
);
export type OpenSecret = Readonly<z.infer<typeof openSecretsSchema>[number]>;

/** Facts about a stored secret that are known without decrypting it. */
export interface StoredSecret {
  readonly name: string;
  /** Kind of the box that encrypted it; may be unknown here if a later version wrote it. */
  readonly box: string;
  /** Absent for secrets stored by versions that did not record it. */
  readonly storedAt?: number;
  /** Unchanged as long as the secret is. */
  readonly sealed: string;
}

/** Prefix that separates the user's secrets from sign-ins in the same file. */
export const userSecretPrefix = 'secret:';

export interface SecretVaultOptions {
  readonly file: string;
  /** The first one encrypts; each decrypts its own values. */
  readonly boxes: readonly [SecretBox, ...SecretBox[]];
  /** Held while the file is changed. */
  readonly lock: FileLock;
  /** Provides the time at which a secret is stored. */
  readonly clock?: Pick<Clock, 'now'>;
}

export function createSecretVault({
  file,
  boxes,
  lock,
  clock = systemClock,
}: SecretVaultOptions): SecretVault {
  const change = (edit: (secrets: Secrets) => Promise<Secrets | undefined>) =>
    lock
      .run(async () => {
        const form = await readVault(file);
        const secrets = await edit(form.secrets);
        if (secrets !== undefined) await writeVault(file, { ...form, secrets });
      })
      .catch((error: unknown) => {
        throw writeProblem(file, error);
      });
  return {
    keeper: boxes[0].kind,
    async get(name) {
      const { secrets } = await readVault(file);
      const sealed = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      return sealed === undefined ? undefined : open(boxes, name, sealed);
    },
    set: (name, value) =>
      change(async (secrets) => {
        const [box] = boxes;
        return { ...secrets, [name]: { box: box.kind, value: await box.encrypt(value), at: clock.now() } };
      }),
    delete: (name) => change(async ({ [name]: gone, ...rest }) => (gone === undefined ? undefined : rest)),
    async list() {
      const { secrets } = await readVault(file);
      return Object.entries(secrets).map(([name, { box, value, at }]) => ({
        name,
        box,
        sealed: value,
        ...(at === undefined ? {} : { storedAt: at }),
      }));
    },
    async problems() {
      const { secrets } = await readVault(file);
      const found = Object.entries(secrets).map(([name, sealed]) =>
        open(boxes, name, sealed).then(
          () => [],
          (error: unknown) => [toProblem(error)],
        ),
      );
      return (await Promise.all(found)).flat();
    },
    async openAll() {
      const { secrets } = await readVault(file);
      const opened = Object.entries(secrets).map(async ([name, sealed]) => ({
        name,
        value: await open(boxes, name, sealed),
        ...(sealed.at === undefined ? {} : { at: sealed.at }),
      }));
      return Promise.all(opened);
    },
    async textWith(values, isAdded) {
      const form: VaultContent = isAdded ? await readVault(file) : { version, secrets: {} };
      const [box] = boxes;
      const sealed = await Promise.all(
        values.map(async ({ name, value, at }): Promise<readonly [string, Secrets[string]]> => {
          const closed = { box: box.kind, value: await box.encrypt(value) };
          return [name, at === undefined ? closed : { ...closed, at }];
        }),
      );
      return textOf({ ...form, secrets: { ...Object.fromEntries(sealed), ...form.secrets } });
    },
  };
}

/** Adds the missing entries of one vault to another, as text; undefined if either is invalid. */
export function mergeVaults(text: string | undefined, other: string): string | undefined {
  const form = vaultSchema.safeParse(text === undefined ? { version, secrets: {} } : parseJson(text));
  const more = vaultSchema.safeParse(parseJson(other));
  if (!form.success || !more.success) return undefined;
  return textOf({ ...form.data, secrets: { ...more.data.secrets, ...form.data.secrets } });
}

const version = 1;

const sealedSchema = z.looseObject({ box: z.string(), value: z.string(), at: z.number().optional() });
const vaultSchema = z.looseObject({
  version: z.literal(version),
  secrets: z.record(z.string(), sealedSchema),
});
const newerSchema = z.looseObject({ version: z.number().int().gt(version) });

type VaultContent = z.infer<typeof vaultSchema>;
type Secrets = VaultContent['secrets'];

async function readVault(file: string): Promise<VaultContent> {
  const text = await readTextIfExists(file);
  if (text === undefined) return { version, secrets: {} };
  const value = parseJson(text);
  const parsed = vaultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ProblemError(newerSchema.safeParse(value).success ? newerData(file) : damaged(file));
}

function writeVault(file: string, form: VaultContent): Promise<void> {
  return writePrivateFile(file, textOf(form));
}

function textOf(form: VaultContent): string {
  return `${JSON.stringify(form, undefined, 2)}\n`;
}

async function open(
  boxes: readonly SecretBox[],
  name: string,
  { box: kind, value }: z.infer<typeof sealedSchema>,
): Promise<string> {
  const box = boxes.find((candidate) => candidate.kind === kind);
  if (box === undefined) throw new ProblemError(undecryptable(name, kind));
  try {
    return await box.decrypt(value);
  } catch (cause) {
    throw new ProblemError(undecryptable(name, kind), { cause });
  }
}

function undecryptable(name: string, box: string): Problem {
  const shown = name.startsWith(userSecretPrefix) ? name.slice(userSecretPrefix.length) : name;
  const sentence = `The stored secret "${shown}" cannot be decrypted: it was encrypted with a different key.`;
  const fix = 'Start Patchbay the way it was started when the secret was stored, or enter the secret again.';
  return problem('hub.secrets_unreadable', sentence, fix, { secret: shown, 'encrypted with': box });
}

function newerData(file: string): Problem {
  const sentence = `${file} was written by a newer version of Patchbay.`;
  return problem('hub.newer_data', sentence, 'Update Patchbay. The file is left unchanged.', { file });
}

function damaged(file: string): Problem {
  const sentence = `${file} is not a valid secrets file; it was not changed.`;
  return problem('hub.secrets_unreadable', sentence, 'Restore the file from a backup, or delete it.', {
    file,
  });
}
