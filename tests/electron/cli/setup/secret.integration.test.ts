// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../helper/eventually.ts';
import { keyServer } from '../../../helper/key-server.ts';
import { fixture, programs } from '../../../helper/programs.ts';
import { isConnected, startHub } from '../../../helper/running-hub.ts';

/** Runs `patchbay secret` on a folder with a text on its standard input. */
function secret(dir: string, input: string | Buffer, ...args: string[]) {
  return patchbay(dir, input, 'secret', ...args);
}

async function patchbay(dir: string, input: string | Buffer, ...args: string[]) {
  const argv = [programs.patchbay, ...args, '--data-dir', dir];
  const child = spawn(process.execPath, argv, { env: { PATH: process.env.PATH }, stdio: 'pipe' });
  // The command may have exited before it read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code: child.exitCode };
}

describe('patchbay secret', () => {
  it('[NFR-SEC1] [PB-HEAD-1] stores what a running hub uses at once, tells its users, and deletes it', async () => {
    const entry = { command: process.execPath, args: [fixture('echo')], env: { NAME: '${secret:API}' } };
    await using hub = await startHub({ a: entry });
    expect((await secret(hub.dir, '', 'list')).out).toBe('API  a (env.NAME)  (missing)\n');
    const stored = await secret(hub.dir, 'two\nlines\n', 'set', 'API');
    expect(stored).toMatchObject({ code: 0, err: '' });
    expect(stored.out).toContain('${secret:API}');
    await eventually(() => expect(hub.server('a').serverInfo?.name).toBe('two\nlines'));
    expect((await secret(hub.dir, '', 'list')).out).toBe('API  a (env.NAME)\n');
    expect(await readFile(join(hub.dir, 'secrets.json'), 'utf8')).not.toContain('lines');
    expect(await secret(hub.dir, '', 'delete', 'API')).toMatchObject({
      code: 1,
      err: expect.stringContaining('[secret.in_use]'),
    });
    expect((await secret(hub.dir, '', 'delete', 'API', '--force')).code).toBe(0);
    await eventually(() =>
      expect(hub.server('a').update).toMatchObject({ problem: { code: 'config.missing_secret' } }),
    );
  });

  it('[PB-HEAD-1] [NFR-SEC1] enters the value that patchbay status says a server is missing', async () => {
    await using remote = await keyServer();
    const entry = {
      command: process.execPath,
      args: [fixture('echo')],
      env: { NAME: '${ACME_NAME_OF_NOBODY}' },
    };
    await using hub = await startHub({ acme: { url: remote.url }, 'my echo': entry });
    await eventually(() => expect(hub.server('acme').problem?.code).toBe('server.key_needed'));
    const status = await patchbay(hub.dir, '', 'status');
    expect(status.out).toContain('the server said: API key missing');
    expect(status.out).toContain('run: patchbay secret enter acme\n');
    expect(status.out).toContain('run: patchbay secret enter "my echo"\n');
    expect(await secret(hub.dir, 'a-wrong-key', 'enter', 'acme')).toMatchObject({ code: 0, err: '' });
    await eventually(() => expect(hub.server('acme').problem?.code).toBe('server.key_refused'));
    const entered = await secret(hub.dir, `${remote.key}\n`, 'enter', 'acme', 'API key');
    expect(entered).toEqual({ code: 0, err: '', out: 'ACME_TOKEN is stored. acme starts with it.\n' });
    await isConnected(hub, 'acme');
    await secret(hub.dir, 'ada', 'enter', 'my echo');
    await eventually(() => expect(hub.server('my echo').serverInfo?.name).toBe('ada'));
    expect(await secret(hub.dir, 'x', 'enter', 'acme')).toMatchObject({
      code: 1,
      err: expect.stringContaining('acme is not missing any value.'),
    });
    expect((await secret(hub.dir, 'x', 'enter', 'nobody')).err).toContain('[config.unknown_server]');
  });

  it('[REQ-MCP-OBS-002] [NFR-SEC4] is in the audit log by name, of the running hub and of the next one', async () => {
    await using hub = await startHub({}, { audit: true });
    const value = 'canary-of-audit-1207';
    await secret(hub.dir, value, 'set', 'API');
    await secret(hub.dir, value, 'set', 'API');
    await secret(hub.dir, '', 'delete', 'NONE');
    const told = async () => {
      const { rows } = await hub.engine.run('audit.query', { kinds: ['hub'], limit: 50 });
      return rows.toReversed().map(({ action, actor, outcome, text }) => [action, actor, outcome, text]);
    };
    const by = 'the command line';
    const first = [
      ['started', 'hub', 'ok', undefined],
      ['set-secret', by, 'ok', 'API'],
      ['replace-secret', by, 'ok', 'API'],
      ['delete-secret', by, 'failed', 'There is no secret called NONE.'],
    ];
    expect(await told()).toEqual(first);
    await hub.engine.stop();
    expect((await secret(hub.dir, '', 'delete', 'API')).code).toBe(0);
    await hub.restart();
    expect(await told()).toEqual([
      ...first,
      ['stopped', 'hub', 'ok', undefined],
      ['delete-secret', by, 'ok', 'API'],
      ['started', 'hub', 'ok', undefined],
    ]);
    expect(await hub.engine.run('audit.verify', undefined)).toMatchObject({ ok: true });
    expect(JSON.stringify(await hub.engine.run('audit.query', { limit: 50 }))).not.toContain(value);
  });

  it('[NFR-SEC1] rejects an invalid name and a missing value', async () => {
    await using hub = await startHub({});
    expect((await secret(hub.dir, 'hush', 'set', 'a b')).err).toContain('[secret.invalid_name]');
    expect((await secret(hub.dir, '\n', 'set', 'API')).err).toContain('[secret.no_value]');
    const refusals = [
      ['a\0b', 'NUL'],
      [Buffer.from([0x61, 0xff, 0xfe]), 'not UTF-8 text'],
      ['x'.repeat(100_001), 'longer than 100000 characters'],
      ['x'.repeat(2_000_000), 'longer than 100000 characters'],
    ] as const;
    for (const [input, why] of refusals)
      expect(await secret(hub.dir, input, 'set', 'API')).toMatchObject({
        code: 1,
        err: expect.stringMatching(new RegExp(`${why}.*\\[secret\\.invalid_value\\]`)),
      });
    expect((await secret(hub.dir, '', 'list')).out).toBe('No secrets stored.\n');
  });
});
