import { describe, expect, it } from 'vitest';
import { redact, redactText } from '../../../../../electron/engine/base/mask/redact-log.ts';

describe('the log', () => {
  it('hides values with a secret name, at any depth', () => {
    const data = {
      token: 'abc',
      server: { key: 'a', env: { GITHUB_TOKEN: 'abc' }, headers: { Authorization: 'abc' } },
      list: [{ apiKey: 'abc', name: 'b' }],
      sinceStart: 5,
    };
    const text = JSON.stringify(redact(data));
    expect(text).not.toContain('abc');
    expect(text).toContain('"sinceStart":5');
    expect(text).toContain('"name":"b"');
  });

  it.each([
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['GET /mcp?token=abc&x=1', 'GET /mcp?token=[redacted]&x=1'],
    ['https://me:hunter22@example.com/x', 'https://me:•••@example.com/x'],
    ['http://a:pw1@x/,http://b:pw2@y/', 'http://a:•••@x/,http://b:•••@y/'],
    ['http://a:pw1@x/http://b:pw2@y/;c://d:pw3@z', 'http://a:•••@x/http://b:•••@y/;c://d:•••@z'],
    ['http://a:pw1@xhttp://b:pw2@y/', 'http://a:•••@xhttp://b:•••@y/'],
    ['http://x/1,http://b:p/w2@y/,http://z:80/@q', 'http://x/1,http://b:•••@y/,http://z:80/@q'],
    ['it has ghp_abcdefghijklmnopqrst0123', 'it has •••'],
    ['-----BEGIN PRIVATE KEY-----\nabc', '•••'],
    ['nothing to hide', 'nothing to hide'],
    [
      'in /tmp/x-8UNjlQ by 3f2a9c1e-0b1d-4c58-9d3e-1a2b3c4d5e6f',
      'in /tmp/x-8UNjlQ by 3f2a9c1e-0b1d-4c58-9d3e-1a2b3c4d5e6f',
    ],
  ])('hides credentials inside a text: %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('keeps an error readable', () => {
    const { error } = redact({ error: new Error('refused for Bearer abc') });
    expect(error).toContain('refused for Bearer [redacted]');
  });

  it('survives what refers to itself', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(JSON.stringify(redact(loop))).toContain('[too deep]');
  });
});
