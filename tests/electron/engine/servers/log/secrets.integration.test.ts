import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../../../electron/engine/base/logger.ts';
import { listOffer } from '../../../../helper/list-offer.ts';
import { eventually, fixture, harness, order } from '../harness.ts';

const key = '-----BEGIN KEY-----\nMIIEvAIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----';
const env = {
  MY_TOKEN: 'Sekrit-word',
  PGPASSWORD: 'hush-one',
  PASSWORD: 'hshh',
  DATABASE_URL: 'postgres://ann:hush-two@db/app',
  CONNECTION_STRING: 'Server=db;Password=hush-three',
  DSN: 'ann:hush-four@tcp(db)/app',
  PRIVATE_KEY: key,
  PLAIN: 'hush-five',
  LEVEL: 'verbose-mode',
};
const told = /Sekrit|hush|hshh|MIIE|hkiG/;

function listening() {
  const lines: string[] = [];
  const logger: Logger = {
    log: (level, message, data) => lines.push(JSON.stringify([level, message, data])),
  };
  return { logger, lines };
}

describe('what a server repeats of its secrets', () => {
  it('[NFR-SEC1] reaches no problem, log or state when it refuses to start', async () => {
    const { logger, lines } = listening();
    await using h = harness({ logger });
    const states: string[] = [];
    h.supervisor.onState(({ server }) => states.push(JSON.stringify(server.state)));
    const target = { env, args: [fixture('tells-all'), '--api-key', 'hush-six'] };
    h.supervisor.apply([order('a', 'tells-all', { target, secrets: ['hush-five'], restart: 'never' })]);
    const { problem } = await h.until('a', 'error');
    expect(problem.code).toBe('server.handshake_failed');
    const log = JSON.stringify(h.supervisor.servers.get('a')?.log.lines);
    expect(JSON.stringify(problem)).toContain('verbose-mode');
    expect(log).toContain('verbose-mode');
    for (const text of [JSON.stringify(problem), log, ...lines, ...states]) expect(text).not.toMatch(told);
  });

  it('[NFR-SEC1] reaches neither its log nor the problem of a list that it refuses', async () => {
    await using h = harness();
    const target = { env: { ...env, MODE: 'list' } };
    h.supervisor.apply([order('a', 'tells-all', { target, secrets: ['hush-five'] })]);
    const { connection } = await h.until('a', 'connected');
    const { problems } = await listOffer(connection);
    expect(problems.map(({ code }) => code)).toEqual(['server.list_failed']);
    const log = h.supervisor.servers.get('a')?.log;
    log?.append('server', `said ${env.MY_TOKEN}`);
    await eventually(() => (log?.lines.length ?? 0) > 2);
    expect(JSON.stringify([problems, log?.lines])).not.toMatch(told);
  });

  it('[NFR-SEC1] is masked for old output, even after the config has changed', async () => {
    await using h = harness();
    h.supervisor.apply([
      order('a', 'tells-all', { target: { env: { MODE: 'list', MY_TOKEN: 'hush-old' } } }),
    ]);
    const before = await h.until('a', 'connected');
    h.supervisor.apply([
      order('a', 'tells-all', { target: { env: { MODE: 'list', MY_TOKEN: 'hush-new' } } }),
    ]);
    await h.until('a', 'connected', ({ pid }) => pid !== before.pid);
    expect(JSON.stringify(h.supervisor.servers.get('a')?.log.lines)).not.toMatch(told);
  });
});

describe('a config with variables', () => {
  it('is shown as written', async () => {
    await using h = harness();
    const shown = { written: { command: '$TOOLS/run', cwd: '$WORK/x' } };
    h.supervisor.apply([
      order('a', 'echo', { target: { command: '/nowhere/secret/run' }, display: '$TOOLS/run', ...shown }),
      order('b', 'echo', { target: { cwd: '/nowhere/secret/x' }, ...shown }),
    ]);
    const { problem: a } = await h.until('a', 'error');
    const { problem: b } = await h.until('b', 'error');
    expect(a).toMatchObject({ code: 'server.command_not_found' });
    expect(b).toMatchObject({ code: 'server.spawn_failed' });
    expect(a.sentence).toContain('$TOOLS/run');
    expect(b.sentence).toContain('$WORK/x');
    expect(JSON.stringify([a, b])).not.toContain('secret');
  });
});
