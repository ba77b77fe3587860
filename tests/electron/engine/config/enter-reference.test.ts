// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references as they stand in config files
import { describe, expect, it } from 'vitest';
import { withSecretAt } from '../../../../electron/engine/config/enter-reference.ts';

describe('[PB-CFG-1] a secret entered for a server', () => {
  it('is added to variables in a list', () => {
    const entry = { command: 'x', env: ['REGION=eu'] };
    expect(withSecretAt(entry, 'x', { kind: 'env', name: 'TOKEN' }, 'token')).toEqual({
      command: 'x',
      env: { REGION: 'eu', TOKEN: '${secret:token}' },
    });
  });

  it('is added to headers in a list', () => {
    const entry = { url: 'https://x.dev/mcp', headers: [{ name: 'X-Region', value: 'eu' }] };
    const place = { kind: 'header', header: 'Authorization', scheme: 'Bearer' } as const;
    expect(withSecretAt(entry, 'x', place, 'key')).toMatchObject({
      headers: { 'X-Region': 'eu', Authorization: 'Bearer ${secret:key}' },
    });
  });
});
