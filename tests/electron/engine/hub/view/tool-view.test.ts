import { describe, expect, it } from 'vitest';
import { toolSummaries } from '../../../../../electron/engine/hub/view/tool-view.ts';
import { serverOf } from '../../../../helper/catalogue.ts';

describe('tools in a list', () => {
  it('marks a tool that strict clients get corrected', () => {
    const server = serverOf('a', { tools: ['good', { name: 'bad', inputSchema: { type: 'string' } }] });
    expect(toolSummaries(server, new Set(['good']), () => undefined)).toEqual([
      { serverKey: 'a', name: 'good', description: 'Does good', enabled: false },
      { serverKey: 'a', name: 'bad', enabled: true, unfit: true },
    ]);
  });
});
