import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLineSplitter } from './line-splitter.ts';

/** A connection on which messages are text as it is written, nothing parsed. */
export interface RawWire extends AsyncDisposable {
  /** Resolves when the message has been handed over. */
  send(text: string): Promise<void>;
  /** Sets the listener for received messages; must be called before the first send. */
  receive(listener: (text: string) => void): void;
}

/** A program on its standard input and output. */
export function stdioWire(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RawWire {
  const child = spawn(command, args, { env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  let listener: (text: string) => void = () => {};
  child.stdout.on(
    'data',
    createLineSplitter((line) => listener(line)),
  );
  child.stdin.on('error', () => {});
  return {
    send: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    receive: (next) => {
      listener = next;
    },
    [Symbol.asyncDispose]: () => hangUp(child),
  };
}

async function hangUp(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await exited;
  clearTimeout(timer);
}
