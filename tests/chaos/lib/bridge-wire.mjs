import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A client's connection through a bridge program of its own. `onMessage` gets what it says, `onStray` a line that is no
 * message, `onClosed` the end of it.
 */
export function openBridge({ program, dataDir, env, onMessage, onStray, onClosed }) {
  const child = spawn(process.execPath, [program, '--data-dir', dataDir], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let words = '';
  let isOver = false;
  child.stderr.on('data', (chunk) => {
    words = (words + chunk).slice(-2_000);
  });
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout });
  let strange;
  lines.on('line', (line) => {
    if (strange !== undefined) onStray(strange);
    const message = parse(line);
    strange = message === undefined ? line : undefined;
    if (message !== undefined) onMessage(message);
  });
  // The end of its output, not of the process: what it said last is still to be read when it exits.
  child.once('close', (code, signal) => {
    isOver = true;
    // A message may be incomplete if the bridge was killed while writing it.
    if (strange !== undefined && signal !== 'SIGKILL') onStray(strange);
    onClosed({ code, signal, words });
  });
  return {
    pid: child.pid,
    send: (message) => void (isOver || child.stdin.write(`${JSON.stringify(message)}\n`)),
    kill: () => child.kill('SIGKILL'),
    pauseReading: () => lines.pause(),
    resumeReading: () => lines.resume(),
    hangUp: () => child.stdin.end(),
  };
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
