import { describe, expect, it, vi } from 'vitest';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { isConnected, startHub } from '../../helper/running-hub.ts';

const marker = 'nobody reads this';

/** A client that parses nothing itself, since it runs in the same process as the hub. */
async function connect({ url, token }: { readonly url: string; readonly token: string }) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
  };
  const post = async (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const response = await fetch(url, { method: 'POST', headers, body });
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
    return response.text();
  };
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  await post({ id: 0, method: 'initialize', params });
  await post({ method: 'notifications/initialized' });
  return post;
}

describe('what a call carries', () => {
  it('[PB-PASS-1] is never parsed on its path, even when it is recorded and counted', async () => {
    const settings = { audit: true, recordActivity: true };
    await using hub = await startHub({ echo: nodeEntry(fixture('echo')) }, settings);
    await isConnected(hub, 'echo');
    const post = await connect(hub.engine.connection());
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const params = { name: 'echo__echo', arguments: { text: marker } };
      expect(await post({ id: 1, method: 'tools/call', params })).toContain(marker);
      const parsed = parse.mock.calls.map(([text]) => text);
      expect(parsed.filter((text) => text.includes(marker))).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });
});
