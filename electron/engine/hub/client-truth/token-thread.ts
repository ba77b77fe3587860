import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The program of a thread that counts tokens: its tables take some 70 MB, which go when it ends. */
parentPort?.on('message', (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map((text) => countTokens(text, ordinary)));
});

/** What looks like a special token in a description is text like any other. */
const ordinary = { disallowedSpecial: new Set<string>() };
