import { machineText } from '../../bench/report/print.mjs';
import { tablesOf } from './tables.mjs';
import { verdictsOf } from './verdicts.mjs';

/** The page in docs/. */
export function renderDocument(result) {
  const verdicts = verdictsOf(result);
  const held = verdicts.filter(({ ok }) => ok === true).length;
  return `${[
    '# Chaos',
    'Written by `npm run chaos`; do not edit.',
    `Run on ${machineText(result.machine)}, revision ${result.revision}, seed ${result.seed}, ${result.took} s. ${held} of ${verdicts.length} rules and figures hold.`,
    method,
    ...tablesOf(result).map(tableText),
  ].join('\n\n')}\n`;
}

const method = `## Method

\`\`\`
npm run chaos                                 # everything, about 20 minutes, writes this page
npm run chaos -- --seconds 60 --only storm    # a short storm, writes nothing
npm run chaos -- --seed 7 --json FILE         # another plan; every count
\`\`\`

- All parts are real: a headless hub, servers as processes (ours, npm packages, one behind a shell, one behind \`npx\`, two
  reached over HTTP), half of the clients through bridges, half over Streamable HTTP, each with four active requests. About
  half of the servers and half of each kind of clients know no sessions (MCP 2026-07-28); such clients over HTTP share one token.
- A seed determines the requests of clients and the faults: servers, bridges and the hub killed with -9, the hub asked to quit,
  servers and the hub stopped for a while, servers that hang, start slowly, fail at every start for a while or talk
  garbage, \`mcp.json\` edited by hand (whole, in halves, broken and fixed, emptied and filled), entries toggled as fast as a
  user can, removed and restored, strange files in the data folder. Bridges start the hub again, or it is started by
  hand some time later.
- Every call carries its client and a unique number. Servers record each run in a file before anything else can happen,
  so that every run is known whatever happens afterwards. Servers' requests name the client they are meant for.
- For a request interrupted by the end of its bridge, or of the hub over HTTP, that counts as its answer. A request that waits while
  the hub runs must be answered: all are awaited at the end, when everything has recovered.
- Errors must be true: \`call.server_unavailable\` only if the tool did not run, a result only if it did.
- Connection attempts are counted from the servers' own records: a start without a handshake is a failed attempt unless it was
  interrupted. A server that was made to fail at its starts counts from when it could start again.
- The hub is ended now and then in the first half only. Its memory is what is left after a collection of all garbage, each
  five seconds; open files are counted each second. Within one life:
  the least of the last third of the longest life's samples (its first 15 s left out) against that of the second
  third: large messages that are on their way at a sample are not kept.
  After the storm a hub on the folder that all those lives have left is held against one on a new folder, seven lives of
  each in turn, with the same servers, the same work and at the same age, by their means: what grows from life to life
  can only be what is kept.
- Processes are found by a tag in their environment, which every child inherits, wherever it moves.`;

function tableText({ title, note, head, rows }) {
  const lines = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  return [`## ${title}`, ...(note === '' ? [] : [note]), lines].join('\n\n');
}

function line(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
