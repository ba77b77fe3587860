import { setFlagsFromString } from 'node:v8';

// Keeps V8's young generation at its initial size while the program loads. V8 doubles it when much survives,
// and then nearly everything does: an idle hub would hold up to 20 MB for garbage that it does not make. The
// first worker thread resets the flag.
setFlagsFromString('--semi-space-growth-factor=1');
