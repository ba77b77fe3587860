import { configFaults } from '../fault/of-config.mjs';
import { hubFaults } from '../fault/of-hub.mjs';
import { serverFaults } from '../fault/of-servers.mjs';
import { Targets } from '../fault/targets.mjs';

const kinds = { ...serverFaults, ...configFaults, ...hubFaults };

/** Faults that may happen at any time, with their frequency; the hub's end is scheduled separately. */
const weights = {
  killServer: 22,
  stopServer: 7,
  garbage: 6,
  slowStart: 5,
  downServer: 4,
  killBridge: 9,
  deafen: 5,
  badEdit: 4,
  hangHub: 4,
  edit: 8,
  untidy: 7,
  toggle: 9,
  remove: 3,
  noise: 6,
};

/** Does the faults of a run, one after the other or at once; each undoes what would not heal by itself. */
export class Faults {
  /** By kind, how many were done. */
  done = new Map();
  #world;
  #open = new Set();

  /** `random`, `cast`, `config`, `hub`, `clients`, `remotes`, `folder`, `dataDir`, `journal`. */
  constructor(world) {
    const note = (kind, more = {}) => world.journal.note(`fault ${kind}`, more);
    this.#world = { ...world, note, targets: new Targets(world) };
  }

  /** `{ key, at, pid }` of every server process that was ended here. */
  get kills() {
    return this.#world.targets.kills;
  }

  /** One at random; those that last run on beside what comes next. */
  strike() {
    this.#begin(this.#world.random.weighted(weights));
  }

  /** Ends the hub, most times without a word. */
  strikeHub() {
    this.#begin(this.#world.random.chance(0.7) ? 'killHub' : 'quitHub');
  }

  /** Resolves when all that lasts is over. */
  async healed() {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  #begin(kind) {
    const run = kinds[kind](this.#world).then((target) => {
      if (target !== undefined) this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    });
    this.#open.add(run);
    run
      .finally(() => this.#open.delete(run))
      .catch((error) => this.#world.note(kind, { failed: String(error) }));
  }
}
