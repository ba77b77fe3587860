import type { ActivityRow } from '../../../shared/model/activity/activity.ts';
import { clientProtocolText } from '../../../shared/model/server/protocol-text.ts';

const now = Date.now();

type Sample = Omit<ActivityRow, 'id' | 'at' | 'clientId'> & { readonly ago: number };

const call = { kind: 'call', method: 'tools/call', outcome: 'ok', attempts: undefined } as const;

/** Newest first. */
const samples: readonly Sample[] = [
  {
    ...call,
    ago: 4,
    clientName: 'Claude Desktop',
    serverKey: 'github',
    clientProtocol: clientProtocolText('modern', '2026-07-28'),
    serverProtocol: '2025-11-25, with sessions because it does not know server/discover',
    name: 'search_issues',
    milliseconds: 412,
    requestBytes: 214,
    answerBytes: 18_400,
  },
  {
    ...call,
    ago: 9,
    clientName: 'Cursor',
    serverKey: 'filesystem',
    name: 'read_text_file',
    milliseconds: 6,
    requestBytes: 180,
    answerBytes: 5_210,
  },
  {
    ...call,
    ago: 15,
    clientName: 'Claude Desktop',
    serverKey: 'postgres',
    name: 'query',
    outcome: 'refused',
    milliseconds: 2,
    requestBytes: 340,
    answerBytes: 190,
    attempts: 0,
    text: 'postgres is not running: it ended with exit code 1 right after its start.',
    tone: 'bad',
  },
  {
    kind: 'hub',
    outcome: 'note',
    ago: 16,
    serverKey: 'postgres',
    text: 'The server ended with exit code 1 before it was ready.',
    tone: 'bad',
  },
  {
    kind: 'question',
    outcome: 'ok',
    ago: 22,
    serverKey: 'sequential-thinking',
    clientName: 'Claude Desktop',
    method: 'sampling/createMessage',
    milliseconds: 8_240,
    requestBytes: 1_820,
    answerBytes: 2_430,
  },
  {
    kind: 'notices',
    outcome: 'note',
    ago: 24,
    serverKey: 'github',
    method: 'notifications/progress',
    count: 37,
  },
  {
    ...call,
    ago: 31,
    clientName: 'Claude Code',
    serverKey: 'sentry',
    name: 'get_issue_details_with_a_rather_long_name',
    outcome: 'tool-error',
    milliseconds: 1_240,
    requestBytes: 240,
    answerBytes: 320,
    text: 'No issue PATCHBAY-4711 in this organization.',
    tone: 'warning',
  },
  {
    ...call,
    ago: 44,
    clientName: 'Cursor',
    serverKey: 'memory',
    name: 'create_entities',
    milliseconds: 11,
    requestBytes: 860,
    answerBytes: 910,
  },
  {
    ...call,
    ago: 58,
    clientName: 'Claude Desktop',
    serverKey: 'github',
    name: 'get_file_contents',
    outcome: 'timeout',
    milliseconds: 30_000,
    requestBytes: 310,
    answerBytes: 260,
    attempts: 3,
    text: 'github did not answer within 30 s.',
    tone: 'bad',
  },
  {
    ...call,
    ago: 75,
    clientName: 'Claude Code',
    serverKey: 'filesystem',
    name: 'list_directory',
    milliseconds: 3,
    requestBytes: 98_000,
    answerBytes: 1_240_000,
    count: 1_312,
  },
  {
    kind: 'hub',
    outcome: 'note',
    ago: 90,
    clientName: 'Cursor',
    text: 'Connected through the bridge',
    tone: 'good',
  },
  { kind: 'notices', outcome: 'note', ago: 91, clientName: 'Cursor', method: 'tools/list', count: 1 },
  {
    ...call,
    ago: 140,
    clientName: 'Claude Desktop',
    serverKey: 'memory',
    method: 'resources/read',
    name: 'memory://graph',
    milliseconds: 5,
    requestBytes: 120,
    answerBytes: 64_000,
  },
  {
    ...call,
    ago: 190,
    clientName: 'Claude Desktop',
    serverKey: 'github',
    name: 'create_pull_request',
    outcome: 'cancelled',
    milliseconds: 2_100,
    requestBytes: 2_400,
    answerBytes: 0,
  },
  {
    ...call,
    ago: 240,
    clientName: 'Cursor',
    serverKey: 'postgres',
    name: 'query',
    milliseconds: 48,
    requestBytes: 410,
    answerBytes: 7_100,
    fallback: 'sqlite:query',
  },
];

export function sampleActivity(count = samples.length): readonly ActivityRow[] {
  return Array.from({ length: count }, (_, index) => {
    const { ago, ...sample } = samples[index % samples.length] as Sample;
    const round = Math.floor(index / samples.length);
    return { ...definedOnly(sample), id: count - index, at: now - (ago + round * 260) * 1_000 };
  });
}

/** Drops undefined members, like rows from the engine. */
function definedOnly<T extends object>(sample: T): T {
  return Object.fromEntries(Object.entries(sample).filter(([, value]) => value !== undefined)) as T;
}

export const sampleArguments = JSON.stringify(
  {
    q: 'repo:patchbay/patchbay is:open label:bug',
    sort: 'updated',
    perPage: 30,
    filters: { state: 'open' },
    api_key: '•••',
  },
  undefined,
  2,
);

export const sampleResult = JSON.stringify({
  content: [
    {
      type: 'text',
      text: '{"total_count": 2, "items": [{"number": 812, "title": "Window keeps its size"}]}',
    },
    { type: 'image', mimeType: 'image/png', data: '(base64, 293 KB)' },
  ],
  structuredContent: { total: 9_007_199_254_740_991, items: [{ number: 812, open: true, assignee: null }] },
});
