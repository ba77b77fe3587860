import { parseArgs } from 'node:util';

export const usage = `npm run bench [-- OPTIONS]

  --quick            a short version without peers, for work in between; writes no document
  --only NAME,…      only these figures or targets (direct, forwarders and the child are always there)
  --before FOLDER    a checkout from before, built, beside which calls of the eras are measured
  --json FILE        also write every figure of every block there
  --help
`;

/** How much of everything: rounds are blocks of each target, taken in turn. */
const sizes = {
  full: {
    echo: {
      rounds: 12,
      calls: 300,
      warmUp: 600,
      concurrent: { calls: 2000, inFlight: 32, milliseconds: 600 },
    },
    'echo-raw': {
      rounds: 12,
      calls: 300,
      warmUp: 600,
      concurrent: { calls: 2000, inFlight: 32, milliseconds: 600 },
    },
    payload: { rounds: 5, repeats: { 1: 4, 10: 1 }, patience: 15_000 },
    'payload-raw': { rounds: 5, repeats: { 1: 6, 10: 2 }, largest: 50, patience: 20_000 },
    list: { rounds: 3, repeats: 5, tools: 10_000 },
    startup: {
      rounds: 3,
      kinds: ['sdk', 'raw'],
      shapes: [
        { servers: 10, tools: 100 },
        { servers: 20, tools: 500 },
      ],
    },
    growth: {
      rounds: 10,
      calls: 200,
      warmUp: 800,
      servers: [1, 10, 50],
      tools: [100, 1_000, 10_000],
      sessions: [1, 10, 50],
    },
    eras: {
      rounds: 12,
      calls: 300,
      warmUp: 600,
      concurrent: { calls: 2000, inFlight: 32, milliseconds: 600 },
      tools: 10_000,
      lists: 3,
      repeats: 5,
      parked: 1_000,
      settle: 3_000,
      rest: 10_000,
    },
    authorize: { identities: 100, tools: 10_000 },
    account: {
      rounds: 30,
      calls: 300,
      warmUp: 600,
      concurrent: { calls: 1000, inFlight: 8, milliseconds: 400 },
    },
    memory: { idle: 20_000, settle: 3000, calls: 50_000, first: 10_000 },
    profile: { milliseconds: 4000 },
  },
  quick: {
    echo: { rounds: 4, calls: 120, warmUp: 200, concurrent: { calls: 600, inFlight: 32, milliseconds: 200 } },
    'echo-raw': {
      rounds: 4,
      calls: 120,
      warmUp: 200,
      concurrent: { calls: 600, inFlight: 32, milliseconds: 200 },
    },
    payload: { rounds: 2, repeats: { 1: 2 }, patience: 5_000 },
    'payload-raw': { rounds: 2, repeats: { 1: 2, 10: 1 }, largest: 50, patience: 5_000 },
    list: { rounds: 1, repeats: 3, tools: 10_000 },
    startup: { rounds: 1, kinds: ['sdk'], shapes: [{ servers: 10, tools: 100 }] },
    growth: { rounds: 4, calls: 100, warmUp: 300, servers: [1, 10], tools: [100, 10_000], sessions: [] },
    eras: {
      rounds: 4,
      calls: 120,
      warmUp: 200,
      concurrent: { calls: 600, inFlight: 32, milliseconds: 200 },
      tools: 10_000,
      lists: 1,
      repeats: 3,
      parked: 1_000,
      settle: 1_000,
      rest: 3_000,
    },
    authorize: { identities: 100, tools: 10_000 },
    account: {
      rounds: 8,
      calls: 200,
      warmUp: 300,
      concurrent: { calls: 600, inFlight: 8, milliseconds: 300 },
    },
    memory: { idle: 1000, settle: 1000, calls: 10_000, first: 2_000 },
    profile: { milliseconds: 1000 },
  },
};

/** Reads the command line; throws with a sentence for the person at the terminal. */
export function readOptions(argv, known) {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      before: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const names = values.only?.split(',').map((name) => name.trim());
  const unknown =
    names?.filter((name) => !known.figures.includes(name) && !known.targets.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(
      `Unknown: ${unknown.join(', ')}. Known are: ${[...known.figures, ...known.targets].join(', ')}`,
    );
  }
  const some = (all) => {
    const chosen = all.filter((name) => names?.includes(name));
    return chosen.length === 0 ? undefined : chosen;
  };
  return {
    help: values.help,
    mode: values.quick ? 'quick' : 'full',
    size: values.quick ? sizes.quick : sizes.full,
    figures: some(known.figures) ?? known.figures,
    targets: some(known.targets),
    before: values.before,
    ...(values.json === undefined ? {} : { json: values.json }),
    /** A part of the figures is no document. */
    writesDocument: !values.quick && names === undefined,
  };
}
