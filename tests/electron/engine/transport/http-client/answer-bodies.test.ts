import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { beginEvents } from '../../../../helper/http-server.ts';
import { greetedPeer, oddServer } from '../../../../helper/remote-peer.ts';

const answer = '{"jsonrpc":"2.0","id":2,"result":{"ok":"é – 日本語"}}';
const asEvent = `data: ${answer}\n\n`;

function send(response: ServerResponse, type: string | undefined, body: string, status = 200): true {
  response.writeHead(status, type === undefined ? {} : { 'content-type': type });
  response.end(body);
  return true;
}

async function callAnswered(write: (response: ServerResponse) => void) {
  const server = await oddServer(({ method }, response) => {
    if (method === 'tools/call') write(response);
    return method === 'tools/call';
  });
  const near = await greetedPeer(server.url);
  try {
    return await near.peer.request('tools/call').result;
  } finally {
    await near.peer.close();
    await server[Symbol.asyncDispose]();
  }
}

describe('[PB-PASS-1] the answer of a remote server is in the charset that it names', () => {
  const latin = '{"jsonrpc":"2.0","id":2,"result":{"ok":"é ö"}}';
  it.each([
    ['application/json; charset=latin1', Buffer.from(latin, 'latin1')],
    ['application/json;charset="ISO-8859-1"', Buffer.from(latin, 'latin1')],
    ['text/event-stream; charset=windows-1252', Buffer.from(`data: ${latin}\n\n`, 'latin1')],
    ['application/json; charset=utf-16', Buffer.from(`\uFEFF${latin}`, 'utf16le')],
    ['application/json; charset=utf-16', Buffer.from(latin, 'utf16le').swap16()],
    ['application/json', Buffer.from(latin, 'utf16le')],
    ['application/json', Buffer.from(latin, 'latin1')],
    ['application/json; charset=unheard-of', Buffer.from(latin)],
    ['application/json; charset=utf8', Buffer.from(latin)],
  ])('%s', async (type, body) => {
    const result = await callAnswered((response) => {
      response.writeHead(200, { 'content-type': type });
      response.write(body.subarray(0, 1));
      response.end(body.subarray(1));
    });
    expect(result).toEqual({ ok: 'é ö' });
  });
});

