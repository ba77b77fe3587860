import { setFlagsFromString } from 'node:v8';

// Keeps V8's young generation as small as it is at the start. It doubles with whatever survives, and while a program loads nearly
// everything does: it would hold 16 MB for garbage that an idle hub does not make. What calls leave is collected as cheaply in less.
hold();
process.on('worker', (worker) => {
  // A new thread sets the flag back, for all of them, somewhere between now and its first line: a busy program would grow meanwhile.
  const holding = setInterval(hold, holdMs);
  worker.once('online', () => {
    clearInterval(holding);
    hold();
  });
  // Threads end when there is nothing left for them to do.
  worker.once('exit', () => {
    clearInterval(holding);
    collectIfQuiet();
  });
});

function hold(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** What was garbage before a rest stays as long as nothing is made that would have it collected. */
function collectIfQuiet(): void {
  const before = performance.eventLoopUtilization();
  const look = () => {
    if (performance.eventLoopUtilization(before).utilization < quiet) void collect();
  };
  setTimeout(look, quietMs).unref();
}

async function collect(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => session.disconnect());
}

/** Share of its time in which a program may have something to do and count as quiet. */
const quiet = 0.05;
const quietMs = 1_000;
const holdMs = 1;
