// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it } from 'vitest';
import { secretValue, withFieldOf, withReference } from '../../../../renderer/lib/entry/move-secret.ts';

const text = `{
  // mine
  "args": ["--header", "Authorization: Bearer hu$$SH"],
  "env": { "A.B": "hush" }, // kept
}`;
const inArgs = { path: ['args', 1], from: 22, to: 28, name: 'TOKEN' };
const inEnv = { path: ['env', 'A.B'], from: 0, to: 4, name: 'AB' };

describe('moving a secret out of an entry', () => {
  it('[NFR-SEC1] extracts its part of the field, unescaped', () => {
    expect(secretValue(text, inArgs)).toBe('hu$SH');
    expect(secretValue(text, inEnv)).toBe('hush');
    expect(secretValue('{}', inEnv)).toBeUndefined();
  });

  it('[NFR-SEC1] [PB-CFG-1] leaves a reference, and comments and the rest of the field as they were', () => {
    const moved = withReference(withReference(text, inArgs, 'TOKEN'), inEnv, 'AB');
    expect(moved).toContain('"Authorization: Bearer ${secret:TOKEN}"');
    expect(moved).toContain('"A.B": "${secret:AB}"');
    expect(moved).toContain('// mine');
    expect(moved).not.toContain('hush');
  });

  it('is undone only in its field', () => {
    const edited = withReference(text, inEnv, 'AB').replace('--header', '--other');
    expect(withFieldOf(edited, text, inEnv)).toBe(text.replace('--header', '--other'));
    expect(withFieldOf('{}', text, inEnv)).toBe('{}');
  });
});
