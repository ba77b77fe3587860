import { describe, expect, it } from 'vitest';
import { formatLogMessage } from '../../../../../electron/engine/routing/server-requests/log-levels.ts';
import { createRunLog } from '../../../../../electron/engine/servers/log/run-log.ts';
import { createServerLog } from '../../../../../electron/engine/servers/log/server-log.ts';
import { ServerSecrets } from '../../../../../electron/engine/servers/log/server-secrets.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

const canary = 'plumtree-of-the-argument';
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

function bench(own: readonly string[] = []) {
  const secrets = new ServerSecrets(own);
  const log = createServerLog({ clock: new FakeClock(), redact: secrets.redact });
  const run = createRunLog(log, secrets.redact);
  const texts = () => [...log.lines.map(({ text }) => text), ...run.tail(20, 'stderr')].join('\n');
  return { secrets, log, run, texts };
}

describe('the log of a server', () => {
  it.each<readonly [string, unknown]>([
    ['under its name', { password: canary }],
    ['in an object', { credentials: { inner: [canary] } }],
    ['in a text', { header: `Bearer ${canary}` }],
    ['in an address', { url: `https://u:${canary}@host/` }],
    ['behind much text', { text: 'word '.repeat(30_000), password: canary }],
  ])('[NFR-SEC1] [PB-SAFE-1] masks secrets that a call has sent: %s', (_, args) => {
    const { secrets, log, run, texts } = bench();
    secrets.add(bytes(args));
    run.append('stderr', `login ${canary} failed`);
    run.append('stdout', `> ${canary}`);
    log.append('server', formatLogMessage({ level: 'info', data: { text: `called with ${canary}` } }));
    log.append('hub', `It has ended: ${canary}`);
    expect(texts()).not.toContain(canary);
    expect(texts()).toContain('login ••• failed');
  });

  it('[NFR-SEC1] [PB-SAFE-1] masks secrets it has not seen before, by name and shape', () => {
    const { log, run, texts } = bench();
    run.append('stderr', `{"level":30,"args":{"password":"${canary}","pin":73519462}}`);
    run.append('stderr', `  credentials: { user: 'ada', value: '${canary}' },`);
    run.append('stderr', `GET http://x/?access_token=${canary} -> Authorization: Bearer ${canary}`);
    log.append(
      'server',
      formatLogMessage({ data: { args: { apiKey: canary, note: `{"token":"${canary}"}` } } }),
    );
    expect(texts()).not.toContain(canary);
    expect(texts()).not.toContain('73519462');
  });

  it('[NFR-SEC1] contains no half of a secret that was cut by a line break or a limit', () => {
    const { secrets, run, log, texts } = bench(['plumtree-of-the-entry']);
    secrets.add(bytes({ password: canary }));
    run.append('stderr', 'now plumtree-of-th');
    run.append('stderr', 'e-argument it was');
    run.append('stderr', 'and plumtree-of\n-the-entry too');
    log.append('server', formatLogMessage({ data: `${'x '.repeat(4_090)}${canary}` }));
    expect(texts()).not.toMatch(/plumtree|e-argument|the-entry/);
    expect(texts()).toContain('now •••');
  });

  it.each([1, 127, 128, 129, 255, 256, 257, 300])(
    '[NFR-SEC1] masks the secrets of the last calls, however many came before: %s',
    (count) => {
      const { secrets, run, texts } = bench();
      for (let call = 0; call < count; call += 1) secrets.add(bytes({ password: `secret-number-${call}` }));
      const last = Array.from({ length: Math.min(count, 128) }, (_, index) => count - 1 - index);
      for (const call of last) run.append('stderr', `it was secret-number-${call} then`);
      expect(texts()).not.toContain('secret-number');
    },
  );

  it.each([0, 1, 2, 3])('[NFR-SEC1] reads a long call up to a cut within a character: %s', (offset) => {
    const { secrets, run, texts } = bench();
    const text = `${'x'.repeat(offset)}${'😀'.repeat(100_000)}`;
    for (let call = 0; call < 3; call += 1) secrets.add(bytes({ password: `${canary}-${call}`, text }));
    for (let call = 0; call < 3; call += 1) run.append('stderr', `with ${canary}-${call}`);
    expect(texts()).not.toContain(canary);
  });

  it.each([1, 20, 200])(
    '[NFR-SEC1] masks the secrets of the last half megabyte of calls: %s kB each',
    (kB) => {
      const { secrets, run, texts } = bench();
      const text = 'word '.repeat(kB * 200);
      for (let call = 0; call < 700; call += 1)
        secrets.add(bytes({ password: `secret-number-${call}`, text }));
      const last = Array.from({ length: Math.min(128, Math.floor(512 / kB)) }, (_, index) => 699 - index);
      for (const call of last) run.append('stderr', `it was secret-number-${call} then`);
      expect(texts()).not.toContain('secret-number');
    },
  );

  it('remembers a limited number of secrets, the latest ones', () => {
    const { secrets, run, texts } = bench();
    for (let call = 0; call < 2_000; call += 1) secrets.add(bytes({ password: `secret-number-${call}` }));
    run.append('stderr', 'the last was secret-number-1999');
    expect(texts()).toBe('the last was •••\nthe last was •••');
  });
});
