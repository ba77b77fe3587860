import { isDeepStrictEqual } from 'node:util';
import type { BackupPreview, RestoreHow } from '../../../shared/model/hub/backup.ts';
import { removeServer, restoreServer } from '../config/edit/edit.ts';
import { displayOf } from '../config/entry/display.ts';
import { mergeValue } from '../config/jsonc/merge-value.ts';
import { parseText } from '../config/jsonc/parse.ts';
import { plainValue } from '../config/jsonc/tree.ts';
import type { Backup } from './backup-file.ts';
import { type ParsedFiles, parseFiles } from './parse-files.ts';
import { type Setup, type SetupFiles, type SetupRows, validRows } from './setup.ts';

/* Plans the result of a restore, in pure functions. The vault is handled elsewhere. */

/** Compares a backup with the current setup; throws ProblemError for an unusable backup. */
export function previewOf(backup: Backup, here: SetupFiles): BackupPreview {
  const files = parseFiles(backup.files);
  const [there, known] = [serversOf(files), serversOf(parseUsable(here))];
  const bundled = new Set(backup.bundled);
  return {
    madeAt: backup.madeAt,
    madeBy: backup.madeBy,
    servers: [...there].map(([key, server]) => ({
      key,
      display: server.display,
      state: stateOf(server, known.get(key)),
      bundled: bundled.has(key),
    })),
    gone: [...known.keys()].filter((key) => !there.has(key)),
    settings: isDeepStrictEqual(files.settings, parseUsable(here).settings) ? 'same' : 'different',
    profiles: files.profiles.byName.size,
    identities: backup.rows.identity.length,
    approvals: backup.rows.tool_pin.filter(({ approved, blocked }) => approved !== null || blocked !== null)
      .length,
    secrets: backup.hasSecrets ? 'encrypted' : backup.vault === undefined ? 'none' : 'of-this-computer',
  };
}

/** Returns the setup that a restore results in. */
export function planRestore(
  backup: Backup,
  here: Setup,
  how: RestoreHow,
  tokens: Readonly<Record<string, string>>,
): Omit<Setup, 'vault'> {
  const files = parseFiles(backup.files);
  const rows = withTokens(backup.rows, tokens);
  if (how === 'replace') return { files: backup.files, rows: replacedRows(rows, here.rows) };
  const known = parseUsable(here.files);
  const keys = new Set(serversOf(known).keys());
  const added = new Set([...serversOf(files).keys()].filter((key) => !keys.has(key)));
  return {
    files: mergedFiles(files, backup.files, known, here.files, added),
    rows: mergedRows(rows, here.rows, added),
  };
}

interface Server {
  readonly value: unknown;
  readonly display: string;
}

function serversOf({ config }: ParsedFiles): ReadonlyMap<string, Server> {
  return new Map(
    config.servers.map(({ key, member }) => [
      key,
      { value: plainValue(member.value), display: displayOf(member.value) },
    ]),
  );
}

function stateOf(server: Server, known: Server | undefined) {
  if (known === undefined) return 'new';
  return isDeepStrictEqual(server.value, known.value) ? 'same' : 'different';
}

const emptyFiles: SetupFiles = { config: '{\n  "mcpServers": {}\n}\n' };

/** Treats each unusable current file as missing: the restore may be meant to repair it. */
function parseUsable(files: SetupFiles): ParsedFiles {
  const usable = (Object.keys(files) as (keyof SetupFiles)[]).filter((name) => {
    try {
      parseFiles({ ...emptyFiles, [name]: files[name] });
      return true;
    } catch {
      return false;
    }
  });
  return parseFiles({ ...emptyFiles, ...Object.fromEntries(usable.map((name) => [name, files[name]])) });
}

/** Adds servers to the current config; without additions the text stays byte for byte. */
function mergedFiles(
  files: ParsedFiles,
  texts: SetupFiles,
  known: ParsedFiles,
  here: SetupFiles,
  added: ReadonlySet<string>,
): SetupFiles {
  const { bom, body } = known.config.parsed;
  const config = [...added].reduce((text, key) => {
    const taken = removeServer(files.config.parsed.body, key);
    return taken === undefined ? text : restoreServer(text, { ...taken, after: '' });
  }, body);
  const { profileData: mine } = known;
  const theirs = files.profileData;
  const data = {
    ...mine,
    profiles: { ...theirs.profiles, ...mine.profiles },
    clients: { ...theirs.clients, ...mine.clients },
    ...(theirs.compact === undefined ? {} : { compact: { ...theirs.compact, ...mine.compact } }),
  };
  const ids = new Set(known.checks.map(({ id }) => id));
  const checks = [...known.checks, ...files.checks.filter(({ id }) => !ids.has(id))];
  return {
    ...here,
    config: bom + config,
    profiles: isDeepStrictEqual(data, mine) ? here.profiles : profilesText(here.profiles, data),
    search: here.search ?? texts.search,
    checks:
      checks.length === known.checks.length
        ? here.checks
        : `${JSON.stringify({ version: 1, checks }, undefined, 2)}\n`,
  };
}

