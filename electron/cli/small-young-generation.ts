import { setFlagsFromString } from 'node:v8';

// Keeps V8's young generation at its initial size. V8 doubles it when much survives, and while a program
// loads nearly everything does: an idle hub would hold 16 MB for garbage it does not make. Garbage of calls
// is collected just as cheaply in less.
hold();
process.on('worker', (worker) => {
  // A new thread resets the flag for all threads, some time before its first line runs: a busy program would
  // grow meanwhile.
  const holding = setInterval(hold, holdMs);
  worker.once('online', () => {
    clearInterval(holding);
    hold();
  });
  worker.once('exit', () => clearInterval(holding));
});

function hold(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

const holdMs = 1;
