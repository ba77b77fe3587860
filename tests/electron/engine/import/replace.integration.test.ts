// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportPreview } from '../../../../shared/model/import-session.ts';
import { type ConnectHub, startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { eventually } from '../../../helper/eventually.ts';
import { suggested } from '../../../helper/importer.ts';
import { fixture } from '../../../helper/programs.ts';

const canary = 'canary-value-9d2';
const node = process.execPath;
const echo = fixture('echo');

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
    file: '.config/goose/config.yaml',
    text: `# mine\nGOOSE_PROVIDER: x\nextensions:\n  x:\n    type: stdio\n    cmd: ${node} # one\n    args: ["${echo}"]\n    envs:\n      NAME: n\n      API_TOKEN: ${canary}\n  y:\n    type: stdio\n    cmd: ${node}\n    args: ["${echo}"]\n`,
  },
} as const;
const clients = Object.keys(files) as (keyof typeof files)[];

async function read(hub: ConnectHub, client: string): Promise<ImportPreview> {
  const [source] = (await hub.engine.imports.sources()).filter((one) => one.client === client);
  return hub.engine.imports.read(source?.id ?? '');
}

const statusOf = (hub: ConnectHub, key: string) =>
  hub.engine.servers().find((server) => server.key === key)?.status;

describe('servers taken over from a client', () => {
  it.each(clients)(
    '[PB-CLIENT-2] [NFR-SEC1] of %s run here, and one entry stands in their place, until it is undone byte for byte',
    async (client) => {
      await using hub = await startConnectHub();
      const { file: name, text } = files[client];
      const file = await hub.put(name, text);
      const preview = await read(hub, client);
      expect(preview.canReplace).toBe(true);
      expect(JSON.stringify(preview)).not.toContain(canary);
      const {
        added,
        failed,
        secrets,
        replaced,
        undoId = '',
      } = await hub.engine.imports.add({
        ...suggested(preview),
        replace: true,
      });
      expect({ added, failed, secrets }).toEqual({ added: ['x', 'y'], failed: [], secrets: ['API_TOKEN'] });
      expect(replaced).toMatchObject({ kind: 'written', file });
      await eventually(() =>
        expect(['x', 'y'].map((key) => statusOf(hub, key))).toEqual(['connected', 'connected']),
      );

      const changed = await textOfFile(file);
      expect(changed).toContain('mine');
      expect(changed).toContain('patchbay');
      expect(changed).not.toContain(canary);
      expect((await hub.client(client)).status).toBe('connected');
      expect((await hub.connect.prove(client)).problem).toBeUndefined();
      expect(await readFile(join(hub.dataDir, 'mcp.json'), 'utf8')).not.toContain(canary);

      await hub.engine.imports.undo(undoId);
      expect(await textOfFile(file)).toBe(text);
      expect(hub.engine.servers()).toEqual([]);
      expect(hub.engine.secrets.list().secrets).toEqual([]);
      expect((await hub.client(client)).status).toBe('found');
      const told = (await hub.connect.journal()).map(({ action, done }) => (done ? action : `${action}?`));
      expect(told).toEqual(['undo', 'put-back', 'taken-out', 'connect']);
    },
  );

  it('[PB-CLIENT-2] come back beside what has changed in the client since', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const choices = { ...suggested(await read(hub, 'cursor')), replace: true };
    const { undoId = '' } = await hub.engine.imports.add(choices);
    const changed = (await textOfFile(file)).replace('"dark"', '"light"');
    await writeFile(file, changed);
    await hub.engine.imports.undo(undoId);
    const text = await textOfFile(file);
    expect(text).toContain('"light"');
    expect(Object.keys(JSON.parse(text.replace('// mine', '')).mcpServers).sort()).toEqual(['x', 'y']);
  });

  it('[PB-CLIENT-2] stay in the client where only some are taken, or when that is not asked for', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const preview = await read(hub, 'cursor');
    await hub.engine.imports.add({ ...suggested(preview), entries: [] });
    expect(await textOfFile(file)).toBe(files.cursor.text);
    const [first] = suggested(preview).entries;
    await hub.engine.imports.add({ ...suggested(preview), entries: first ? [first] : [], replace: true });
    const text = await textOfFile(file);
    expect(text).toContain('"y"');
    expect(text).not.toContain('"x"');
  });

  it('[PB-CLIENT-2] are added all the same when the file of the client cannot be written', async () => {
    await using hub = await startConnectHub();
    const file = await hub.put(files.cursor.file, files.cursor.text);
    const choices = { ...suggested(await read(hub, 'cursor')), replace: true };
    await writeFile(file, '{ broken');
    const result = await hub.engine.imports.add(choices);
    expect(result).toMatchObject({ added: ['x', 'y'], replaced: { kind: 'refused', file } });
    expect(await textOfFile(file)).toBe('{ broken');
  });

  it('[PB-CLIENT-2] [NFR-SEC1] leave no secret in any file of ours but the encrypted ones and the copies of theirs', async () => {
    await using hub = await startConnectHub();
    await hub.put(files.cursor.file, files.cursor.text);
    await hub.engine.imports.add({ ...suggested(await read(hub, 'cursor')), replace: true });
    for (const name of await readdir(hub.dataDir, { recursive: true })) {
      const text = await readFile(join(hub.dataDir, name), 'utf8').catch(() => '');
      if (text.includes(canary)) expect(name).toMatch(/^backups.cursor-/);
    }
  });
});
