import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../bench/lib/wait.mjs';

/** `mcp.json` as a person edits it: now and then untidy, half written or broken, but right in the end. */
export class ConfigFile {
  #file;
  #entries;
  #random;
  #last = Promise.resolve();
  #count = 0;

  constructor({ dataDir, servers, random }) {
    this.#file = join(dataDir, 'mcp.json');
    this.#entries = new Map(servers.map(({ key, entry }) => [key, entry]));
    this.#random = random;
  }

  has(key) {
    return this.#entries.has(key);
  }

  /** Changes one entry, or removes it (`undefined`); resolves once it is on disk. */
  set(key, change, how = 'whole') {
    return this.#queued(async () => {
      const entry = change(this.#entries.get(key));
      if (entry === undefined) this.#entries.delete(key);
      else this.#entries.set(key, entry);
      await this.#write(how);
    });
  }

  /** Rewrites the file without changing its meaning. */
  rewrite(how) {
    return this.#queued(() => this.#write(how));
  }

  #queued(step) {
    const run = this.#last.then(step);
    this.#last = run.catch(() => {});
    return run;
  }

  async #write(how) {
    this.#count += 1;
    const text = this.#text();
    if (how === 'renamed') {
      await writeFile(`${this.#file}.new`, text);
      return rename(`${this.#file}.new`, this.#file);
    }
    if (how === 'halves') await this.#leave(text.slice(0, Math.floor(text.length / 2)), 20, 200);
    if (how === 'broken') await this.#leave(text.replace('{', '{ "mcpServers": [,'), 200, 1_500);
    if (how === 'emptied') await this.#leave('', 20, 200);
    await writeFile(this.#file, text);
  }

  async #leave(text, least, most) {
    await writeFile(this.#file, text);
    await pause(this.#random.between(least, most));
  }

  #text() {
    const servers = Object.fromEntries(this.#entries);
    const indent = this.#random.pick([undefined, 2, 4, '\t']);
    return `// edited ${this.#count} times\n${JSON.stringify({ mcpServers: servers }, undefined, indent)}\n`;
  }
}
