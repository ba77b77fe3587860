import { describe, expect, it } from 'vitest';
import { entryVariables } from '../../../shared/model/entry-variable.ts';

describe('what a server is given', () => {
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

  it('is told of whatever stands there', () => {
    expect(entryVariables({ env: ['x'], headers: 3 })).toEqual([]);
    expect(entryVariables({ env: { PORT: 80 } })).toEqual([{ name: 'PORT', isPlaceholder: false }]);
  });
});