describe('[NFR-R1] the answer of a remote server is what its body is', () => {
  it.each([
    ['JSON without a type', undefined, answer],
    ['JSON with an empty type', '', answer],
    ['JSON as text', 'text/plain; charset=utf-8', answer],
    ['JSON as a page', 'text/html', answer],
    ['JSON with an odd charset', 'application/json;charset="UTF8"', answer],
    ['JSON as a problem', 'application/problem+json', answer],
    ['JSON as a type of its own', 'application/vnd.mcp.v1+json', answer],
    ['JSON in capitals', 'APPLICATION/JSON', answer],
    ['JSON as a stream of events', 'text/event-stream', answer],
    ['JSON behind a byte order mark', 'application/json', `\uFEFF${answer}`],
    ['JSON behind lines and space', 'application/octet-stream', `\r\n\n  ${answer}\n`],
    ['an array', 'application/json', `[{"jsonrpc":"2.0","method":"notifications/message"},${answer}]`],
    ['an array behind a byte order mark', undefined, `\uFEFF [${answer}]`],
    ['without an id', 'application/json', '{"jsonrpc":"2.0","result":{"ok":"é – 日本語"}}'],
    [
      'with an id that is null',
      'application/json',
      '{"jsonrpc":"2.0","id":null,"result":{"ok":"é – 日本語"}}',
    ],
    ['events in capitals', 'Text/Event-Stream; charset=UTF-8', asEvent],
    ['events without a type', undefined, asEvent],
    ['events as JSON', 'application/json', asEvent],
    ['events behind a byte order mark', 'text/event-stream', `\uFEFF${asEvent}`],
    ['events behind lines and space', 'text/event-stream', `\n\n ${asEvent}`],
    ['an event without its empty line', 'text/event-stream', `data: ${answer}`],
    ['an event without a space', 'text/event-stream', `data:${answer}\n\n`],
    ['an event of an unknown name', 'text/event-stream', `event: response\ndata: ${answer}\n\n`],
    [
      'between comments and empty events',
      'text/plain',
      `: hello\n\nevent: ping\ndata: now\n\ndata:\n\n${asEvent}:bye\n\n`,
    ],
    ['lines ended by CR LF', 'text/event-stream', `event: message\r\nid: 1\r\ndata: ${answer}\r\n\r\n`],
    ['lines ended by CR', 'text/event-stream', `event: message\rdata: ${answer}\r\r`],
    [
      'data over several lines',
      'text/event-stream',
      `data: {"jsonrpc":"2.0",\ndata: "id":2,\ndata:"result":{"ok":"é – 日本語"}}\n\n`,
    ],
    ['a retry that would never come', 'text/event-stream', `retry: 99999999999999999999\n${asEvent}`],
    ['an id with NUL', 'text/event-stream', `id: a\u0000b\n${asEvent}`],
    ['an event written as a JSON text', 'text/event-stream', `data: ${JSON.stringify(answer)}\n\n`],
    ['an event whose field is named twice', 'text/event-stream', `data: ${asEvent}`],
    [
      'an event printed over several lines, of which only the first is named',
      'text/event-stream',
      `event: message\ndata: ${JSON.stringify(JSON.parse(answer), undefined, 2)}\n\n`,
    ],
    ['under a text as its id', 'application/json', answer.replace('"id":2', '"id":"b1946ac9"')],
    ['under the id zero', 'application/json', answer.replace('"id":2', '"id":0')],
    ['JSON written as a JSON text', 'application/json', JSON.stringify(answer)],
    [
      'JSON behind the warnings of a framework',
      'text/html',
      `<br />\n<b>Warning</b>: x in <b>/a.php</b> on line 3<br />\n${answer}`,
    ],
    ['JSON behind a guard against scripts', 'application/json', `)]}',\n${answer}`],
    ['fields in capitals', 'text/event-stream', `EVENT: message\nDATA: ${answer}\n\n`],
    ['fields in capitals without a type', undefined, `Event: message\nData: ${answer}\n\n`],
    ['a space before the colon', 'text/event-stream', `event : message\ndata : ${answer}\n\n`],
    ['a space or a tab before the field', 'text/event-stream', `\tid: 1\n  data: ${answer}\n\n`],
    ['a byte order mark before the field', 'text/event-stream', `: hello\n\n\uFEFFdata: ${answer}\n\n`],
    ['NUL before the field', 'text/event-stream', `\0data: ${answer}\n\n`],
    ['fields of its own', 'text/event-stream', `x-trace: 1\nnothing\n${asEvent}`],
  ])('%s', async (_what, type, body) => {
    expect(await callAnswered((response) => send(response, type, body))).toEqual({ ok: 'é – 日本語' });
  });

  it.each([202, 201, 203])('with status %s too', async (status) => {
    expect(await callAnswered((response) => send(response, undefined, answer, status))).toEqual({
      ok: 'é – 日本語',
    });
  });

  it.each([
    ['is left open behind it', false],
    ['breaks off behind it', true],
  ])('JSON whose body %s', async (_what, breaks) => {
    const result = await callAnswered((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(answer);
      if (breaks) setImmediate(() => response.destroy());
    });
    expect(result).toEqual({ ok: 'é – 日本語' });
  });

  it.each([
    ['is ended', true],
    ['is left open', false],
  ])(
    'a line each for its notices and the answer, with a long pause before that, where the body %s',
    async (_how, ends) => {
      let last: ServerResponse | undefined;
      await using server = await oddServer(({ method }, response) => {
        if (method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"kite"}}\n');
        last = response;
        return true;
      });
      const clock = new FakeClock();
      await using near = await greetedPeer(server.url, { clock });
      const asked = near.peer.request('tools/call').result;
      await expect.poll(() => last !== undefined && clock.pending > 0).toBe(true);
      await clock.advance(3000);
      last?.write(`${answer}\n`);
      if (ends) last?.end();
      // A body left open ends after a pause, which starts with its last piece.
      const passing = setInterval(() => void clock.advance(1000), 20);
      expect(await asked.finally(() => clearInterval(passing))).toEqual({ ok: 'é – 日本語' });
      expect(near.heard).toEqual(['notifications/message']);
    },
  );

  it('JSON behind more headers than Node takes by default', async () => {
    const result = await callAnswered((response) => {
      response.writeHead(200, { 'content-security-policy': 'x'.repeat(60_000) });
      response.end(answer);
    });
    expect(result).toEqual({ ok: 'é – 日本語' });
  });

  it('and no answer where a text before it names another request', async () => {
    const other = answer.replace('"id":2', '"id":77');
    await expect(callAnswered((response) => send(response, 'text/html', `noise ${other}`))).rejects.toThrow(
      'respond like an MCP server',
    );
  });

  it('at once where an event ends in a single CR and the stream stays open', async () => {
    const result = await callAnswered((response) => {
      beginEvents(response);
      response.write(`data: ${answer}\r\r`);
    });
    expect(result).toEqual({ ok: 'é – 日本語' });
  });

  it.each([
    ['no empty line', '\n'],
    ['no line end', ''],
    ['a line of spaces', '\n  \n'],
  ])('after a second where an event ends in %s and the stream stays open', async (_what, end) => {
    const result = await callAnswered((response) => {
      beginEvents(response);
      response.write(`event: message\ndata: ${answer}${end}`);
    });
    expect(result).toEqual({ ok: 'é – 日本語' });
  });

  it('also where several events without an empty line have joined', async () => {
    const other = '{"jsonrpc":"2.0","method":"notifications/message"}';
    const result = await callAnswered((response) => {
      beginEvents(response);
      response.write(`event: message\ndata: ${other}\nevent: message\ndata: ${answer}\n`);
    });
    expect(result).toEqual({ ok: 'é – 日本語' });
  });

  it('unchanged where it is cut anywhere and has the names of fields in it', async () => {
    const text = 'Data: a\\ndata : b DATA:';
    const event = `EVENT : message\r\nData:${answer.replace('é', text)}\r\n\r\n`;
    const result = await callAnswered((response) => {
      beginEvents(response);
      const bytes = Buffer.from(event);
      const writeFrom = (at: number): void => {
        response.write(bytes.subarray(at, at + 1));
        if (at < bytes.length) setImmediate(() => writeFrom(at + 1));
      };
      writeFrom(0);
    });
    expect(result).toEqual({ ok: 'Data: a\ndata : b DATA: – 日本語' });
  });

  it('resumed even if its id is not plain ASCII', async () => {
    const asked: (string | string[] | undefined)[] = [];
    await using server = await oddServer(({ method }, response, { verb, headers }) => {
      const isAgain = verb === 'GET' && headers['last-event-id'] !== undefined;
      if (method !== 'tools/call' && !isAgain) return false;
      if (isAgain) asked.push(headers['last-event-id']);
      return send(response, 'text/event-stream', isAgain ? asEvent : 'id: é–1\nretry: 1\ndata: \n\n');
    });
    await using near = await greetedPeer(server.url);
    expect(await near.peer.request('tools/call').result).toEqual({ ok: 'é – 日本語' });
    expect(asked.map((id) => Buffer.from(String(id), 'latin1').toString('utf8'))).toEqual(['é–1']);
  });
});

