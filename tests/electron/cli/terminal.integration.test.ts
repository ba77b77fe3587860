import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { freePort } from '../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { startHub } from '../../helper/running-hub.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const evil = '\u001b[31mRED\u001b]0;title\u0007\u202eRTL\nok     connected  999 tools\r';
const obeyed = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/u;
const dies = {
  command: process.execPath,
  args: [
    '-e',
    `process.stderr.write(${JSON.stringify(`${evil}\n`)}); setTimeout(() => process.exit(3), 100)`,
  ],
};

async function patchbay(dir: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [programs.patchbay, ...args, '--data-dir', dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return out + err;
}

it('[PB-SAFE-2] no command prints control sequences of a server or a client', async () => {
  await using hub = await startHub({ echo: nodeEntry(fixture('echo')), dies }, { audit: true });
  await using client = await hub.bridge(evil);
  await client.callTool({ name: evil, arguments: {} }).catch(() => undefined);
  await client.callTool({ name: 'echo__echo', arguments: {} });
  await eventually(async () => expect(await patchbay(hub.dir, 'status')).toContain('RED'));
  await eventually(async () => expect(await patchbay(hub.dir, 'audit', 'list')).toContain('RED'));
  for (const args of [
    ['status'],
    ['status', '--json'],
    ['audit', 'list'],
    ['audit', 'export'],
    ['activity'],
  ]) {
    const shown = await patchbay(hub.dir, ...args);
    expect(shown, args.join(' ')).not.toMatch(obeyed);
    expect(shown, args.join(' ')).not.toMatch(/^ok {5}connected/m);
  }
});

it('[PB-SAFE-2] nor does a headless hub', async () => {
  await using folder = await tempDir();
  await writeFile(join(folder.path, 'mcp.json'), JSON.stringify({ mcpServers: { dies } }));
  const hub = spawn(
    process.execPath,
    [programs.patchbay, 'serve', '--data-dir', folder.path, '--port', String(await freePort())],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const closed = once(hub, 'close');
  let said = '';
  for (const stream of [hub.stdout, hub.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  try {
    await eventually(() => expect(said).toContain('RED'));
    expect(said).not.toMatch(obeyed);
    expect(said).not.toMatch(/^ok {5}connected/m);
  } finally {
    hub.kill('SIGTERM');
    await closed;
  }
});
