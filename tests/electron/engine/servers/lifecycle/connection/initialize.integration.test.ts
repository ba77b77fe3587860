import { describe, expect, it } from 'vitest';
import { harness, order } from '../../harness.ts';

const unsupported = { code: -32602, message: 'Unsupported protocol version' };

async function greeted(env: Readonly<Record<string, string>>) {
  const h = harness();
  h.supervisor.apply([order('picky', 'picky-greeting', { target: { env } })]);
  const { connection } = await h.until('picky', 'connected');
  const { asked } = (await connection.request('asked').result) as { readonly asked: readonly string[] };
  return {
    asked,
    handshake: connection.handshake,
    [Symbol.asyncDispose]: () => h[Symbol.asyncDispose](),
  };
}

describe('[NFR-R1] a server that refuses the newest protocol version', () => {
  it.each([
    [
      'in data.supported',
      { ...unsupported, data: { supported: ['2024-11-05', '2025-06-18'], requested: '2025-11-25' } },
    ],
    ['in data itself', { ...unsupported, code: -32600, data: ['2025-06-18'] }],
    ['deep inside data', { code: -32000, message: 'no', data: { versions: [{ id: '2025-06-18' }] } }],
    ['in one word of data', { ...unsupported, code: 0, data: { supportedVersion: '2025-06-18' } }],
    [
      'in its text',
      { code: -32603, message: 'Unsupported version 2025-11-25 (supported: 2024-11-05,2025-06-18)' },
    ],
  ])('is asked for the newest one in common if it lists its own %s', async (_where, refusal) => {
    await using picky = await greeted({ TAKES: '2025-06-18,2024-11-05', REFUSAL: JSON.stringify(refusal) });
    expect(picky.asked).toEqual(['2025-11-25', '2025-06-18']);
    expect(picky.handshake).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    expect(picky.handshake.warnings).toBeUndefined();
  });

  it('is asked for each older one, down to the oldest of the official SDK, if it lists none', async () => {
    await using picky = await greeted({ TAKES: '2024-10-07', REFUSAL: JSON.stringify(unsupported) });
    expect(picky.asked).toEqual(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']);
    expect(picky.handshake.protocolVersion).toBe('2024-10-07');
  });

  it('is finally asked without capabilities, which may be newer than it accepts', async () => {
    const REFUSAL = JSON.stringify({ code: -32602, message: 'Unknown member: extensions' });
    await using picky = await greeted({ STRICT: '1', TAKES: '2025-11-25', REFUSAL });
    expect(picky.asked).toHaveLength(6);
    expect(picky.handshake.protocolVersion).toBe('2025-11-25');
    expect(picky.handshake.warnings).toMatchObject([
      { evidence: [{ label: 'it refused with', value: 'Unknown member: extensions' }] },
    ]);
  });

  it('[US1.6] is in error, with the versions it lists, if none is in common', async () => {
    await using h = harness();
    const refusal = { ...unsupported, data: { supported: ['2019-01-01', '2018-05-05'] } };
    const env = { TAKES: 'none', REFUSAL: JSON.stringify(refusal) };
    h.supervisor.apply([order('picky', 'picky-greeting', { target: { env } })]);
    const { problem } = await h.until('picky', 'error');
    expect(problem.sentence).toContain(
      'error -32602, Unsupported protocol version; it lists 2019-01-01, 2018-05-05',
    );
  });
});

describe('[PB-DUAL-1] a server whose entry says how it speaks', () => {
  it('is in error, with the reason, if it is to be stateless and is not', async () => {
    await using h = harness();
    h.supervisor.apply([
      order('picky', 'picky-greeting', { restart: 'never', target: { protocol: 'modern' } }),
    ]);
    const { problem } = await h.until('picky', 'error');
    expect(problem).toMatchObject({
      code: 'server.handshake_failed',
      sentence: expect.stringMatching(/says that this server is stateless, but it .*server\/discover/),
    });
  });

  it('is not asked if it is to have sessions', async () => {
    await using h = harness();
    h.supervisor.apply([order('picky', 'picky-greeting', { target: { protocol: 'legacy' } })]);
    const { connection } = await h.until('picky', 'connected');
    expect(connection.handshake.era).toEqual({ era: 'legacy', reason: 'its entry says so' });
  });
});

describe('[NFR-R1] a program that quits over the newest protocol version', () => {
  it.each([
    [
      'names one that it takes',
      "thread 'main' panicked: unsupported protocol version ASKED, expected 2025-03-26",
      '2025-03-26',
    ],
    ['names none', 'Error: bad protocolVersion', '2024-11-05'],
    ['names only what it was asked for', 'cannot speak ASKED', '2024-11-05'],
  ])('is started again and asked for an older one if it %s', async (_what, LAST_WORDS, revision) => {
    await using picky = await greeted({ TAKES: '2025-03-26,2024-11-05', LAST_WORDS });
    expect(picky).toMatchObject({ asked: [revision], handshake: { protocolVersion: revision } });
  });

  it('is started again and initialized without capabilities if it quits over those', async () => {
    const LAST_WORDS = 'unknown field `extensions`, expected one of `roots`, `sampling`';
    await using picky = await greeted({ STRICT: '1', LAST_WORDS });
    expect(picky).toMatchObject({ asked: ['2025-11-25'], handshake: { protocolVersion: '2025-11-25' } });
  });

  it('is in error with its own message if the older one does not help either', async () => {
    await using h = harness();
    const env = { TAKES: 'none', LAST_WORDS: 'unsupported protocol version ASKED' };
    h.supervisor.apply([order('picky', 'picky-greeting', { restart: 'never', target: { env } })]);
    const { problem } = await h.until('picky', 'error');
    expect(JSON.stringify(problem.evidence)).toContain('unsupported protocol version 2024-11-05');
  });
});

describe('[NFR-R1] an initialize result that violates the protocol', () => {
  it.each([
    [
      'an unknown older revision',
      '{"protocolVersion":"2023-01-01","capabilities":{},"serverInfo":{}}',
      '2023-01-01',
    ],
    ['a newer revision', '{"protocolVersion":"2031-01-01","capabilities":{},"serverInfo":{}}', '2031-01-01'],
    ['no revision', '{"capabilities":{"tools":{}}}', '2025-03-26'],
    ['a revision that is null', '{"protocolVersion":null,"capabilities":{"tools":{}}}', '2025-03-26'],
    ['an empty list', '[]', '2025-03-26'],
    ['null', 'null', '2025-03-26'],
    ['true', 'true', '2025-03-26'],
    ['a word', '"ok"', '2025-03-26'],
  ])('with %s is accepted with a warning', async (_what, GREETING, revision) => {
    await using picky = await greeted({ GREETING });
    expect(picky.handshake).toMatchObject({
      protocolVersion: revision,
      warnings: [{ code: 'server.nonconforming', sentence: expect.stringContaining('It is used anyway.') }],
    });
  });

  it.each([
    ['in `error`', '{"error":{"code":-32000,"message":"The database is down"}}'],
    ['as a tool would', '{"isError":true,"content":[{"type":"text","text":"The database is down"}]}'],
  ])('is a refusal, in the words of the server, if it reports an error %s', async (_how, GREETING) => {
    await using h = harness();
    h.supervisor.apply([
      order('picky', 'picky-greeting', { restart: 'never', target: { env: { GREETING } } }),
    ]);
    const { problem } = await h.until('picky', 'error');
    expect(problem.sentence).toContain('The database is down');
  });

  it('may be written as a JSON text', async () => {
    const result = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n"}}';
    await using picky = await greeted({ GREETING: JSON.stringify(result) });
    expect(picky.handshake).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    expect(picky.handshake.warnings).toBeUndefined();
  });

  it.each([
    ['null', 'null', {}],
    ['an empty list', '[]', {}],
    ['true', 'true', {}],
    ['members of other types', '{"tools":true,"prompts":[],"resources":null}', { tools: true, prompts: [] }],
  ])('may have capabilities that are %s', async (_what, capabilities, taken) => {
    const GREETING = `{"protocolVersion":"ASKED","capabilities":${capabilities},"serverInfo":null,"instructions":null}`;
    await using picky = await greeted({ GREETING });
    const { era, ...handshake } = picky.handshake;
    expect(handshake).toEqual({ protocolVersion: '2025-11-25', capabilities: taken, serverInfo: {} });
    expect(era?.era).toBe('legacy');
  });
});
