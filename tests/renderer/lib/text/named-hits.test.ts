import { describe, expect, it } from 'vitest';
import { sortHits } from '../../../../renderer/lib/text/named-hits.ts';
import type { SearchHit } from '../../../../shared/model/tool/search.ts';

function hit(serverKey: string, name: string, more: Partial<SearchHit> = {}): SearchHit {
  return {
    kind: 'tool',
    serverKey,
    name,
    enabled: true,
    risk: 'unstated',
    score: 0.5,
    matched: [],
    isClassified: false,
    skills: [],
    ...more,
  };
}

const names = (hits: readonly SearchHit[]) => hits.map(({ serverKey, name }) => `${serverKey}:${name}`);

describe('hits of a search', () => {
  it('[AG-US2-AC1] are separated by name: exact before prefix, and synonym matches are only related', () => {
    const hits = [
      hit('bench', 'delete_everything'),
      hit('shop', 'create_order_draft'),
      hit('bench', 'create_order'),
      hit('crm', 'place', { title: 'Create order' }),
      hit('mail', 'compose', { description: 'Creates an order by mail: create_order.' }),
    ];
    const { named, related } = sortHits(hits, 'create_order');
    expect(names(named)).toEqual(['bench:create_order', 'crm:place', 'shop:create_order_draft']);
    expect(names(related)).toEqual(['bench:delete_everything', 'mail:compose']);
  });

  it.each([
    ['createOrder', ['bench:create_order']],
    ['Create order', ['bench:create_order']],
    ['bench create', ['bench:create_order']],
    ['bench:create_order', ['bench:create_order']],
    ['bench__create_order', ['bench:create_order']],
    ['ben', ['bench:create_order', 'bench:delete_everything']],
    ['order', []],
    ['creat ordre', []],
    ['  ?! ', []],
  ])('[AG-US2-AC1] are named by %j as people type it', (query, expected) => {
    const hits = [hit('bench', 'create_order'), hit('bench', 'delete_everything')];
    const { named, related } = sortHits(hits, query);
    expect(names(named)).toEqual(expected);
    expect(named.length + related.length).toBe(hits.length);
  });

  it('[AG-US2-AC1] keep the order in which they were found among equals', () => {
    const hits = [hit('b', 'get'), hit('a', 'get'), hit('get', 'x'), hit('c', 'other')];
    expect(names(sortHits(hits, 'get').named)).toEqual(['b:get', 'a:get', 'get:x']);
  });
});
