import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { linkIn } from '../link/add-link.ts';

/** Options given by the user or program that started the app. */
export interface LaunchOptions {
  /** Start without showing a window: at login, or for a bridge. */
  readonly hidden: boolean;
  /** Open the form for a new server. */
  readonly addServer: boolean;
  /** A `patchbay:` link that was opened, unparsed; see link/add-link.ts. */
  readonly link?: string;
  /** Absolute path; absent for the default folder. */
  readonly dataDir?: string;
}

export type LaunchOptionsResult =
  | { readonly ok: true; readonly value: LaunchOptions }
  | { readonly ok: false; readonly message: string };

/**
 * Reads our own arguments and ignores all others: Chromium's switches and, unpackaged, the app's path are
 * among them. A relative folder is resolved against `cwd`.
 */
export function parseLaunchOptions(args: readonly string[], cwd: string): LaunchOptionsResult {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hidden: { type: 'boolean' },
      'add-server': { type: 'boolean' },
      'data-dir': { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
  });
  const dataDir = values['data-dir'];
  if (dataDir !== undefined && (typeof dataDir !== 'string' || dataDir === '')) {
    return { ok: false, message: '--data-dir needs a folder, for example --data-dir=/path/to/folder' };
  }
  const link = linkIn(args);
  return {
    ok: true,
    value: {
      hidden: values.hidden === true,
      addServer: values['add-server'] === true,
      ...(link === undefined ? {} : { link }),
      ...(dataDir === undefined ? {} : { dataDir: resolve(cwd, dataDir) }),
    },
  };
}
