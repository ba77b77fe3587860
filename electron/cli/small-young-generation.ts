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
  worker.once('exit', () => clearInterval(holding));
});

function hold(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

const holdMs = 1;
