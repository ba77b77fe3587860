import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.ts';
import { fixture } from './programs.ts';

type Happening = Readonly<Record<string, unknown>> & { readonly event: string };

export interface ClaudeDesktop extends AsyncDisposable {
  readonly happenings: readonly Happening[];
  /** Resolves to the first of this kind, which may have happened already. */
  saw(event: string, count?: number): Promise<Happening>;
  /** Does something and resolves to what comes of it. */
  order(order: Readonly<Record<string, unknown>>, event: string): Promise<Happening>;
  readonly exited: Promise<unknown>;
}

/** Starts the program that plays Claude Desktop; under its own name it is taken for it. */
export function startClaudeDesktop(file: string, home: string, asItself = false): ClaudeDesktop {
  const child = spawn(process.execPath, [fixture('claude-desktop'), file], {
    env: { HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(asItself ? { argv0: '/usr/lib/claude-desktop/claude-desktop' } : {}),
  });
  const happenings: Happening[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => happenings.push(JSON.parse(line)));
  const exited = once(child, 'exit');
  const saw = async (event: string, count = 1): Promise<Happening> => {
    let found: Happening | undefined;
    await eventually(() => {
      found = happenings.filter((happening) => happening.event === event)[count - 1];
      if (found === undefined) throw new Error(`${event} has not happened: ${JSON.stringify(happenings)}`);
    });
    return found as Happening;
  };
  return {
    happenings,
    saw,
    async order(order, event) {
      const before = happenings.filter((happening) => happening.event === event).length;
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return saw(event, before + 1);
    },
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
