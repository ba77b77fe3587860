// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references as they stand in config files
import { describe, expect, it } from 'vitest';
import { nameForSecret, withSecretAt } from '../../../../../electron/engine/config/entry/enter-reference.ts';

describe('[PB-CFG-1] a secret entered for a server', () => {
  it('is added to variables in a list', () => {
    const entry = { command: 'x', env: ['REGION=eu'] };
    expect(withSecretAt(entry, 'x', { kind: 'env', name: 'TOKEN' }, 'token')).toEqual({
      command: 'x',
      env: { REGION: 'eu', TOKEN: '${secret:token}' },
    });
  });

  it.each([
    ['http_headers', { url: 'https://x.dev', http_headers: { A: 'b' } }],
    ['transport', { transport: { url: 'https://x.dev', headers: { A: 'b' } } }],
    ['requestInit', { serverUrl: 'https://x.dev', requestInit: { headers: { A: 'b' } } }],
  ])('is added to the headers that are already in %s', (holder, entry) => {
    const place = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;
    expect(nameForSecret(entry, 'x', place)).toBe('X_TOKEN');
    const edited = withSecretAt(entry, 'x', place, 'key');
    expect(Object.keys(edited)).toEqual(Object.keys(entry));
    const held = JSON.stringify(Object.entries(edited).find(([name]) => name === holder));
    expect(held).toContain('{"A":"b","Authorization":"Bearer ${secret:key}"}');
  });

  it.each(['${env.KEY}', '{env:KEY}', 'env:KEY', 'process.env.KEY', '%KEY%', '${KEY:?ask}', '$KEY'])(
    'replaces the variable written as %s',
    (written) => {
      const entry = { url: 'https://x.dev', headers: { A: `Bearer ${written}` } };
      expect(withSecretAt(entry, 'x', { kind: 'variable', name: 'KEY' }, 'key')).toMatchObject({
        headers: { A: 'Bearer ${secret:key}' },
      });
    },
  );

  it('is added to headers in a list', () => {
    const entry = { url: 'https://x.dev/mcp', headers: [{ name: 'X-Region', value: 'eu' }] };
    const place = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;
    expect(withSecretAt(entry, 'x', place, 'key')).toMatchObject({
      headers: { 'X-Region': 'eu', Authorization: 'Bearer ${secret:key}' },
    });
  });
});
