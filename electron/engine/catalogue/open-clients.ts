import { isRecord } from '../../../shared/json.ts';
import { readTextIfExists } from '../store/atomic-file.ts';

/**
 * The local clients that may use everything, which decides what a bridge may list while no hub runs. `others`
 * applies to all clients that are not named.
 */
export interface OpenClients {
  readonly others: boolean;
  readonly names: readonly string[];
}

/** Used as long as nothing has been configured. */
export const openToAll: OpenClients = { others: true, names: [] };

const fileVersion = 1;

export function formatOpenClients(clients: OpenClients): string {
  return JSON.stringify({ version: fileVersion, ...clients });
}

/**
 * Grants nothing if the file cannot be read. Validated by hand, because the bridge reads it before its first
 * response.
 */
export async function readOpenClients(file: string): Promise<OpenClients> {
  try {
    const text = await readTextIfExists(file);
    return text === undefined ? openToAll : toOpenClients(JSON.parse(text));
  } catch {
    return openToNone;
  }
}

export function isOpenTo({ others, names }: OpenClients, clientNames: readonly string[]): boolean {
  return names.includes(identityName(clientNames)) !== others;
}

/**
 * Returns the identity name of a local client, for storage and display. `names` are ordered from most to
 * least reliable.
 */
export function identityName(names: readonly string[]): string {
  const firstName = names
    .map((name) => name.replace(invisibleCharacters, ' ').trim())
    .find((name) => name !== '');
  return firstName?.slice(0, maxNameLength) ?? 'unnamed client';
}

const maxNameLength = 200;

/** The same as in shared/model/access.ts, which is too large for the bridge. */
const invisibleCharacters =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

const openToNone: OpenClients = { others: false, names: [] };

function toOpenClients(value: unknown): OpenClients {
  if (!isRecord(value) || value.version !== fileVersion || typeof value.others !== 'boolean')
    return openToNone;
  const { others, names } = value;
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string')) return openToNone;
  return { others, names: names.map(String) };
}
