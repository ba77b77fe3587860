/** `npm run test:clients`: real clients in front of a real hub, with a script in place of their model. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildParts } from '../../build/build.mjs';
import { root } from '../bench/lib/places.mjs';
import { clients } from './clients.mjs';
import { peers, playEras } from './eras.mjs';
import { play } from './play.mjs';
import { isAcross, isFine, renderDocument, renderEras, renderTable } from './report.mjs';

const names = [...new Set([...clients, ...peers.map(({ peer }) => peer)].map(({ name }) => name))];
const usage = `npm run test:clients [-- OPTIONS]

  --only NAME,…   only these: ${names.join(', ')}; writes no document
  --help
`;

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const only = values.only?.split(',').map((name) => name.trim().toLowerCase());
const isChosen = ({ name }) => only?.includes(name.toLowerCase()) ?? true;
const chosen = clients.filter(isChosen);
const chosenPeers = peers.filter(({ peer }) => isChosen(peer));
if (chosen.length + chosenPeers.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}
await buildParts(['patchbay', 'bridge', 'aggregator']);
const plays = [];
for (const client of chosen) plays.push({ client, ...(await outcomeOf(client, '', () => play(client))) });
const eraPlays = [];
for (const each of chosenPeers)
  eraPlays.push({ ...each, ...(await outcomeOf(each.peer, each.way, () => playEras(each))) });
console.log(`\n${renderTable(plays)}\n\n${renderEras(eraPlays)}\n`);
if (only === undefined) await writeFile(join(root, 'docs', 'clients.md'), renderDocument(plays, eraPlays));
process.exit(plays.every(isFine) && eraPlays.every(isAcross) ? 0 : 1);

async function outcomeOf({ name, version }, way, playIt) {
  process.stderr.write(`${name} ${version} ${way}\n`);
  try {
    return { result: await playIt() };
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    return { error: error.message.split('\n')[0] };
  }
}
