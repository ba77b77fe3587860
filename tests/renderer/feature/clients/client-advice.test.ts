import { describe, expect, it } from 'vitest';
import { staleAdvice } from '../../../../renderer/feature/clients/client-advice.ts';
import { clientTitle } from '../../../../renderer/lib/server/client-title.ts';

describe('a client with an outdated list', () => {
  it('gets the matching advice', () => {
    expect(staleAdvice({ name: 'claude-ai' })).toContain('Restart Claude Desktop');
    expect(staleAdvice({ name: 'cursor-vscode' })).toContain('Cursor was notified of the change');
  });

  it('is shown by its familiar name', () => {
    expect(clientTitle({ name: 'x', title: 'My agent' })).toBe('My agent');
    expect(clientTitle({ name: 'claude-ai' })).toBe('Claude Desktop');
    expect(clientTitle({ name: 'unheard-of' })).toBe('unheard-of');
    expect(clientTitle({ name: '' })).toBe('Not identified yet');
  });
});
