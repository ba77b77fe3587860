import { describe, expect, it } from 'vitest';
import { remoteAddress } from '../../../../../electron/engine/transport/http-client/remote-address.ts';
import { ProblemError } from '../../../../../shared/error/problem.ts';

function refusal(url: string, headers: Record<string, string> = {}): ProblemError {
  try {
    remoteAddress(url, headers);
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error('it was not refused');
}

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;

describe('the address of a server elsewhere', () => {
  it.each([
    ['https://x.dev/mcp?a=b', 'https://x.dev/mcp?a=b', {}],
    ['https://ann:p%40ss@x.dev/mcp', 'https://x.dev/mcp', { Authorization: basic('ann:p@ss') }],
    ['http://ann@x.dev', 'http://x.dev/', { Authorization: basic('ann:') }],
    ['http://ann:50%@x.dev', 'http://x.dev/', { Authorization: basic('ann:50%') }],
  ])('[NFR-SEC1] of %s holds no login', (written, url, headers) => {
    const address = remoteAddress(written, {});
    expect(address.url.href).toBe(url);
    expect(address.headers).toEqual(headers);
  });

  it('does not change a header from the config', () => {
    const headers = { authorization: 'Bearer x' };
    expect(remoteAddress('http://ann:pw@x.dev', headers).headers).toEqual(headers);
  });

  it.each([
    { Authorization: 'Bearer hush\nhush' },
    { Authorization: 'Bearer hush\0' },
    { 'X-Odd': 'hush “x”' },
    { 'not a name': 'hush' },
  ])('[NFR-SEC1] names a header that cannot be sent, never its value: %j', (headers) => {
    const { problem, cause } = refusal('http://x.dev', headers);
    expect(problem.code).toBe('config.invalid_schema');
    expect(problem.sentence).toContain(Object.keys(headers)[0]);
    expect(JSON.stringify([problem, cause])).not.toContain('hush');
  });

  it.each(['Connection', 'content-length', 'Transfer-Encoding', 'Expect', 'Upgrade', 'Keep-Alive'])(
    'is asked without the header %s, which belongs to one connection',
    (name) => {
      const headers = { [name]: 'x', Host: 'y.dev', Authorization: 'Bearer z' };
      expect(remoteAddress('http://x.dev', headers).headers).toEqual({
        Host: 'y.dev',
        Authorization: 'Bearer z',
      });
    },
  );

  it('[NFR-SEC1] is refused without being repeated', () => {
    expect(JSON.stringify(refusal('htp://ann:hush@x.dev').problem)).not.toContain('hush');
  });
});
