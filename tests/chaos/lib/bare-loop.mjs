import { spawn } from 'node:child_process';

/** Milliseconds between two starts, as a hub pauses between them. */
const PAUSES = [500, 1_000, 2_000, 4_000];
const GREETING = [
  { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** The same programs crashing at the same pace, nobody's servers: what their starts alone cost the machine. */
export class BareLoop {
  #command;
  #timers = new Set();
  #isOver = false;

  constructor(command) {
    this.#command = command;
    this.#start(0);
  }

  stop() {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #start(attempt) {
    const [program, ...args] = this.#command;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    for (const message of GREETING) child.stdin.write(`${JSON.stringify(message)}\n`);
    child.stdout.resume();
    child.once('exit', () => {
      if (this.#isOver) return;
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          this.#start(attempt + 1);
        },
        PAUSES[Math.min(attempt, PAUSES.length - 1)],
      );
      this.#timers.add(timer);
    });
  }
}
