import { AccessService } from '../../../electron/engine/access/access-service.ts';
import { Authorizer } from '../../../electron/engine/access/authorizer.ts';
import { quantile } from '../lib/stats.mjs';

const clock = { now: Date.now, uptime: () => performance.now(), after: () => ({ dispose() {} }) };
const store = {
  load: async () => ({ identities: [], grants: [], tokens: [] }),
  add() {},
  flush: async () => true,
};

/** Microseconds of one decision: of all tools by all identities, made for the first time, and remembered. */
export async function measure({ identities, tools }) {
  const book = new AccessService({
    store,
    clock,
    tokenTtl: () => 15 * 60_000,
    fallbackClients: async () => undefined,
  });
  await book.load();
  const standings = new Authorizer({ service: book, clock, cacheTtl: () => 5 * 60_000 });
  const ids = Array.from({ length: identities }, (_, index) => granted(book, index));
  const asked = Array.from({ length: tools }, (_, index) => ({
    serverKey: `server ${index % 50}`,
    name: `${index % 7 === 0 ? 'write' : 'read'}_${index}`,
    item: { annotations: { readOnlyHint: index % 3 === 0 } },
  }));
  const run = () => {
    const times = new Float64Array(identities * tools);
    let at = 0;
    for (const id of ids) {
      for (const tool of asked) {
        const begun = process.hrtime.bigint();
        standings.decide(id, tool);
        times[at++] = Number(process.hrtime.bigint() - begun) / 1_000;
      }
    }
    return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), p999: quantile(times, 0.999) };
  };
  return { identities, tools, fresh: run(), remembered: run() };
}

/** An agent as somebody who is careful sets it up: servers, single tools, patterns, a class of risk, something denied. */
function granted(book, index) {
  const { id } = book.create({ kind: 'agent', name: `agent ${index}` }, 'bench');
  const grant = (effect, scope) => book.grant({ identityId: id, effect, scope });
  for (let n = 0; n < 10; n++) grant('allow', { kind: 'server', serverKey: `server ${(index + n) % 50}` });
  for (let n = 0; n < 20; n++) {
    grant('allow', { kind: 'tool', serverKey: `server ${n}`, tool: `read_${index * 20 + n}` });
  }
  grant('ask', { kind: 'pattern', pattern: '*:write_*' });
  grant('allow', { kind: 'pattern', pattern: `server ${index % 50}:*_1*` });
  grant('ask', { kind: 'risk', risk: 'high' });
  grant('deny', { kind: 'pattern', pattern: '*:*_99?' });
  book.issueToken(id, 'server 0', 'write_0', undefined, 'bench');
  return id;
}
