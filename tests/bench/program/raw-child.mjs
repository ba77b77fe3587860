/**
 * An MCP server on stdio that answers `tools/call` by the bytes, so that next to nothing of what is measured is its
 * own. `raw-child.mjs [TOOLS] [--modern]`: besides `echo` it lists that many tools less one, all on one page; `--modern`
 * is without sessions.
 */

import { answerTo, discovered, listOf } from '../lib/echo-server.mjs';
import { findId } from '../lib/envelope.mjs';
import { lineWriter } from '../lib/forwarder.mjs';
import { lineSplitter } from '../lib/lines.mjs';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const REACH = 512;
const TEXT = '"text":"';
const isModern = process.argv.includes('--modern');
const END = Buffer.from(isModern ? '"}],"resultType":"complete"}}' : '"}]}}');
const caching = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};

const tools = Buffer.from(JSON.stringify({ tools: listOf(Number(process.argv[2] ?? 1)), ...caching }));
const out = lineWriter(process.stdout);
const split = lineSplitter((pieces) => {
  const head = pieces[0].latin1Slice(0, Math.min(REACH, pieces[0].length));
  if (head.includes('"method":"tools/call"')) echo(pieces, head);
  else if (head.includes('"method":"tools/list"')) out.line([start(pieces), tools, Buffer.from('}')]);
  else other(pieces);
});

process.stdin.on('data', (chunk) => {
  split(chunk);
  out.flush();
});
process.stdin.on('end', () => process.exit(0));

/** Gives back the argument `text` as it was spelled. */
function echo(pieces, head) {
  const from = head.indexOf(TEXT) + TEXT.length;
  const text = pieces.map((piece, index) => (index === 0 ? piece.subarray(from) : piece));
  cutAtQuote(text);
  const id = findId(pieces).id;
  out.line([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`),
    ...text,
    END,
  ]);
}

/** Drops what follows the end of the string. */
function cutAtQuote(text) {
  for (let index = 0; index < text.length; index += 1) {
    const end = quoteIn(text[index]);
    if (end === -1) continue;
    text[index] = text[index].subarray(0, end);
    text.length = index + 1;
    return;
  }
}

function quoteIn(bytes) {
  let at = bytes.indexOf(QUOTE);
  while (at > 0 && bytes[at - 1] === BACKSLASH) at = bytes.indexOf(QUOTE, at + 1);
  return at;
}

function start(pieces) {
  return Buffer.from(`{"jsonrpc":"2.0","id":${findId(pieces).id},"result":`);
}

function other(pieces) {
  const message = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  const isDiscovery = isModern && message.method === 'server/discover';
  const answer = isDiscovery ? discovered(message) : answerTo(message);
  if (answer !== undefined) out.line([Buffer.from(JSON.stringify(answer))]);
}
