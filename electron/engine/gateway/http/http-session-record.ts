import { z } from 'zod';
import { nameStyles } from '../../../../shared/model/client/client.ts';
import { type ListMethod, listMethods } from '../../../../shared/model/mcp.ts';
import { logLevels, type McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import type { HttpSessionOptions } from './http-guard.ts';

/** Stores sessions across restarts; errors do not affect sessions. */
export interface HttpSessionStorage {
  load(since: number): Promise<readonly StoredRow[]>;
  save(idHash: string, read: () => StoredRow | undefined): void;
  /** Resolves when all pending writes have completed or failed. */
  flush(): Promise<unknown>;
}

interface StoredRow {
  readonly idHash: string;
  /** Identity or token hash that may resume the session. */
  readonly holder: string;
  readonly data: string;
  readonly seenAt: number;
}

/** Record of a session for the next hub; the session may be of an earlier hub itself. */
export interface HttpSessionRecord {
  /** Digest of the session id. */
  readonly idHash: string;
  readonly holder: string;
  readonly options: HttpSessionOptions;
  seenAt: number;
  /** Params of the client's `initialize`; absent before it. */
  params?: unknown;
  level?: McpLogLevel | undefined;
  readonly subscriptions: Set<string>;
  /** Digests of the client's lists, by method. */
  readonly lists: Map<ListMethod, string>;
}

export function newRecord(idHash: string, holder: string, options: HttpSessionOptions): HttpSessionRecord {
  return { idHash, holder, options, seenAt: 0, subscriptions: new Set(), lists: new Map() };
}

/** Maximum characters per session, because clients may send any amount of data about themselves. */
const maxDataLength = 64 * 1024;

/** Returns undefined for a session that cannot be resumed: not initialized, or too large. */
export function writeRow(record: HttpSessionRecord): StoredRow | undefined {
  const { idHash, holder, options, seenAt, params, level, subscriptions, lists } = record;
  if (params === undefined) return undefined;
  const { only, profile, askedStyle, compact } = options;
  const state = { params, level, subscriptions: [...subscriptions], lists: Object.fromEntries(lists) };
  const data = JSON.stringify({ only, profile, askedStyle, compact, ...state });
  return data.length > maxDataLength ? undefined : { idHash, holder, data, seenAt };
}

const dataSchema = z.object({
  only: z.string().optional(),
  profile: z.string().optional(),
  askedStyle: z.enum(nameStyles).optional(),
  compact: z.boolean().optional(),
  params: z.unknown(),
  level: z.enum(logLevels).optional(),
  subscriptions: z.array(z.string()),
  lists: z.partialRecord(z.enum(listMethods), z.string()),
});

/** Returns undefined for a row that is not valid. */
export function readRow({ idHash, holder, data, seenAt }: StoredRow): HttpSessionRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return undefined;
  }
  const parsed = dataSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { params, level, subscriptions, lists, ...options } = parsed.data;
  return {
    idHash,
    holder,
    options: { ...options, identityId: /^identity (.*)$/s.exec(holder)?.[1] },
    seenAt,
    params,
    level,
    subscriptions: new Set(subscriptions),
    lists: new Map(
      listMethods.flatMap((method) => {
        const digest = lists[method];
        return digest === undefined ? [] : [[method, digest] as const];
      }),
    ),
  };
}
