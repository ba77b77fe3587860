import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function patchbay(home: string, dataDir: string, ...args: readonly string[]): Promise<Outcome> {
  const words = [programs.patchbay, 'connect', ...args, '--data-dir', dataDir];
  const options = { env: { HOME: home, PATH: process.env.PATH ?? '' } };
  return promisify(execFile)(process.execPath, words, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const own = '{ "theme": "light", "mcpServers": {} }';

describe.skipIf(process.platform === 'win32')('patchbay connect', () => {
  it('[PB-CLIENT-1] [PB-HEAD-1] [REQ-MCP-AUTH-001] lists, previews, writes with a proof, and undoes, beside a running hub', async () => {
    await using hub = await startConnectHub({ servers: { echo: nodeEntry(fixture('echo')) } });
    const { home, dataDir } = hub;
    const file = await hub.put('.gemini/settings.json', own);
    const run = (...args: readonly string[]) => patchbay(home, dataDir, ...args);
    expect((await run('list')).stdout).toMatch(/gemini-cli +found .*Gemini CLI/);
    expect((await run('preview', 'gemini-cli')).stdout).toContain('+ ');
    expect(await textOfFile(file)).toBe(own);

    const applied = await run('apply', 'gemini-cli');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toMatch(/written; backup: /);
    expect(applied.stdout).toMatch(/ok +call +Called echo__echo: it answered/);
    expect((await hub.client('gemini-cli')).status).toBe('connected');
    expect((await run('list')).stdout).toMatch(/gemini-cli +connected/);
    // Granted in the same step, before the test connects for the first time.
    const argv = [programs.patchbay, 'access', 'list', '--data-dir', dataDir];
    expect((await promisify(execFile)(process.execPath, argv)).stdout).toContain(
      'gemini-cli  (client)\n  allow  all  (by connected on the command line)\n',
    );

    expect((await run('undo', 'gemini-cli')).stdout).toContain('restored exactly');
    expect(await textOfFile(file)).toBe(own);
  });

  it('[PB-CLIENT-1] [PB-CLIENT-2] lists the servers that the client starts itself, and moves them when asked to', async () => {
    await using hub = await startConnectHub();
    const { home, dataDir } = hub;
    const text = JSON.stringify(
      { theme: 'dark', mcpServers: { mine: nodeEntry(fixture('echo')) } },
      undefined,
      2,
    );
    const file = await hub.put('.gemini/settings.json', text);
    const run = (...args: readonly string[]) => patchbay(home, dataDir, ...args);
    expect((await run('preview', 'gemini-cli')).stdout).toContain('also starts 1 server itself: mine.');
    const shown = await run('preview', 'gemini-cli', '--move');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toMatch(/would be added to Patchbay: mine .*\n[\s\S]*^- .*mine/m);
    expect(await textOfFile(file)).toBe(text);

    const applied = await run('apply', 'gemini-cli', '--move');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(applied.stdout).toMatch(/mine: added to Patchbay\n.*written; backup: /);
    expect(applied.stdout).not.toContain('itself');
    const { theme, mcpServers } = JSON.parse(await textOfFile(file));
    expect([theme, Object.keys(mcpServers)]).toEqual(['dark', ['patchbay']]);
    expect(hub.engine.servers().map(({ key }) => key)).toEqual(['mine']);

    expect((await run('undo', 'gemini-cli')).code).toBe(0);
    expect(await textOfFile(file)).toBe(text);
  });

  it('[PB-CLIENT-1] shows the entry to copy for a client that is set up by hand', async () => {
    await using folder = await tempDir();
    const data = join(folder.path, 'data');
    const { code, stdout } = await patchbay(folder.path, data, 'preview', 'other');
    expect(code).toBe(0);
    const { mcpServers } = JSON.parse(stdout.slice(0, stdout.lastIndexOf('}') + 1));
    expect(mcpServers.patchbay).toMatchObject({ command: join(data, 'bin', 'patchbay-bridge') });
    expect(stdout).toContain('Paste the snippet where the client lists its MCP servers');
    const { stderr } = await patchbay(folder.path, data, 'apply', 'other');
    expect(stderr).toContain('patchbay connect preview other');
  });

  it('[PB-CLIENT-1] uses the given file, and says what is wrong', async () => {
    await using folder = await tempDir();
    const { path: home } = folder;
    const data = join(home, 'data');
    await mkdir(join(home, 'w'), { recursive: true });
    const file = join(home, 'w', 'mcp.json');
    await writeFile(file, '{ oops');
    const refused = await patchbay(home, data, 'apply', 'vscode-workspace', '--file', file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('[client.config_unusable]');
    expect((await patchbay(home, data, 'undo', 'nobody')).stderr).toContain('[client.unknown]');
    expect((await patchbay(home, data, 'apply')).code).toBe(2);
    const mistyped = await patchbay(
      home,
      data,
      'apply',
      'vscode-workspace',
      '--file',
      join(home, 'v', 'mcp.json'),
    );
    expect(mistyped.code).toBe(1);
    expect(mistyped.stderr).toContain('is in a folder that does not exist; nothing was changed.');
    expect(await readdir(home)).not.toContain('v');
  });
});
