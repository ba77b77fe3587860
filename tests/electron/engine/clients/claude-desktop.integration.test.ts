import { describe, expect, it } from 'vitest';
import type { ConnectClient } from '../../../../shared/model/client/connect.ts';
import { startClaudeDesktop } from '../../../helper/claude-desktop.ts';
import { type ConnectHub, startConnectHub, textOfFile } from '../../../helper/connect-hub.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';

const servers = {
  echo: nodeEntry(fixture('echo')),
  // Names for which a strict client would reject all tools, if they were sent unchanged.
  'odd server': { ...nodeEntry(fixture('odd-names')), env: { NAMES: '["a:b","c.d/e","f g"]' } },
};
const own = '{"mcpServers":{},"globalShortcut":"Ctrl+Space"}';
const path = '.config/Claude/claude_desktop_config.json';
const id = 'claude-desktop';

async function connectedHub(
  more: { readonly bundle?: string } = {},
): Promise<{ hub: ConnectHub; file: string }> {
  const hub = await startConnectHub({ platform: 'linux', servers, ...more });
  await eventually(() => expect(hub.engine.tools()).toHaveLength(5));
  const file = await hub.put(path, own);
  await hub.connected(id);
  return { hub, file };
}

// Skipped on Windows because the launcher that these tests start is a shell script.
describe.skipIf(process.platform === 'win32')('Claude Desktop, by its habits', () => {
  it('[PB-CLIENT-1] [PB-NAMES-1] [PB-BRIDGE-1] starts the entry twice and kills a third: each session works', async () => {
    const { hub, file } = await connectedHub();
    await using _ = hub;
    await using claude = startClaudeDesktop(file, hub.home);
    await claude.saw('started');
    const lists = claude.happenings.filter(({ event }) => event === 'listed');
    expect(lists).toHaveLength(2);
    for (const { names } of lists) expect(names).toHaveLength(5);
    expect(claude.happenings.filter(({ event }) => event === 'toast' || event === 'spawn-failed')).toEqual(
      [],
    );
    for (const session of [0, 1]) {
      const call = { do: 'call', session, name: 'echo__echo', args: { text: `of ${session}` } };
      const { result } = await claude.order(call, 'result');
      expect(result).toMatchObject({ content: [{ text: `{"text":"of ${session}"}` }] });
    }
  });

  it('[PB-CLIENT-1] [PB-BRIDGE-1] keeps its first list and takes no large result: the session goes on', async () => {
    const { hub, file } = await connectedHub();
    await using _ = hub;
    await using claude = startClaudeDesktop(file, hub.home);
    await claude.saw('started');
    await hub.engine.run('server.add', { servers: [{ key: 'late', entry: nodeEntry(fixture('echo')) }] });
    await claude.saw('asked-again');
    const big = { do: 'call', name: 'echo__echo', args: { text: 'x'.repeat(1_100_000) } };
    expect((await claude.order(big, 'result')).error).toMatch(/maximum length/);
    const small = { do: 'call', name: 'echo__echo', args: { text: 'small' } };
    expect((await claude.order(small, 'result')).result).toMatchObject({
      content: [{ text: '{"text":"small"}' }],
    });
  });

  it('[PB-CLIENT-1] is not written to while it runs, is asked to quit, and is written to afterwards', async () => {
    await using hub = await startConnectHub({ platform: 'linux', servers, seesProcesses: true });
    const file = await hub.put(path, own);
    await using claude = startClaudeDesktop(file, hub.home, true);
    await claude.saw('started');
    const preview = await hub.engine.run('connect.preview', { id });
    expect(preview).toMatchObject({ mustQuit: true, running: [{ name: 'claude-desktop' }] });
    await expect(hub.engine.run('connect.apply', { id, previewId: preview.previewId })).rejects.toMatchObject(
      {
        problem: { code: 'client.running' },
      },
    );
    expect(await textOfFile(file)).toBe(own);
    expect((await hub.engine.run('connect.quitClient', { id })).quit).toBe(true);
    await claude.exited;
    await hub.connected(id);
    expect((await hub.engine.run('connect.prove', { id })).ok).toBe(true);
  });

  it('[PB-CLIENT-1] wipes the entry: this is noticed and reported, and the entry is restored only with consent', async () => {
    await using hub = await startConnectHub({ platform: 'linux', servers, bundle: fixture('echo') });
    const file = await hub.put(path, own);
    const told: ConnectClient[] = [];
    hub.engine.events['connect.changed'](
      ({ clients }) => void told.push(...clients.filter((client) => client.id === id)),
    );
    for (const round of [1, 2]) {
      // The client read its file before we wrote, and is not seen because it runs under another name.
      await using claude = startClaudeDesktop(file, hub.home);
      await claude.saw('started');
      await hub.connected(id);
      await claude.order({ do: 'setting', name: 'round', value: round }, 'saved');
      await eventually(() => expect(told.at(-1)?.status).toBe('wiped'));
      const wiped = await hub.client(id);
      expect(wiped).toMatchObject({ wipes: round, suggestBundle: round === 2, canUndo: true });
      expect(wiped.problem?.code).toBe('client.config_wiped');
      const after = await textOfFile(file);
      await hub.engine.checkClients();
      expect(await textOfFile(file)).toBe(after);
    }
    const before = await textOfFile(file);
    await hub.connected(id);
    expect((await hub.client(id)).status).toBe('connected');
    expect((await hub.engine.run('connect.prove', { id })).ok).toBe(true);
    expect((await hub.engine.run('connect.undo', { id })).files).toMatchObject([{ kind: 'restored' }]);
    expect(await textOfFile(file)).toBe(before);
  });
});
