import { describe, expect, it } from 'vitest';
import { entryVariables, isUnfilledSecret } from '../../../../shared/model/import/entry-variable.ts';

describe('the variables of a server', () => {
  it.each([
    ['<YOUR_TOKEN>', true],
    ['your-api-key', true],
    ['your-api-key-here', true],
    ['YOUR_API_KEY_HERE', true],
    ['yourtoken', true],
    ['xoxb-your-bot-token', true],
    ['ghp_yourtoken', true],
    ['know-your-customer', false],
    ['Bearer xxxx', true],
    ['xxx', true],
    ['ghp_xxxxxxxxxxxx', true],
    ['sk-...', true],
    ['[token]', true],
    ['put your key in', true],
    ['changeme', true],
    ['todo', true],
    ['<<TOKEN>>', true],
    ['fill-me-in', true],
    ['fill-parent', false],
    ['', true],
    ['ghp_abc123', false],
    ['@me', false],
    ['info', false],
    ['enterprise', false],
    ['%TOKEN%', false],
    ['mypassword1', false],
    ['/usr/local/here', false],
    ['1', false],
  ])('[PB-CLIENT-2] %j is a placeholder: %s', (value, isPlaceholder) => {
    expect(entryVariables({ env: { A: value }, headers: { B: value } })).toEqual([
      { name: 'A', isPlaceholder },
      { name: 'B', isPlaceholder },
    ]);
  });

  it.each([
    ['AIza...', true],
    ['Bearer ghp_1234…', true],
    ['sk-12****34', true],
    ['hf_YOUR_TOKEN', true],
    ['AIzaSyYOUR_KEY', true],
    ['pk.your_kite_token', true],
    ['kat.xxx.xxx.xxx', true],
    ['pat.xxx', true],
    ['acme.xx', false],
    ['kat.xxx.a1b2c3', false],
    ['ghp_abc123', false],
    ['eyJh.eyJz.c2ln', false],
    ['hunter2..', false],
  ])('[PB-CLIENT-2] %j stands for a secret that is to be filled in: %s', (value, isUnfilled) => {
    expect(isUnfilledSecret(value)).toBe(isUnfilled);
  });

  it('are listed for any entry', () => {
    expect(entryVariables({ env: ['x'], headers: 3 })).toEqual([]);
    expect(entryVariables({ env: { PORT: 80 } })).toEqual([{ name: 'PORT', isPlaceholder: false }]);
  });
});
