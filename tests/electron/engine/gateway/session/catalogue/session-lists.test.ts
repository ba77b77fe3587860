import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../../../../../electron/engine/catalogue/view/view.ts';
import { createClientLists } from '../../../../../../electron/engine/gateway/session/catalogue/session-lists.ts';
import {
  createViews,
  rawProfileOf,
} from '../../../../../../electron/engine/gateway/session/catalogue/views.ts';
import { catalogueOf, serverOf } from '../../../../../helper/catalogue.ts';

describe('the list of a view', () => {
  it('is created once per view and has the items as values too', () => {
    const views = createViews(createView);
    const view = createView(
      catalogueOf(serverOf('a', { tools: [{ name: 't' }] })),
      chooseProfile({ programDefault: 'safe' }),
    );
    const list = views.list(view, 'tools/list');
    expect(views.list(view, 'tools/list')).toBe(list);
    expect(list.response.result).toEqual({ tools: view.tools });
    expect(views.list(view, 'prompts/list').response.result).toEqual({ prompts: [] });
  });
});

describe('the views of two kinds of clients', () => {
  const schema = { type: 'object', properties: { $top: {} } };
  const catalogue = catalogueOf(serverOf('a', { tools: [{ name: 't', inputSchema: schema }] }));
  const clean = { type: 'object', properties: {}, required: [] };

  it('differ where only one of them refuses names of properties', () => {
    const views = createViews(createView);
    const seen = ['codex-mcp-client', 'claude-code'].map((clientName) => {
      const profile = chooseProfile({ programDefault: 'safe', clientName });
      return views.of(catalogue, profile).tools[0]?.inputSchema;
    });
    expect(seen).toEqual([schema, clean]);
  });

  it('differ for one server too', () => {
    const views = createViews(createView);
    const seen = ['codex-mcp-client', 'claude-code'].map(
      (clientName) => views.ofServer(catalogue, 'a', rawProfileOf(clientName)).tools[0]?.inputSchema,
    );
    expect(seen).toEqual([schema, clean]);
  });
});

describe('the lists a client holds', () => {
  it('are digested once, when first compared', () => {
    let asked = 0;
    const held = createClientLists();
    const digest = () => {
      asked++;
      return 'x';
    };
    held.onSent('tools/list', { digest, items: [] }, 1);
    expect(asked).toBe(0);
    expect(held.outdated(() => 'y')).toEqual(new Set(['tools']));
    expect(held.outdated(() => 'x')).toEqual(new Set());
    expect(asked).toBe(1);
  });
});
