import { memberOf, membersOf } from './fixture/raw-json.mjs';
import { RawClient, type Reply } from './raw-client.ts';
import type { RawWire } from './wire.ts';

const prefix = 'io.modelcontextprotocol/';

/** A raw client of the stateless protocol: each request has its envelope, and is repeated with the answers it needs. */
export class ModernRawClient extends RawClient {
  #capabilities = '{}';
  #name = 'raw-client';

  constructor(wire: RawWire) {
    super(wire);
  }

  /** Level of log messages, as JSON, for each request; none if undefined. */
  level: string | undefined;

  override async greet(capabilities = '{}', name = 'raw-client'): Promise<string> {
    this.#capabilities = capabilities;
    this.#name = name;
    return this.ask('server/discover');
  }

  /** Answers what is asked within the request by `reply`. Questions are like requests, without ids. */
  override async ask(method: string, params = '{}', id?: string): Promise<string> {
    let answer = await super.ask(method, this.#enveloped(params), id);
    for (let round = 0; round < maxRounds; round += 1) {
      const result = memberOf(answer, 'result') ?? '{}';
      if (!result.startsWith('{') || memberOf(result, 'resultType') !== '"input_required"') return answer;
      answer = await super.ask(method, this.#enveloped(this.#retry(params, result)));
    }
    throw new Error(`${method} was asked for more ${maxRounds} times`);
  }

  /** Opens a listen; resolves once it has been acknowledged. */
  async listen(notifications: string): Promise<void> {
    const acknowledged = 'notifications/subscriptions/acknowledged';
    const before = this.notices(acknowledged).length;
    // A subscription is answered when it ends.
    super.ask('subscriptions/listen', this.#enveloped(`{"notifications":${notifications}}`)).catch(() => {});
    while (this.notices(acknowledged).length === before)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  #retry(params: string, result: string): string {
    const requests = membersOf(memberOf(result, 'inputRequests') ?? '{}');
    const responses = requests.flatMap(([key, request]) => {
      const said: Reply = this.reply(JSON.parse(memberOf(request, 'method') ?? '""'), request) ?? {
        error: '',
      };
      return 'result' in said ? [`${key}:${said.result}`] : [];
    });
    const state = memberOf(result, 'requestState');
    const more = [
      `"inputResponses":{${responses.join(',')}}`,
      ...(state === undefined ? [] : [`"requestState":${state}`]),
    ];
    return withLast(params, more.join(','));
  }

  #enveloped(params: string): string {
    const envelope = [
      `"${prefix}protocolVersion":"2026-07-28"`,
      `"${prefix}clientCapabilities":${this.#capabilities}`,
      `"${prefix}clientInfo":{"name":"${this.#name}","version":"1.0.0"}`,
      ...(this.level === undefined ? [] : [`"${prefix}logLevel":${this.level}`]),
    ].join(',');
    const others = membersOf(params).filter(([name]) => name !== '"_meta"');
    const meta = withLast(memberOf(params, '_meta') ?? '{}', envelope);
    return `{${[...others, ['"_meta"', meta]].map((member) => member.join(':')).join(',')}}`;
  }
}

const maxRounds = 4;

/** The object with more members at its end. */
export function withLast(object: string, members: string): string {
  const body = object.trimEnd().slice(0, -1);
  return `${body}${body.trim() === '{' ? '' : ','}${members}}`;
}
