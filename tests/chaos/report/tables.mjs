import { quantile } from '../../bench/lib/stats.mjs';
import { verdictsOf } from './verdicts.mjs';

/** The tables of a report as `{ title, note, head, rows }`, for whoever prints them. */
export function tablesOf(result) {
  const { storm, crowd, crashloop, many, idle } = result;
  return [
    verdictTable(verdictsOf(result)),
    ...(storm === undefined ? [] : stormTables(storm)),
    ...(crowd === undefined ? [] : crowdTables(crowd)),
    ...(crashloop === undefined ? [] : [crashLoopTable(crashloop)]),
    ...(many === undefined ? [] : [manyTable(many)]),
    ...(idle === undefined ? [] : [idleTable(idle)]),
  ];
}

function verdictTable(verdicts) {
  return {
    title: 'What must hold',
    note: 'Every rule is checked over every request of the run.',
    head: ['phase', 'rule', 'holds', 'what was seen'],
    rows: verdicts.map(({ phase, rule, ok, detail }) => [
      phase,
      rule,
      ok === undefined ? '–' : ok ? 'yes' : 'NO',
      detail,
    ]),
  };
}

function stormTables({ requests, seen, faults, hubs, seconds, servers, clients }) {
  return [
    {
      title: 'Requests of the storm',
      note: `${clients} clients and ${servers} servers, ${seconds} s. \`cut\`: the connection ended because a bridge or the hub was ended, which is the answer. \`cancelled\`: taken back by the client.`,
      head: ['all', 'result', 'error', 'cut', 'cancelled'],
      rows: [['all', 'result', 'error', 'cut', 'cancelled'].map((name) => count(requests[name]))],
    },
    counted('By what was asked', 'request', requests.byKind),
    counted('By error', 'error', requests.errors),
    counted('What clients were told and asked besides', 'message', seen),
    counted('What was done to it', 'fault', {
      ...faults,
      'hub lives': hubs.lives,
      'hub lives that a bridge began': hubs.byBridges,
    }),
  ];
}

function crowdTables({ requests, seen, servers, clients }) {
  return [
    {
      title: 'Requests of the crowd',
      note: `${clients} clients and ${servers} servers, both eras of both, over stdio and HTTP, with no faults.`,
      head: ['all', 'result', 'error', 'cancelled'],
      rows: [['all', 'result', 'error', 'cancelled'].map((name) => count(requests[name]))],
    },
    counted('What the crowd was told and asked besides', 'message', seen),
  ];
}

function counted(title, what, counts) {
  const rows = Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
  return { title, note: '', head: [what, 'times'], rows: rows.map(([name, times]) => [name, count(times)]) };
}

function crashLoopTable({ blocks, ratios }) {
  const names = {
    quiet: 'none',
    light: 'scripts, as servers of the hub',
    'light bare': 'the same, nobody’s servers',
    node: 'Node programs, as servers of the hub',
    'node bare': 'the same, nobody’s servers',
  };
  return {
    title: 'A healthy server beside five that crash',
    note: 'p99 of its calls by block; the blocks were taken in turn, in one run of one hub. What the same five do to it as nobody’s servers is the machine’s share: a Node program’s start alone keeps a processor busy.',
    head: ['what crashes', 'best block', 'median', 'worst block', 'times that with none'],
    rows: Object.entries(names).map(([kind, name]) => [
      name,
      ...[0, 0.5, 1].map((share) => `${quantile(blocks[kind], share).toFixed(2)} ms`),
      ratios[kind] === undefined ? '' : ratios[kind].median.toFixed(2),
    ]),
  };
}

function manyTable({ servers, tools, complete, list, listAfter, off, on, idle, idleFor, megabytes }) {
  const ms = (value) => `${Math.round(value)} ms`;
  return {
    title: `${servers} servers, ${tools.toLocaleString('en')} tools`,
    note: 'A client over HTTP; the list holds all tools and is parsed by the client within the time. The idle hub checks each server every 30 s and once collects the garbage of what was asked before, which is most of its CPU.',
    head: ['figure', 'value'],
    rows: [
      ['start until the list is whole', ms(complete)],
      ['list', ms(list)],
      ['turned off by hand until a client is told', ms(off)],
      ['turned on by hand until a client is told', ms(on)],
      ['first list after that', ms(listAfter)],
      [`CPU of the idle hub, over ${idleFor / 1_000} s`, `${idle.toFixed(2)} %`],
      ['memory of the hub', `${Math.round(megabytes)} MB`],
    ],
  };
}

function idleTable({ rows }) {
  return {
    title: 'Bridges whose clients are silent',
    note: 'Share of one processor over 30 s.',
    head: ['bridge', 'CPU'],
    rows: rows.map(({ name, share }) => [name, `${share.toFixed(3)} %`]),
  };
}

const count = (value = 0) => value.toLocaleString('en');