describe('[NFR-R1] a notification', () => {
  it.each([
    [200, 'text/plain', 'Accepted'],
    [200, 'application/json', '{}'],
    [200, undefined, ''],
    [201, 'text/html', '<p>ok</p>'],
    [202, 'application/json', 'null'],
    [204, undefined, ''],
  ])('may be answered with %s, %s and %s', async (status, type, body) => {
    await using server = await oddServer(({ id }, response, { verb }) => {
      if (verb !== 'POST' || id !== undefined) return false;
      return send(response, type, body, status);
    });
    await using near = await greetedPeer(server.url);
    expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
    expect([near.ended, near.noise]).toEqual([[], []]);
  });

  it.each([
    ['is never answered', () => true],
    ['is answered by a closed connection', (response: ServerResponse) => response.destroy() !== undefined],
  ])('that %s keeps nobody waiting', async (_what, answerIt) => {
    await using server = await oddServer(({ id }, response, { verb }) => {
      if (verb !== 'POST' || id !== undefined) return false;
      return answerIt(response);
    });
    await using near = await greetedPeer(server.url);
    expect(await near.peer.request('tools/call').result).toEqual({ did: 'tools/call' });
    expect(near.ended).toEqual([]);
    await vi.waitFor(() => expect(server.said()).toContain('GET'));
  });
});
