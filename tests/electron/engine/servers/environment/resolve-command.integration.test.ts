import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveCommand } from '../../../../../electron/engine/servers/environment/resolve-command.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';

async function program(folder: string, name: string, mode = 0o755): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, name);
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, mode);
  return file;
}

describe.runIf(process.platform !== 'win32')('looking a command up', () => {
  it("uses the child's own PATH, first folder first, and skips what is not executable", async () => {
    await using folder = await tempDir();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder.path, name));
    await program(a ?? '', 'tool', 0o644);
    const wanted = await program(b ?? '', 'tool');
    await program(c ?? '', 'tool');
    const found = await resolveCommand('tool', { PATH: `${a}:/nowhere:${b}:${c}` }, '/');
    expect(found).toEqual({ ok: true, file: wanted });
  });

  it("reads a path with a folder from the child's working folder", async () => {
    await using folder = await tempDir();
    const file = await program(join(folder.path, 'bin'), 'tool');
    expect(await resolveCommand('./bin/tool', { PATH: '' }, folder.path)).toEqual({ ok: true, file });
    expect(await resolveCommand(file, {}, '/')).toEqual({ ok: true, file });
  });

  it('[US1.6] names the searched folders and what to do', async () => {
    const missing = await resolveCommand('uvx', { PATH: `/x:${'/long'.repeat(300)}` }, '/');
    expect(missing).toMatchObject({
      ok: false,
      problem: {
        code: 'server.command_not_found',
        fix: expect.stringContaining('Install uv'),
        evidence: [
          { label: 'command', value: 'uvx' },
          { label: 'searched PATH', value: expect.stringMatching(/^\/x:.{0,600}…$/) },
        ],
      },
    });
    const path = await resolveCommand('./no/such', {}, '/tmp');
    expect(path).toMatchObject({ ok: false, problem: { evidence: [{}, { value: '/tmp/no/such' }] } });
  });
});
