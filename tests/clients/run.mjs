/** `npm run test:clients`: real clients in front of a real hub, with a script in place of their model. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildParts } from '../../build/build.mjs';
import { root } from '../bench/lib/places.mjs';
import { clients } from './clients.mjs';
import { play } from './play.mjs';
import { isFine, renderDocument, renderTable } from './report.mjs';

const usage = `npm run test:clients [-- OPTIONS]

  --only NAME,…   only these: ${clients.map(({ name }) => name).join(', ')}; writes no document
  --help
`;

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const only = values.only?.split(',').map((name) => name.trim().toLowerCase());
const chosen = clients.filter(({ name }) => only?.includes(name.toLowerCase()) ?? true);
if (chosen.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}
await buildParts(['patchbay', 'bridge']);
const plays = [];
for (const client of chosen) {
  process.stderr.write(`${client.name} ${client.version}\n`);
  try {
    plays.push({ client, result: await play(client) });
  } catch (error) {
    plays.push({ client, error: error.message.split('\n')[0] });
    process.stderr.write(`${error.stack}\n`);
  }
}
console.log(`\n${renderTable(plays)}\n`);
if (only === undefined) await writeFile(join(root, 'docs', 'clients.md'), renderDocument(plays));
process.exit(plays.every(isFine) ? 0 : 1);
