import { quantile } from '../../bench/lib/stats.mjs';
import { verdictsOf } from './verdicts.mjs';

/** The tables of a report as `{ title, note, head, rows }`, for whoever prints them. */
export function tablesOf(result) {
  const { storm, crashloop, many, idle } = result;
  return [
    verdictTable(verdictsOf(result)),
    ...(storm === undefined ? [] : stormTables(storm)),
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

function counted(title, what, counts) {
  const rows = Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
  return { title, note: '', head: [what, 'times'], rows: rows.map(([name, times]) => [name, count(times)]) };
}

function crashLoopTable(crashloop) {
  const row = (name, values) => [
    name,
    ...[0, 0.5, 1].map((share) => `${quantile(values, share).toFixed(2)} ms`),
  ];
  return {
    title: 'A healthy server beside five that crash',
    note: 'p99 of its calls by block; the blocks were taken in turn, in one run of one hub.',
    head: ['five others', 'best block', 'median', 'worst block'],
    rows: [
      row('switched off', crashloop.blocks.without),
      row('crash as servers of the hub', crashloop.blocks.with),
      row('crash as nobody’s servers', crashloop.blocks.bare),
    ],
  };
}

function manyTable({ servers, tools, complete, list, listAfter, off, on, idle, megabytes }) {
  const ms = (value) => `${Math.round(value)} ms`;
  return {
    title: `${servers} servers, ${tools.toLocaleString('en')} tools`,
    note: 'A client over HTTP; the list holds all tools and is parsed by the client within the time.',
    head: ['figure', 'value'],
    rows: [
      ['start until the list is whole', ms(complete)],
      ['list', ms(list)],
      ['switched off by hand until a client is told', ms(off)],
      ['switched on by hand until a client is told', ms(on)],
      ['first list after that', ms(listAfter)],
      ['CPU of the idle hub', `${idle.toFixed(2)} %`],
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
