import { parseArgs } from 'node:util';
import { largestCast } from './lib/cast.mjs';

export const phases = ['storm', 'crowd', 'crashloop', 'many', 'idle'];

export const usage = `npm run chaos [-- OPTIONS]

  --seconds N        how long the storm lasts (600)
  --seed S           what is done, and when (1); the same seed plans the same run
  --only NAME,…      some of: ${phases.join(', ')}
  --servers N        of the storm (${largestCast}, which is the most)
  --clients N        of the storm, through bridges and over HTTP in turn (8)
  --steps N          requests of the crowd (10000)
  --json FILE        also write every count and figure there
  --keep             keep the journal of events, also when nothing is broken
  --no-build         run what is in dist/
  --help
`;

/** Reads the command line; throws with a sentence for the person at the terminal. */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      seconds: { type: 'string', default: '600' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      servers: { type: 'string', default: String(largestCast) },
      clients: { type: 'string', default: '8' },
      steps: { type: 'string', default: '10000' },
      json: { type: 'string' },
      keep: { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const chosen = values.only?.split(',').map((name) => name.trim());
  const unknown = chosen?.filter((name) => !phases.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Known are: ${phases.join(', ')}`);
  return {
    help: values.help,
    keep: values.keep,
    builds: !values['no-build'],
    seed: values.seed,
    seconds: numberOf(values.seconds, '--seconds', 5, 3_600),
    servers: numberOf(values.servers, '--servers', 2, largestCast),
    clients: numberOf(values.clients, '--clients', 2, 32),
    steps: numberOf(values.steps, '--steps', 100, 1_000_000),
    phases: chosen ?? phases,
    ...(values.json === undefined ? {} : { json: values.json }),
    /** A part of it is no report. */
    writesDocument: chosen === undefined,
  };
}

function numberOf(text, name, least, most) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}
