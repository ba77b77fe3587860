import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { nameViolation, toolCapWarning } from '../../../../electron/engine/clients/proof/name-rule.ts';

const ruleOf = (clientName: string) => chooseProfile({ clientName, programDefault: 'safe' });

describe('the rule of a client for names', () => {
  it.each([
    ['claude-ai', ['a__b', 'x'.repeat(64)], undefined],
    ['claude-ai', ['a__b', 'a:b'], '1 of 2 names would be refused, for example "a:b".'],
    ['claude-ai', ['x'.repeat(65)], /would be refused/],
    ['cursor-vscode', ['x'.repeat(52)], /would be refused/],
    ['claude-code', ['a:b'], undefined],
    ['claude-ai', ['a', 'b', 'a'], 'The name "a" is listed twice.'],
    ['claude-ai', [undefined], /would be refused/],
  ])('[PB-NAMES-1] %s: %j', (client, names, fault) => {
    const found = nameViolation(names, ruleOf(client));
    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });

  it('[PB-NAMES-1] too many tools for the client are reported', () => {
    expect(toolCapWarning(41, ruleOf('cursor-vscode'))).toContain('40');
    expect(toolCapWarning(40, ruleOf('cursor-vscode'))).toBe('');
  });
});
