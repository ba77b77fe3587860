import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage once whenever a program has become quiet after work. V8 does so by itself when it finds that little is made, but
 * measures that against how fast it has collected before: on a busy machine it puts it off by minutes, in which a hub holds 10 MB
 * more. The threads of a hub end when nothing has come for them for a while.
 */
export function collectAtRest(): void {
  process.on('worker', (worker) => worker.once('exit', collectOnceQuiet));
}

function collectOnceQuiet(): void {
  const before = performance.eventLoopUtilization();
  const look = () => {
    if (performance.eventLoopUtilization(before).utilization < quiet) collect();
    else collectOnceQuiet();
  };
  setTimeout(look, quietMs).unref();
}

/** Takes some 30 ms for 15 MB. Flags are set back at once: Node's threads load faster under the flags that it was built with. */
function collect(): void {
  for (const flag of flags) setFlagsFromString(`--${flag}`);
  try {
    runInNewContext('globalThis.gc?.()');
  } finally {
    for (const flag of flags) setFlagsFromString(`--no-${flag}`);
  }
}

/** With the second, what is left is moved together, so that whole pages can be given back. */
const flags = ['expose-gc', 'compact-on-every-full-gc'];
/** Share of its time in which a program may have something to do and count as quiet. */
const quiet = 0.05;
const quietMs = 1_000;
