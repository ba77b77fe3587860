import type { ClientDetail, ClientWeight, KnownClient } from '../../../shared/model/client/client-detail.ts';
import { type CompactSource, defaultCompactSettings } from '../../../shared/model/client/compact.ts';
import { sampleServers } from './sample-servers.ts';
import { sampleTools } from './sample-tools.ts';

const shortTools = ['search_tools', 'describe_tool', 'call_tool'].map((name) => ({
  name,
  wireName: name,
  calls: 0,
}));

const idOf = ({ serverKey, name }: { serverKey: string; name: string }) => `${serverKey}:${name}`;

const dayAgo = Date.now() - 86_400_000;

/** Details of a client: Claude Desktop has an old list, Cursor gets too many tools, the others are fine. */
export function sampleDetail(id: string, name: string, compact?: CompactSource): ClientDetail {
  const listed = sampleTools(sampleServers).filter((tool) => tool.enabled);
  const all = listed.map((tool, index) => ({
    serverKey: tool.serverKey,
    name: tool.name,
    wireName: `${tool.serverKey}__${tool.name}`,
    calls: index % 7 === 0 ? (index % 5) * 11 + 3 : 0,
  }));
  const tools = compact === undefined ? all : [...shortTools, ...all.slice(0, 2)];
  const isStale = name === 'claude-ai';
  const isCursor = name === 'cursor-vscode';
  return {
    id,
    name,
    connected: !id.startsWith('known:'),
    nameStyle: 'safe',
    longestName: isCursor ? 51 : 64,
    ...(isCursor ? { toolCap: 40 } : {}),
    honoursListChanged: !isStale,
    heldRevision: isStale ? 11 : 15,
    revision: 15,
    list: isStale ? 'outdated' : 'current',
    ...(isStale
      ? {
          difference: {
            added: ['github__create_gist', 'github__list_releases'],
            removed: ['memory__forget'],
            changed: ['github__get_issues'],
          },
        }
      : {}),
    tools,
    leftOut: [
      {
        code: 'tool.name_clash',
        sentence:
          'The tools a:search and b:search would both be called "a__search"; a:search keeps the name.',
        fix: 'Call the other one as b:search, choose safe or colon names, or rename a server.',
        evidence: [],
      },
    ],
    withheld: { disabled: 4, held: 3 },
    countedSince: dayAgo - 20 * 86_400_000,
    compact: {
      ...(compact === undefined ? {} : { by: compact }),
      settings:
        compact === undefined ? defaultCompactSettings : { direct: 0, pinned: all.slice(0, 2).map(idOf) },
      tools: all.length,
    },
    fixes: [
      ...(isStale
        ? [
            {
              kind: 'restart' as const,
              sentence:
                'Claude Desktop keeps the list that it received at startup. Quit it, including its tray icon, and start it again.',
            },
          ]
        : []),
      ...(isCursor && compact === undefined
        ? [
            {
              kind: 'fewer-tools' as const,
              sentence: `Cursor gets ${tools.length} tools, but works reliably with at most 40: beyond that it truncates the list, warns or fails.`,
            },
            {
              kind: 'compact' as const,
              sentence: `In compact mode Cursor gets only a few tools, which find and call all ${tools.length}.`,
            },
          ]
        : []),
    ],
  };
}

export function sampleWeight({ tools, compact: { by } }: ClientDetail): ClientWeight {
  const weights = tools.map(({ wireName }, index) => [wireName, 90 + ((index * 37) % 400)] as const);
  const total = weights.reduce((sum, [, tokens]) => sum + tokens, 0);
  const compact = { whole: 95_045, short: by === undefined ? 412 : total, perTool: 655 };
  return { total, byName: Object.fromEntries(weights), compact };
}

export function sampleKnown(): readonly KnownClient[] {
  return [{ id: 'known:codex-mcp-client', name: 'codex-mcp-client', calls: 41, lastUsedAt: dayAgo }];
}
