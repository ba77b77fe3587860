import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A line of the file: what a model was asked about, and the text of its answer, to the letter. */
const recordingSchema = z.object({ asked: z.array(z.string()), answer: z.string() });
const requestSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });
const questionSchema = z.object({ tools: z.array(z.object({ name: z.string() })) });

export interface RecordedModel {
  readonly url: string;
  /** It has been asked about these, among others. */
  knows(name: string): boolean;
  close(): void;
}

/**
 * An endpoint on this machine that answers as a model once did: the program asks it as it asks any other, and checks what
 * it says in the same way.
 */
export async function serveRecordedModel(file: string): Promise<RecordedModel> {
  const answers = new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => recordingSchema.parse(JSON.parse(line)))
      .map(({ asked, answer }) => [JSON.stringify(asked), answer]),
  );
  const known = new Set([...answers.keys()].flatMap((asked) => z.array(z.string()).parse(JSON.parse(asked))));
  const server = createServer(async (request, response) => {
    const content = answers.get(JSON.stringify(await askedIn(request)));
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    knows: (name) => known.has(name),
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The names of the tools that a request asks about. */
async function askedIn(request: IncomingMessage): Promise<readonly string[]> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { messages } = requestSchema.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  const text = messages.find(({ role }) => role === 'user')?.content ?? '{"tools":[]}';
  return questionSchema.parse(JSON.parse(text)).tools.map(({ name }) => name);
}
