import { describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../../../electron/engine/config/contract.ts';
import { statusText } from '../../../../../electron/engine/hub/view/status-text.ts';
import type { ServerState } from '../../../../../electron/engine/servers/contract.ts';
import { problem } from '../../../../../shared/error/problem.ts';

const server = (key: string, enabled = true) => ({ key, enabled }) as ConfiguredServer;
const missing = problem('server.command_not_found', 'The command "npx" was not found.', 'Install Node.js.');

describe('the status for a client without tools', () => {
  it('names each server with its problem and fix', () => {
    const states = new Map<string, { readonly state: ServerState }>([
      ['github', { state: { status: 'error', since: 1, problem: missing } }],
      ['files', { state: { status: 'connecting', since: 1 } }],
    ]);
    expect(statusText([server('github'), server('files'), server('off', false)], states)).toBe(
      [
        'Patchbay is running, but none of its servers has tools available right now.',
        '- github: error. The command "npx" was not found. Install Node.js.',
        '- files: connecting.',
        '- off: turned off. Turn it on in Patchbay, or with "patchbay enable off".',
      ].join('\n'),
    );
  });

  it('[PB-SAFE-1] names the commands to list and approve blocked tools without a window', () => {
    const states = new Map<string, { readonly state: ServerState }>([
      ['gh', { state: { status: 'connecting', since: 1 } }],
    ]);
    const text = statusText([server('gh')], states, { held: () => 2 });
    expect(text).toContain('its 2 tools are blocked');
    expect(text).toContain('"patchbay guard list gh" and "patchbay guard approve gh"');
  });

  it('says so if no server has been added', () => {
    expect(statusText([], new Map())).toContain('no MCP servers have been added yet');
  });
});
