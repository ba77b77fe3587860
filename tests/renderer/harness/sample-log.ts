import type { LogLine, ProcessUsage, ServerView } from '../../../shared/model/server/server.ts';

const esc = '\u001b';

/**
 * A log with every kind of line: the hub's own, stderr with colours, stray stdout, MCP messages, a long line.
 */
export function sampleLog(key: string): LogLine[] {
  const start = Date.now() - 600_000;
  const opening: [LogLine['stream'], string][] = [
    ['hub', `Starting ${key}: npx -y @modelcontextprotocol/server-${key}`],
    ['hub', 'Resolved npx to /usr/local/bin/npx'],
    [
      'stderr',
      `${esc}[33mnpm warn${esc}[0m deprecated node-domexception@1.0.0: use the platform’s DOMException`,
    ],
    ['stdout', `${key} MCP server running on stdio`],
    ['hub', 'Handshake done in 812 ms, MCP 2025-11-25'],
    ['server', '[info] ready: 51 tools registered'],
    ['stderr', `${esc}[2mdebug${esc}[0m ${'cache '.repeat(40)}warm`],
  ];
  const rest = Array.from({ length: 400 }, (_, index): [LogLine['stream'], string] => [
    index % 23 === 7 ? 'server' : 'stderr',
    index % 31 === 9
      ? `error: rate limit reached, waiting ${index % 7} s`
      : `GET /repos/acme/site/issues?page=${index} 200 in ${20 + (index % 90)} ms`,
  ]);
  return [...opening, ...rest].map(([stream, text], index) => ({
    seq: index + 1,
    at: start + index * 1400,
    stream,
    text,
  }));
}

/** A process tree of npx, shell and node; one per client for per-client servers. */
export function sampleUsage(server: ServerView, index: number): ProcessUsage {
  const trees = Math.max(1, server.instances);
  const processes = Array.from({ length: trees }, (_, tree) => sampleTree(server, index, tree)).flat();
  const sum = (part: 'memory' | 'cpu') => processes.reduce((total, one) => total + one[part], 0);
  return { key: server.key, processes, memory: sum('memory'), cpu: sum('cpu') };
}

function sampleTree(server: ServerView, index: number, tree: number): ProcessUsage['processes'] {
  const pid = 51_000 + index * 20 + tree * 4;
  const startedAt = (server.connectedAt ?? Date.now()) - 2_400 + tree * 700_000;
  const wave = Math.round(Math.random() * 2_000_000);
  return [
    { pid, parent: 48_213, command: 'npx', memory: 46_000_000 + index * 1_500_000, cpu: 0, startedAt },
    {
      pid: pid + 1,
      parent: pid,
      command: 'sh -c mcp-server',
      memory: 1_200_000,
      cpu: 0,
      startedAt: startedAt + 1_800,
    },
    {
      pid: pid + 2,
      parent: pid + 1,
      command: `node ${server.target.split(' ')[2] ?? server.key}`,
      memory: 71_000_000 + index * 2_300_000 - tree * 8_000_000 + wave,
      cpu: tree === 0 ? 0.4 + (index % 5) : 0,
      startedAt: startedAt + 1_900,
    },
  ];
}
