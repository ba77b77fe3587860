import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../electron/engine/base/clock.ts';
import { chooseProfile } from '../../electron/engine/catalogue/client-facts.ts';
import { prove } from '../../electron/engine/clients/proof/prove.ts';
import { startConnectHub } from '../helper/connect-hub.ts';
import { fixture, nodeEntry } from '../helper/programs.ts';
import { tempDir } from '../helper/temp-dir.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const settings = JSON.parse(await readFile(here('../../package.json'), 'utf8'));

/** As @anthropic-ai/mcpb publishes it. */
const schemaFile = here('../fixture/data/mcpb-manifest-v0.3.schema.json');

/** The bundle, unpacked. */
async function unpackedBundle(folder: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const file = join(folder, 'patchbay.mcpb');
  await promisify(execFile)(process.execPath, [here('../../build/mcpb.mjs'), file]);
  const files = unzipSync(await readFile(file));
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return files;
}

const manifestShape = z.looseObject({
  version: z.string(),
  tools_generated: z.literal(true),
  icon: z.string(),
  server: z.looseObject({
    entry_point: z.string(),
    mcp_config: z.looseObject({ command: z.literal('node'), args: z.array(z.string()) }),
  }),
});

describe('the bundle for Claude Desktop', () => {
  it('[PB-CLIENT-1] is what the format asks for', async () => {
    await using folder = await tempDir();
    const files = await unpackedBundle(folder.path);
    const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString('utf8'));
    const schema = z.fromJSONSchema(resolved(JSON.parse(await readFile(schemaFile, 'utf8'))));
    expect(schema.safeParse(manifest).error).toBeUndefined();
    expect(schema.safeParse({ ...manifest, server: {} }).success).toBe(false);
    const { version, icon, server } = manifestShape.parse(manifest);
    expect(version).toBe(settings.version);
    for (const name of [icon, server.entry_point, 'LICENSE']) expect(Object.keys(files)).toContain(name);
  });

  it('[PB-CLIENT-1] [PB-BRIDGE-1] [PB-NAMES-1] connects Claude to the hub as it stands', async () => {
    await using folder = await tempDir();
    await using hub = await startConnectHub({ servers: { echo: nodeEntry(fixture('echo')) } });
    const files = await unpackedBundle(folder.path);
    const { server } = manifestShape.parse(
      JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString('utf8')),
    );
    const args = server.mcp_config.args.map((arg) => arg.replace('$' + '{__dirname}', folder.path));
    const proof = await prove({
      file: 'manifest.json',
      read: async () => ({ command: process.execPath, args, env: {} }),
      env: { HOME: hub.home, PATCHBAY_DATA_DIR: hub.dataDir },
      clientName: 'claude-ai',
      rule: chooseProfile({ clientName: 'claude-ai', programDefault: 'safe' }),
      clock: systemClock,
    });
    expect(proof).toMatchObject({ ok: true, tools: 2, called: 'echo__echo' });
  });
});

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** zod follows references to definitions only; these point at other places. */
function resolved(schema: Readonly<Record<string, unknown>>): JsonSchema {
  const text = JSON.stringify(schema, (_, value) => {
    if (typeof value?.$ref !== 'string') return value;
    const steps = value.$ref.replace('#/', '').split('/');
    return steps.reduce((node: Record<string, unknown>, step: string) => node[step] as never, schema);
  });
  return JSON.parse(text);
}
