import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Program of the worker that counts tokens. Its tables take about 70 MB, freed when it ends. */
parentPort?.on('message', (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map((text) => countTokens(text, ordinary)));
});

/** Text in a description that looks like a special token is ordinary text. */
const ordinary = { disallowedSpecial: new Set<string>() };
