import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { order } from './order.ts';
import { fixture } from './programs.ts';
import { tempDir } from './temp-dir.ts';

/** A stand-in for a container engine, and its command-line tool. */
export interface ContainerEngine extends AsyncDisposable {
  /** A folder of its own, with the tool in it. */
  readonly folder: string;
  /** The tool under one of its names. */
  tool(name?: string): Promise<string>;
  /** Names of the containers that run. */
  running(): Promise<readonly string[]>;
  /** The command lines of all containers that were started by the tool. */
  runs(): Promise<readonly { readonly words: readonly string[]; readonly env: object }[]>;
  /** Starts a container as another program would. */
  start(name: string): Promise<string>;
  /** Ends the tools that relay, not the containers. */
  hangUp(): Promise<void>;
  /** `broken`: removing a container is said to fail. */
  set(changes: { readonly broken: boolean }): Promise<void>;
}

export async function containerEngine(): Promise<ContainerEngine> {
  const folder = await tempDir();
  const program = fixture('container-engine');
  const child = fork(program, ['engine'], { stdio: 'ignore' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];

  return {
    folder: folder.path,
    async tool(name = 'docker') {
      const file = join(folder.path, name);
      await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' ${port} "$@"\n`);
      await chmod(file, 0o755);
      return file;
    },
    running: () => order(child, 'running'),
    runs: () => order(child, 'runs'),
    hangUp: () => order(child, 'hangUp'),
    start: (name) => order(child, 'start', { input: name }),
    set: (changes) => order(child, 'set', { input: changes }),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
      await folder[Symbol.asyncDispose]();
    },
  };
}
