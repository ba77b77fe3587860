import { setFlagsFromString } from 'node:v8';

// Keeps V8's young generation at its initial size. V8 doubles it when much survives, and while the program
// loads nearly everything does: the hub would hold up to 40 MB for garbage that fits in less.
keepSmall();
// A new thread resets the flag for all threads.
process.on('worker', (worker) => worker.once('online', keepSmall));

function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
