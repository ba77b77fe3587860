import { setFlagsFromString } from 'node:v8';

// Keeps V8's young generation at its initial size. V8 doubles it when much survives, and while a program
// loads nearly everything does: an idle hub would hold 16 MB for garbage it does not make. Garbage of calls
// is collected just as cheaply in less.
applyFlag();
process.on('worker', (worker) => {
  // A new thread resets the flag for all threads, some time before its first line runs: a busy program would
  // grow meanwhile.
  const holding = setInterval(applyFlag, intervalMs);
  worker.once('online', () => {
    clearInterval(holding);
    applyFlag();
  });
  worker.once('exit', () => clearInterval(holding));
});

function applyFlag(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

const intervalMs = 1;
