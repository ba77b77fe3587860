import { httpServer, readJson, sendJson } from './http-server.ts';

/**
 * An embedding model behind Ollama's interface, which knows cats and dogs. Answers 503 to what comes while it `isDown`,
 * and several texts at once only when `hold` resolves.
 */
export async function embeddingServer() {
  const state: { isDown: boolean; hold?: Promise<void> } = { isDown: false };
  const texts: string[] = [];
  const server = await httpServer(async (request, response) => {
    const { input } = (await readJson(request)) as { readonly input: readonly string[] };
    texts.push(...input);
    const { isDown, hold } = state;
    if (input.length > 1) await hold;
    if (isDown) return sendJson(response, 503);
    sendJson(response, 200, { embeddings: input.map(vectorOf) });
  });
  return {
    source: { kind: 'ollama', url: new URL(server.url).origin, model: 'zoo' } as const,
    state,
    /** Everything that was sent to it. */
    texts,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

function vectorOf(text: string): readonly number[] {
  if (/cat|kitten|feline/.test(text)) return [1, 0, 0];
  return /dog|puppy|canine/.test(text) ? [0, 1, 0] : [0, 0, 1];
}
