import { describe, expect, it } from 'vitest';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { isConnected, startHub } from '../../helper/running-hub.ts';
import { envelope, type Json } from './transport/modern/modern-peers.ts';

type Hub = Awaited<ReturnType<typeof startHub>>;

/** A stateless client over HTTP that calls one tool. */
const callAsk = async (hub: Hub, more: Json = {}) => {
  const { url, token } = hub.engine.connection();
  const params = { name: 'old__ask', arguments: {}, ...more };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, _meta: envelope() },
    }),
  });
  return { status: response.status, ...((await response.json()) as Json) };
};

const answers = (result: Json) => {
  const [key = ''] = Object.keys(result.inputRequests);
  const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
  return { inputResponses, requestState: result.requestState };
};

describe('[PB-DUAL-2] [PB-DUAL-4] a call that waits for the answers of its client', () => {
  it('goes on with them, once', async () => {
    await using hub = await startHub({ old: nodeEntry(fixture('legacy-ask')) });
    await isConnected(hub, 'old');
    const { result } = await callAsk(hub);
    const retry = answers(result);
    expect(await callAsk(hub, retry)).toMatchObject({ result: { content: [{ text: 'accept Ada' }] } });
    expect(await callAsk(hub, retry)).toMatchObject({ status: 200, error: { code: -32602 } });
  });

  it('is not begun again after a restart of the hub; the next call is fresh', async () => {
    await using hub = await startHub({ old: nodeEntry(fixture('legacy-ask')) });
    await isConnected(hub, 'old');
    const { result } = await callAsk(hub);
    await hub.restart();
    await isConnected(hub, 'old');
    const refused = await callAsk(hub, answers(result));
    expect(refused.error).toMatchObject({ code: -32602 });
    const again = await callAsk(hub);
    expect(again.result).toMatchObject({ resultType: 'input_required' });
    expect(await callAsk(hub, answers(again.result))).toMatchObject({
      result: { content: [{ text: 'accept Ada' }] },
    });
  });
});
