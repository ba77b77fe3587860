import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { startClientProcess } from '../../../../electron/engine/clients/proof/client-process.ts';
import { prove } from '../../../../electron/engine/clients/proof/prove.ts';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const proofOf = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  prove({
    file: 'a file',
    read: async () => ({ command: process.execPath, args, env }),
    env: { HOME: '/' },
    clientName: 'claude-ai',
    rule: chooseProfile({ clientName: 'claude-ai', programDefault: 'safe' }),
    clock: systemClock,
  });

describe('a proof', () => {
  it('[PB-CLIENT-1] [PB-NAMES-1] fails for one name that would make the client reject the whole list', async () => {
    const proof = await proofOf([fixture('odd-names')], { NAMES: '["fine","not:fine"]' });
    expect(proof).toMatchObject({ ok: false, tools: 2, problem: { code: 'client.proof_failed' } });
    expect(proof.steps.at(-2)).toMatchObject({ step: 'names', ok: false, text: /"not:fine"/ });
  });

  it('[PB-CLIENT-1] calls nothing harmful: only a ping if no tool is read-only', async () => {
    const proof = await proofOf([fixture('odd-names')], { NAMES: '["delete_all"]' });
    expect(proof).toMatchObject({ ok: true, called: 'ping' });
    expect(proof.transcript.map(({ text }) => text).join('\n')).not.toContain('tools/call');
  });

  it('[PB-CLIENT-1] says that there are no tools yet, and when to test again', async () => {
    const proof = await proofOf([fixture('odd-names')], { NAMES: '[]' });
    expect(proof).toMatchObject({ ok: true, tools: 0, called: 'ping' });
    const texts = proof.steps.map(({ text }) => text);
    expect(texts).toContain('No tools are listed yet.');
    expect(texts).toContain('Patchbay answered a ping. Test again once a server is connected.');
  });

  it('[PB-CLIENT-1] shows the messages masked and cut, and nothing of the tool result', async () => {
    await using folder = await tempDir();
    const program = join(folder.path, 'talks.mjs');
    const lib = new URL('../../../fixture/lib/mcp-server.mjs', import.meta.url);
    const tool = {
      name: 'tell',
      description: 'y'.repeat(9_000),
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    };
    await writeFile(
      program,
      `import { serve } from ${JSON.stringify(lib.href)};
      process.stderr.write('API_KEY=sk-canary-7f3a9c2e41bd\\n');
      serve({ handlers: {
        'tools/list': () => ({ tools: [${JSON.stringify(tool)}] }),
        'tools/call': () => ({ content: [{ type: 'text', text: 'HOME=/home/canary-person' }] }),
      } });`,
    );
    const proof = await proofOf([program]);
    expect(proof).toMatchObject({ ok: true, called: 'tell' });
    const shown = JSON.stringify(proof);
    expect(shown).not.toContain('canary');
    expect(shown).toMatch(/bytes, not shown/);
    expect(shown.length).toBeLessThan(10_000);
  });

  it('[PB-CLIENT-1] of a program that is not there says so', async () => {
    const proof = await prove({
      file: 'a file',
      read: async () => ({ command: '/nowhere/patchbay-bridge', args: [], env: {} }),
      env: {},
      clientName: 'claude-ai',
      rule: chooseProfile({ clientName: 'claude-ai', programDefault: 'safe' }),
      clock: systemClock,
    });
    // Windows starts cmd.exe, which then says that there is no such program.
    const failed = process.platform === 'win32' ? 'handshake' : 'start';
    expect(proof.steps.find(({ ok }) => !ok)?.step).toBe(failed);
    if (process.platform !== 'win32') expect(proof.problem?.sentence).toContain('ENOENT');
  });

  it.skipIf(process.platform === 'win32')(
    '[PB-CLIENT-1] [PB-PROC-1] leaves no process behind, not even a stubborn one or its children',
    async () => {
      await using folder = await tempDir();
      const pids = join(folder.path, 'pids');
      const script = `trap '' TERM; sleep 600 & echo $! > '${pids}'; while :; do sleep 1; done`;
      const started = await startClientProcess({
        command: { command: '/bin/sh', args: ['-c', script], env: {} },
        env: { PATH: process.env.PATH ?? '' },
        clock: systemClock,
        onLine: () => {},
        onStderr: () => {},
        onEnd: () => {},
      });
      expect(await started.end()).toBe(true);
      const child = Number(await readFile(pids, 'utf8'));
      for (const pid of [started.pid, child])
        await eventually(async () => expect(await processIdentity(pid)).toBeUndefined());
    },
  );
});
