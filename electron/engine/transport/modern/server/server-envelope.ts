import { isRecord } from '../../../../../shared/json.ts';
import type { MemberEdit } from '../../../jsonrpc/json/edit-json.ts';
import { jsonBytes } from '../edit-message.ts';
import { metaKeys } from '../protocol.ts';
import { withTasksExtension } from '../task-shapes.ts';

interface Stamp extends MemberEdit {
  readonly value: Buffer;
}

/** The envelope of the hub's requests to a stateless server. */
export class ServerEnvelope {
  readonly #version: Buffer;
  #clientInfo: Readonly<Record<string, unknown>> = {};
  #capabilities: Capabilities = capabilitiesOf({});
  #logLevel: unknown;
  /** Holds the members of the last request, which most others share. */
  #last: { readonly capabilities: string; readonly members: readonly Stamp[] } | undefined;

  constructor(version: string) {
    this.#version = jsonBytes(version);
  }

  get clientInfo(): Readonly<Record<string, unknown>> {
    return this.#clientInfo;
  }

  /** Capabilities of the hub, as JSON; `tasks` are those with the extension for tasks. */
  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /** Takes what the hub says of itself in `initialize`. */
  initialize(params: Readonly<Record<string, unknown>> = {}): void {
    if (isRecord(params.clientInfo)) this.#clientInfo = params.clientInfo;
    this.#capabilities = capabilitiesOf(isRecord(params.capabilities) ? params.capabilities : {});
    this.#last = undefined;
  }

  setLogLevel(level: unknown): void {
    this.#logLevel = level;
    this.#last = undefined;
  }

  /** Returns the members for a request with these capabilities, given as JSON; the same array each time. */
  members(capabilities: string): readonly Stamp[] {
    if (this.#last?.capabilities !== capabilities)
      this.#last = { capabilities, members: this.#membersFor(capabilities) };
    return this.#last.members;
  }

  /** Returns the members as a value, for requests of our own. */
  meta(capabilities: string): object {
    const members = this.members(capabilities);
    return Object.fromEntries(members.map(({ name, value }) => [name, JSON.parse(value.toString('utf8'))]));
  }

  #membersFor(capabilities: string): readonly Stamp[] {
    return [
      { name: metaKeys.version, value: this.#version },
      { name: metaKeys.capabilities, value: Buffer.from(capabilities) },
      { name: metaKeys.clientInfo, value: jsonBytes(this.#clientInfo) },
      ...(this.#logLevel === undefined
        ? []
        : [{ name: metaKeys.logLevel, value: jsonBytes(this.#logLevel) }]),
    ];
  }
}

interface Capabilities {
  readonly plain: string;
  readonly tasks: string;
}

function capabilitiesOf(own: Readonly<Record<string, unknown>>): Capabilities {
  return { plain: JSON.stringify(own), tasks: JSON.stringify(withTasksExtension(own)) };
}
