/** An MCP server with sessions on stdio whose only tool asks its client something and waits for ever. */
import { createInterface } from 'node:readline';
import { answerTo, listOf } from '../lib/echo-server.mjs';

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let questions = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'tools/call') {
    questions += 1;
    const params = { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } };
    say({ id: `question ${questions}`, method: 'elicitation/create', params });
  } else if (message.method === 'tools/list') say({ id: message.id, result: { tools: listOf(1) } });
  else {
    const answer = answerTo(message);
    if (message.method !== undefined && answer !== undefined) say(answer);
  }
});
