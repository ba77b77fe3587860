// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportPreview } from '../../../../shared/model/import/import-session.ts';
import { type ConnectHub, startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { eventually } from '../../../helper/eventually.ts';
import { suggested } from '../../../helper/importer.ts';
import { fixture } from '../../../helper/programs.ts';
import { withSlashes } from '../../../helper/with-slashes.ts';

const canary = 'canary-value-9d2';
const node = withSlashes(process.execPath);
const echo = withSlashes(fixture('echo'));

const files = {
  cursor: {
    file: '.cursor/mcp.json',
    text: `{\n  // mine\n  "theme": "dark",\n  "mcpServers": {\n    "x": { "command": "${node}", "args": ["${echo}"], "env": { "NAME": "n", "API_TOKEN": "${canary}" } }, // one\n    "y": { "command": "${node}", "args": ["${echo}"] }\n  }\n}\n`,
  },
  codex: {
    file: '.codex/config.toml',
    text: `# mine\nmodel = "o3"\n\n[mcp_servers.x]\ncommand = "${node}" # one\nargs = ["${echo}"]\nenv = { NAME = "n", API_TOKEN = "${canary}" }\n\n[mcp_servers.y]\ncommand = "${node}"\nargs = ["${echo}"]\n`,
  },
  goose: {
    file: `${process.platform === 'win32' ? 'AppData/Roaming/Block/goose/config' : '.config/goose'}/config.yaml`,
    text: `# mine\nGOOSE_PROVIDER: x\nextensions:\n  x:\n    type: stdio\n    cmd: ${node} # one\n    args: ["${echo}"]\n    envs:\n      NAME: n\n      API_TOKEN: ${canary}\n  y:\n    type: stdio\n    cmd: ${node}\n    args: ["${echo}"]\n`,
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    text: `{\n  // mine\n  "mcp": {\n    "x": { "type": "local", "command": ["${node}", "${echo}"], "environment": { "NAME": "n", "API_TOKEN": "${canary}" } }, // one\n    "y": { "type": "local", "command": ["${node}", "${echo}"], "enabled": true }\n  },\n  "theme": "x"\n}\n`,
  },
} as const;
/** The same entry as version 2 of opencode stores it. */
const nested = `{\n  "mcp": {\n    "servers": {\n      "x": { "type": "local", "command": ["${node}", "${echo}"] }\n    }\n  }\n}\n`;
const clients = Object.keys(files) as (keyof typeof files)[];

const read = (hub: ConnectHub, client?: string) => hub.engine.run('import.readApps', { client });

const statusOf = (hub: ConnectHub, key: string) =>
  hub.engine.servers().find((server) => server.key === key)?.status;

const journalOf = async (hub: ConnectHub) =>
  (await hub.engine.run('connect.journal', undefined)).records.map(({ action, done }) =>
    done ? action : `${action}?`,
  );

/** Imports the suggested servers and moves the given apps, as the window does after consent. */
async function takeOver(hub: ConnectHub, preview: ImportPreview, clients?: string[]) {
  const { session } = preview;
  const { undoId } = await hub.engine.run('import.add', suggested(preview));
  const apps = (
    await hub.engine.run('import.previewMove', { session, entries: [], ...(clients && { clients }) })
  ).apps;
  const ready = apps.flatMap(({ client, outcome }) =>
    outcome.kind === 'ready' ? [{ client, previewId: outcome.preview.previewId }] : [],
  );
  const result = await hub.engine.run('import.move', { session, apps: ready, ...(undoId && { undoId }) });
  return { offered: apps, ...result };
}

describe('servers moved from an app', () => {
  it('[PB-CLIENT-2] of opencode 2 are read where it keeps them, and leave from there', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.opencode.file, nested);
    const preview = await read(hub, 'opencode');
    expect(preview.entries.map(({ key }) => key)).toEqual(['x']);
    const { undoId } = await takeOver(hub, preview);
    const { mcp } = JSON.parse(await textOfFile(file));
    expect([Object.keys(mcp), Object.keys(mcp.servers)]).toEqual([['servers'], ['patchbay']]);
    expect((await hub.client('opencode')).status).toBe('connected');
    await hub.engine.run('import.undo', { undoId });
    expect(await textOfFile(file)).toBe(nested);
  });

  it.each(clients)(
    '[PB-CLIENT-2] [NFR-SEC1] of %s run here, and one entry stands in their place, until it is undone byte for byte',
    async (client) => {
      await using hub = await startConnectHub();
      const { file: name, text } = files[client];
      const file = await hub.put(name, text);
      const preview = await read(hub, client);
      expect(preview.apps).toMatchObject([{ client, file, servers: 2 }]);
      expect(JSON.stringify(preview)).not.toContain(canary);
      const { session } = preview;
      const { added, failed, secrets, undoId = '' } = await hub.engine.run('import.add', suggested(preview));
      expect({ added, failed, secrets }).toEqual({ added: ['x', 'y'], failed: [], secrets: ['API_TOKEN'] });
      const [app] = (await hub.engine.run('import.previewMove', { session, entries: [] })).apps;
      expect(app).toMatchObject({ client, servers: ['x', 'y'], outcome: { kind: 'ready' } });
      expect(JSON.stringify(app)).not.toContain(canary);
      expect(await textOfFile(file)).toBe(text);
      const previewId = app?.outcome.kind === 'ready' ? app.outcome.preview.previewId : '';
      const moved = await hub.engine.run('import.move', { session, apps: [{ client, previewId }], undoId });
      expect(moved).toMatchObject({ apps: [{ client, files: [{ kind: 'written', file }] }], undoId });
      await eventually(() =>
        expect(['x', 'y'].map((key) => statusOf(hub, key))).toEqual(['connected', 'connected']),
      );

      const changed = await textOfFile(file);
      expect(changed).toContain('mine');
      expect(changed).toContain('patchbay');
      expect(changed).not.toContain(canary);
      expect((await hub.client(client)).status).toBe('connected');
      expect((await hub.engine.run('connect.prove', { id: client })).problem).toBeUndefined();
      expect(await readFile(join(hub.dataDir, 'mcp.json'), 'utf8')).not.toContain(canary);

      await hub.engine.run('import.undo', { undoId });
      expect(await textOfFile(file)).toBe(text);
      expect(hub.engine.servers()).toEqual([]);
      expect((await hub.engine.run('secret.list', undefined)).secrets).toEqual([]);
      expect((await hub.client(client)).status).toBe('found');
      expect(await journalOf(hub)).toEqual(['undo', 'connect']);
    },
  );

  it.each(clients)(
    '[PB-CLIENT-2] go from %s although they were here before, and come back with a disconnect',
    async (client) => {
      await using hub = await startConnectHub({
        servers: { mine: { command: node, args: [echo], env: { NAME: 'n', API_TOKEN: canary } } },
      });
      const { file: name, text } = files[client];
      const file = await hub.put(name, text);
      const preview = await read(hub, client);
      expect(preview.entries.map(({ duplicate, suggested: isNew }) => [duplicate?.key, isNew])).toEqual([
        ['mine', false],
        [undefined, true],
      ]);
      await takeOver(hub, preview);
      const left = await textOfFile(file);
      expect(left).not.toContain(canary);
      expect(left).toContain('patchbay-bridge');
      expect(left).toContain('mine');
      await hub.engine.run('connect.undo', { id: client });
      expect(await textOfFile(file)).toBe(text);
      expect(hub.engine.servers().map(({ key }) => key)).toEqual(['mine', 'y']);
    },
  );

  it('[PB-CLIENT-2] come back to an app that was connected before, which stays connected', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    await hub.connected('cursor');
    const connected = await textOfFile(file);
    const { undoId } = await takeOver(hub, await read(hub, 'cursor'));
    expect(await textOfFile(file)).not.toContain(canary);
    await hub.engine.run('import.undo', { undoId });
    expect(await textOfFile(file)).toBe(connected);
    expect((await hub.client('cursor')).status).toBe('connected');
    await hub.engine.run('connect.undo', { id: 'cursor' });
    expect(await textOfFile(file)).toBe(files.cursor.text);
    expect(await journalOf(hub)).toEqual(['undo', 'put-back', 'connect', 'connect']);
  });

  it('[PB-CLIENT-2] of a connected app go back to the byte as they were before both writes', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.codex.file, files.codex.text);
    await hub.connected('codex');
    await takeOver(hub, await read(hub, 'codex'));
    await hub.engine.run('connect.undo', { id: 'codex' });
    expect(await textOfFile(file)).toBe(files.codex.text);
  });

  it('[PB-CLIENT-2] come back beside what has changed in the app since', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const { undoId } = await takeOver(hub, await read(hub, 'cursor'));
    const changed = (await textOfFile(file)).replace('"dark"', '"light"');
    await writeFile(file, changed);
    await hub.engine.run('import.undo', { undoId });
    expect(await textOfFile(file)).toBe(files.cursor.text.replace('"dark"', '"light"'));
  });

  it('[PB-CLIENT-2] come back one by one if the app has rewritten its file', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const { undoId } = await takeOver(hub, await read(hub, 'cursor'));
    const { patchbay } = JSON.parse(
      (await textOfFile(file)).replace('// mine', '').replace('// one', ''),
    ).mcpServers;
    await writeFile(file, JSON.stringify({ mcpServers: { z: { command: 'z' }, patchbay } }));
    await hub.engine.run('import.undo', { undoId });
    const { mcpServers } = JSON.parse(await textOfFile(file));
    expect(Object.keys(mcpServers).sort()).toEqual(['x', 'y', 'z']);
    expect(mcpServers.x.env.API_TOKEN).toBe(canary);
  });

  it('[PB-CLIENT-2] stay in the app if only some are imported, or if moving was not asked for', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const preview = await read(hub, 'cursor');
    const { session } = preview;
    expect((await hub.engine.run('import.previewMove', { session, entries: [] })).apps).toEqual([]);
    const [first] = suggested(preview).entries;
    await hub.engine.run('import.add', { ...suggested(preview), entries: first ? [first] : [] });
    expect(await textOfFile(file)).toBe(files.cursor.text);
    const [app] = (await hub.engine.run('import.previewMove', { session, entries: [] })).apps;
    expect(app?.servers).toEqual(['x']);
  });

  it('[PB-CLIENT-2] stay in the app that starts one which is turned off here', async () => {
    await using hub = await startConnectHub({
      servers: { off: { command: node, args: [echo], disabled: true } },
    });
    await hub.put(files.cursor.file, files.cursor.text);
    const { session } = await read(hub, 'cursor');
    expect((await hub.engine.run('import.previewMove', { session, entries: [] })).apps).toEqual([]);
  });

  it('[PB-CLIENT-2] are still added when the file of the app cannot be written', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const preview = await read(hub, 'cursor');
    await writeFile(file, '{ broken');
    const { offered } = await takeOver(hub, preview);
    expect(offered).toMatchObject([
      { outcome: { kind: 'refused', problem: { code: 'client.config_unusable' } } },
    ]);
    expect(hub.engine.servers().map(({ key }) => key)).toEqual(['x', 'y']);
    expect(await textOfFile(file)).toBe('{ broken');
  });

  it('[PB-CLIENT-2] are removed from an app exactly as previewed, or not at all', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const preview = await read(hub, 'cursor');
    const { session } = preview;
    const { undoId } = await hub.engine.run('import.add', suggested(preview));
    const [app] = (await hub.engine.run('import.previewMove', { session, entries: [] })).apps;
    const previewId = app?.outcome.kind === 'ready' ? app.outcome.preview.previewId : '';
    const changed = files.cursor.text.replace('"dark"', '"light"');
    await writeFile(file, changed);
    const apps = [{ client: 'cursor', previewId }];
    const result = await hub.engine.run('import.move', { session, apps, ...(undoId && { undoId }) });
    expect(result.apps).toMatchObject([{ files: [], problem: { code: 'client.config_changed' } }]);
    expect(await textOfFile(file)).toBe(changed);
  });

  it('[PB-CLIENT-2] go from the projects of Claude Code too', async () => {
    await using hub = await startConnectHub();
    const x = { command: node, args: [echo] };
    const text = `${JSON.stringify({ numStartups: 3, projects: { '/srv/a': { mcpServers: { x }, history: [] } } }, undefined, 2)}\n`;
    const file = await hub.put('.claude.json', text);
    await takeOver(hub, await read(hub, 'claude-code'));
    expect(JSON.parse(await textOfFile(file))).toMatchObject({
      projects: { '/srv/a': { mcpServers: {}, history: [] } },
      mcpServers: { patchbay: { type: 'stdio' } },
    });
    await hub.engine.run('connect.undo', { id: 'claude-code' });
    expect(await textOfFile(file)).toBe(text);
  });

  it('[PB-CLIENT-2] [NFR-SEC1] leave no secret in any file of ours but the encrypted ones and the copies of theirs', async () => {
    await using hub = await startConnectHub();
    await hub.put(files.cursor.file, files.cursor.text);
    await takeOver(hub, await read(hub, 'cursor'));
    for (const name of await readdir(hub.dataDir, { recursive: true })) {
      const text = await readFile(join(hub.dataDir, name), 'utf8').catch(() => '');
      if (text.includes(canary)) expect(name).toMatch(/^backups.cursor-/);
    }
  });
});
