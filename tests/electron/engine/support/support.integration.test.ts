import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { offlineSupport, openOfflineSecrets } from '../../../../electron/engine/engine.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { startHub } from '../../../helper/running-hub.ts';

const canaries = {
  vault: 'cAnary-7fQ2-vault-Zz81',
  plain: 'a harmless looking canary value',
  variable: 'cAnary9kL3variable',
  argument: 'canaryargument',
  assigned: 'canaryassigned77',
  header: 'Bearer canary.header.4Tg6',
  query: 'cAnaryQuery5tR8',
  password: 'canarypassword',
  comment: 'canary of a comment',
  log: 'ghp_cAnary0123456789abcdefLOG',
  session: 'sk-canary0123456789abcdefXYZ',
  faulty: 'canaryfaulty',
} as const;

const loud = `process.stderr.write(process.env.FRIENDLY + ' ' + process.env.MY_TOKEN + ' ' + process.env.VAULTED + ' ${canaries.log}\\n'); await import(process.argv.at(-1))`;

const config = `{
  // ${canaries.comment}
  "mcpServers": {
    "loud": {
      "command": ${JSON.stringify(process.execPath)},
      "args": ["--input-type=module", "-e", ${JSON.stringify(loud)}, "--", "--api-key", "${canaries.argument}", "--password=${canaries.assigned}", ${JSON.stringify(pathToFileURL(fixture('echo')).href)}],
      "env": { "FRIENDLY": "${canaries.plain}", "MY_TOKEN": "${canaries.variable}", "VAULTED": "\${secret:VAULTED}" }
    },
    "remote": {
      "url": "http://me:${canaries.password}@127.0.0.1:9/mcp?access_token=${canaries.query}",
      "headers": { "X-Anything": "${canaries.header}" }
    },
    "faulty": { "command": "\${NOT_SET_ANYWHERE}", "args": ["--secret", "${canaries.faulty}"], "env": { "X": "${canaries.faulty}" }, "disabled": true }
  }
}`;

describe('a support bundle', () => {
  it('[PB-SAFE-1] of a running hub shows its state, and none of the secrets planted everywhere', async () => {
    await using hub = await startHub(config);
    await hub.engine.run('secret.set', { name: 'VAULTED', value: canaries.vault, replace: false });
    await mkdir(join(hub.dir, 'logs'), { recursive: true });
    await writeFile(join(hub.dir, 'logs', 'patchbay.log'), programLog);
    await eventually(async () => {
      expect(hub.server('loud').status).toBe('connected');
      expect(
        (await hub.engine.run('server.log', { key: 'loud' })).lines.map(({ text }) => text).join('\n'),
      ).toContain('•••');
    });

    const text = await hub.engine.support({ Electron: '1.2.3' });

    for (const fact of [
      'Electron         1.2.3',
      '== Server loud',
      'connected since',
      '== Server remote',
      '== mcp.json',
      'FRIENDLY',
      `"\${secret:VAULTED}"`,
      'a line of the program',
    ])
      expect(text).toContain(fact);
    expectNone(text, [...Object.values(canaries), hub.engine.connection().token, 'canary.header']);
  });

  it('[PB-SAFE-1] of the files alone contains none either', async () => {
    await using hub = await startHub(config);
    const { dir } = hub;
    await hub.engine.stop();
    const secrets = await openOfflineSecrets(dir, {});
    await secrets.set('VAULTED', canaries.vault);
    await mkdir(join(dir, 'logs'), { recursive: true });
    await writeFile(join(dir, 'logs', 'patchbay.log'), programLog);

    const text = await offlineSupport(dir, '0.0.0', {}, {});

    for (const fact of ['not running in this program', '== mcp.json', '"loud"', 'a line of the program'])
      expect(text).toContain(fact);
    expectNone(text, Object.values(canaries));
  });

  it('[PB-SAFE-1] of a broken config shows the position of the error, and nothing of its text', async () => {
    await using hub = await startHub(`{ "mcpServers": { "a": { "env": { "A": "${canaries.plain}" }`);
    const text = await hub.engine.support({});
    expect(text).toContain('It is not valid JSON');
    expectNone(text, [canaries.plain]);
  });

  it('[PB-APP-1] is made despite an invalid key', async () => {
    await using hub = await startHub(config);
    await hub.engine.stop();
    const text = await offlineSupport(hub.dir, '0.0.0', { PATCHBAY_KEY: 'short' }, {});
    expect(text).toContain('== mcp.json');
    expectNone(text, Object.values(canaries));
  });

  it('[PB-APP-1] is made for an empty folder, too', async () => {
    await using hub = await startHub();
    await hub.engine.stop();
    expect(await offlineSupport(join(hub.dir, 'nothing'), '0.0.0', {}, {})).toContain(
      'PATCHBAY SUPPORT BUNDLE',
    );
  });
});

const programLog = [
  JSON.stringify({ level: 30, msg: 'a line of the program', note: canaries.vault }),
  JSON.stringify({
    level: 30,
    msg: `a session ${canaries.session} --password=${canaries.assigned}`,
    password: canaries.argument,
  }),
  `not JSON, token=${canaries.assigned} ${canaries.plain}`,
  '',
].join('\n');

function expectNone(text: string, secrets: readonly string[]): void {
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
}