function profilesText(here: string | undefined, data: unknown): string {
  const { bom, body, root } = parseText(here ?? '{}\n');
  return root === undefined ? `${JSON.stringify(data, undefined, 2)}\n` : bom + mergeValue(body, [], data);
}

function withTokens(rows: SetupRows, tokens: Readonly<Record<string, string>>): SetupRows {
  const identity = rows.identity.map((row) => ({
    ...row,
    token_hash: Object.hasOwn(tokens, row.id) ? (tokens[row.id] ?? null) : row.token_hash,
  }));
  return { ...rows, identity };
}

/**
 * Clients with the same name keep their current id, so that their sessions continue; clients known only on
 * this machine keep their access.
 */
function replacedRows(rows: SetupRows, here: SetupRows): SetupRows {
  const known = new Map(here.identity.map((row) => [nameOf(row), row]));
  const ids = new Map(
    rows.identity.flatMap((row) => {
      const match = known.get(nameOf(row));
      return match === undefined || row.token_hash !== null ? [] : [[row.id, match] as const];
    }),
  );
  const identity = rows.identity.map((row) => {
    const { id, token_hash, last_seen_at } = ids.get(row.id) ?? row;
    return { ...row, id, token_hash, last_seen_at };
  });
  const names = new Set(identity.map(nameOf));
  const others = here.identity.filter((row) => !names.has(nameOf(row)));
  const kept = new Set(others.map(({ id }) => id));
  return validRows({
    ...rows,
    identity: [...identity, ...others],
    mcp_policies: [
      ...rows.mcp_policies.map((row) => ({ ...row, agent_id: ids.get(row.agent_id)?.id ?? row.agent_id })),
      ...here.mcp_policies.filter(({ agent_id }) => kept.has(agent_id)),
    ],
  });
}

/** Adds clients that are unknown here, with their access, and decisions about added servers. */
function mergedRows(rows: SetupRows, here: SetupRows, added: ReadonlySet<string>): SetupRows {
  const names = new Set(here.identity.map(nameOf));
  const identity = rows.identity.filter((row) => !names.has(nameOf(row)));
  const addedIds = new Set(identity.map(({ id }) => id));
  const ids = new Set(here.mcp_servers.map(({ server_id }) => server_id));
  const servers = rows.mcp_servers.filter(
    ({ server_id, server_key }) => added.has(server_key) && !ids.has(server_id),
  );
  const replacedKeys = new Set(servers.map(({ server_key }) => server_key));
  const registered = new Set(servers.map(({ server_id }) => server_id));
  const known = new Set(here.skill_suggestion.map(({ id }) => id));
  return validRows({
    identity: [...here.identity, ...identity],
    mcp_policies: [
      ...here.mcp_policies,
      ...rows.mcp_policies.filter(({ agent_id }) => addedIds.has(agent_id)),
    ],
    tool_pin: [
      ...here.tool_pin.filter(({ server }) => !added.has(server)),
      ...rows.tool_pin.filter(({ server }) => added.has(server)),
    ],
    mcp_servers: [...here.mcp_servers.filter(({ server_key }) => !replacedKeys.has(server_key)), ...servers],
    mcp_tools: [...here.mcp_tools, ...rows.mcp_tools.filter(({ server_id }) => registered.has(server_id))],
    tool_skill: [
      ...here.tool_skill.filter(({ server }) => !added.has(server)),
      ...rows.tool_skill.filter(({ server }) => added.has(server)),
    ],
    skill_suggestion: [...here.skill_suggestion, ...rows.skill_suggestion.filter(({ id }) => !known.has(id))],
  });
}

function nameOf({ kind, name }: SetupRows['identity'][number]): string {
  return `${kind} ${name}`;
}
