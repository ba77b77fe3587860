import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Offer, RawItem } from './contract.ts';
import { listPages } from './list-pages.ts';

/** The part of a connection that listing needs. */
export interface ListedConnection {
  readonly handshake: Pick<Offer, 'protocolVersion' | 'capabilities' | 'serverInfo' | 'instructions'>;
  ask(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
}

export interface ListOfferOptions {
  readonly clock?: Clock;
  /** Milliseconds to wait for one page. */
  readonly pageTimeout?: number;
  /** What it offered before: a list that cannot be had now stays as it was, for no answer does not mean nothing. */
  readonly previous?: Offer;
}

export interface ListedOffer {
  readonly offer: Offer;
  readonly problems: readonly Problem[];
}

/**
 * Asks a server for everything its capabilities promise, all pages, and keeps the items as they came. Each list is
 * judged on its own: one that fails is reported and costs none of the others. Rejects only if the connection ends.
 */
export async function listOffer(
  connection: ListedConnection,
  options: ListOfferOptions = {},
): Promise<ListedOffer> {
  const outcomes = await Promise.all(lists.map((list) => outcomeOf(list, connection, options)));
  const [tools, prompts, resources, resourceTemplates] = outcomes.map(({ items }) => items);
  return {
    offer: {
      ...handshakePart(connection.handshake),
      tools: tools ?? [],
      prompts: prompts ?? [],
      resources: resources ?? [],
      resourceTemplates: resourceTemplates ?? [],
    },
    problems: outcomes.flatMap(({ problems }) => problems),
  };
}

interface ListSpec {
  readonly part: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  readonly method: string;
  readonly capability: string;
  /** Servers with resources but no templates commonly do not know the method. */
  readonly mayBeUnknown?: true;
}

const lists: readonly ListSpec[] = [
  { part: 'tools', method: 'tools/list', capability: 'tools' },
  { part: 'prompts', method: 'prompts/list', capability: 'prompts' },
  { part: 'resources', method: 'resources/list', capability: 'resources' },
  {
    part: 'resourceTemplates',
    method: 'resources/templates/list',
    capability: 'resources',
    mayBeUnknown: true,
  },
];

interface Outcome {
  readonly items: readonly RawItem[];
  readonly problems: readonly Problem[];
}

async function outcomeOf(
  list: ListSpec,
  connection: ListedConnection,
  { clock = systemClock, pageTimeout = 30_000, previous }: ListOfferOptions,
): Promise<Outcome> {
  if (connection.handshake.capabilities[list.capability] === undefined) return { items: [], problems: [] };
  const ask = connection.ask.bind(connection);
  try {
    const pages = await listPages({ ask, method: list.method, field: list.part, clock, pageTimeout });
    return { items: pages.items, problems: pages.cut === undefined ? [] : [listCut(list, pages.cut)] };
  } catch (error) {
    if (error instanceof ConnectionClosedError) throw error;
    const isUnknown = error instanceof RpcError && error.code === rpcErrorCodes.methodNotFound;
    if (isUnknown && list.mayBeUnknown) return { items: [], problems: [] };
    return { items: previous?.[list.part] ?? [], problems: [listFailed(list, error)] };
  }
}

function listFailed({ method }: ListSpec, error: unknown): Problem {
  const isAnswer = error instanceof RpcError;
  const why = isAnswer ? `The server answered: ${error.message}` : toProblem(error).sentence;
  const sentence = `${method} failed, the other lists are unharmed. ${why}`;
  const evidence = { method, ...(isAnswer ? { code: error.code, message: error.message } : {}) };
  return problem('server.list_failed', sentence, 'Look at the log of the server, or restart it.', evidence);
}

function listCut({ method }: ListSpec, why: string): Problem {
  const sentence = `${method} was ended before the server was done: ${why}. What came until then is listed.`;
  return problem('server.list_failed', sentence, 'Report this to the author of the server.', { method });
}

function handshakePart({
  protocolVersion,
  capabilities,
  serverInfo,
  instructions,
}: ListedConnection['handshake']) {
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    ...(instructions === undefined ? {} : { instructions }),
  };
}
