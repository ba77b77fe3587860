import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import type { CatalogueServer } from '../../../../../electron/engine/catalogue/contract.ts';
import { compileUriTemplate } from '../../../../../electron/engine/catalogue/view/resource-list.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';

const view = (...servers: CatalogueServer[]) =>
  createView(catalogueOf(...servers), chooseProfile({ programDefault: 'safe' }));

describe('resources of a view', () => {
  const resources = [{ uri: 'demo://shared', name: 'Shared', 'x-kept': [1] }];
  const first = serverOf('first', { resources });
  const second = serverOf('the second/1', { resources: [...resources, { uri: 'demo://own', name: 'Own' }] });
  const wrapped = 'patchbay://resource/the%20second%2F1/demo://shared';

  it('[FR-008] keep their URIs and everything else raw', () => {
    expect(view(first).resources[0]).toBe(resources[0]);
    expect(view(first).findResource('demo://shared')).toEqual({ serverKey: 'first', uri: 'demo://shared' });
  });

  it('[EDGE-3] leave a URI claimed twice to the earlier server, wrap the later, and report both', () => {
    const seen = view(first, second);
    expect(seen.resources.map(({ uri }) => uri)).toEqual(['demo://shared', wrapped, 'demo://own']);
    expect(seen.resources[1]).toEqual({ ...resources[0], uri: wrapped });
    expect(seen.findResource('demo://shared')?.serverKey).toBe('first');
    expect(seen.findResource(wrapped)).toEqual({ serverKey: 'the second/1', uri: 'demo://shared' });
    expect(seen.problems).toMatchObject([{ code: 'resource.uri_clash' }]);
    expect(seen.problems[0]?.sentence).toContain('first');
    expect(seen.problems[0]?.sentence).toContain('the second/1');
  });

  it('tell a notice about an updated resource by the URI that the client was told', () => {
    const seen = view(first, second);
    expect(seen.wireUri('first', 'demo://shared')).toBe('demo://shared');
    expect(seen.wireUri('the second/1', 'demo://shared')).toBe(wrapped);
    expect(seen.wireUri('the second/1', 'demo://own')).toBe('demo://own');
    expect(seen.wireUri('first', 'demo://unlisted')).toBe('demo://unlisted');
  });

  it('are found through the template that says most about them, and by the template itself', () => {
    const wide = serverOf('wide', { resourceTemplates: [{ uriTemplate: 'demo://{+path}', name: 'All' }] });
    const narrow = serverOf('narrow', {
      resourceTemplates: [{ uriTemplate: 'demo://item/{id}', name: 'Item' }],
    });
    const seen = view(wide, narrow);
    expect(seen.findResource('demo://item/7')?.serverKey).toBe('narrow');
    expect(seen.findResource('demo://item/7/more')?.serverKey).toBe('wide');
    expect(seen.findResource('demo://item/{id}')).toEqual({ serverKey: 'narrow', uri: 'demo://item/{id}' });
    expect(seen.findResource('other://item')).toBeUndefined();
  });

  it('keep a wrapped template a template', () => {
    const resourceTemplates = [{ uriTemplate: 'demo://item/{id}', name: 'Item' }];
    const seen = view(serverOf('a', { resourceTemplates }), serverOf('b', { resourceTemplates }));
    expect(seen.resourceTemplates[1]).toMatchObject({
      uriTemplate: 'patchbay://resource/b/demo://item/{id}',
    });
    expect(seen.findResource('patchbay://resource/b/demo://item/7')).toEqual({
      serverKey: 'b',
      uri: 'demo://item/7',
    });
    expect(seen.findResource('demo://item/7')?.serverKey).toBe('a');
  });

  it('are asked of the only server with resources when no list names them', () => {
    const tools = serverOf('tools', { tools: ['t'] });
    expect(view(tools, first).findResource('demo://from-a-result')?.serverKey).toBe('first');
    expect(view(first, second).findResource('demo://from-a-result')).toBeUndefined();
    expect(view(first).findResource('patchbay://resource/unknown/demo://x')?.serverKey).toBe('first');
  });
});

describe('compileUriTemplate', () => {
  it.each([
    ['demo://{id}', 'demo://7', true],
    ['demo://{id}', 'demo://7/8', false],
    ['demo://{id}', 'other://7', false],
    ['demo://{id}/log', 'demo://7/log', true],
    ['demo://{id}/log', 'demo://7/lo', false],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file:///{path*}', 'file:///a', true],
    ['demo://s{/path}', 'demo://s/a/b', true],
    ['demo://s{?q,page}', 'demo://s?q=1&page=2', true],
    ['demo://s{?q}', 'demo://s', true],
    ['demo://{a}-{b}', 'demo://1-2-3', true],
    ['demo://{a}{b}x', 'demo://12y', false],
    ['demo://fixed', 'demo://fixed', true],
    ['demo://{open', 'demo://{open', true],
    ['demo://ü/{x}', 'demo://ü/🚀', true],
  ])('%s against %s is %s', (template, uri, expected) => {
    expect(compileUriTemplate(template).matches(uri)).toBe(expected);
  });

  it('does not let a server hang the hub with a hostile template', () => {
    const template = `demo://${'{a}'.repeat(200)}{b}x`;
    expect(compileUriTemplate(template).matches(`demo://${'a'.repeat(2000)}`)).toBe(false);
  });
});
