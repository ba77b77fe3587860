import { z } from 'zod';
import { type Problem, ProblemError, toProblem } from '../../../../../shared/error/problem.ts';
import { problemSchema } from '../../../../../shared/error/problem-schema.ts';
import { isRecord, parseJson, printJson } from '../../../../../shared/json.ts';
import { protocolVersions } from '../../../../../shared/model/mcp.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { errorInResult } from '../../../jsonrpc/error-result.ts';
import { ConnectionClosedError, RpcError, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { HttpStatusError } from '../../../transport/http-client/http-problem.ts';
import { keyRefusalInError } from '../../../transport/http-client/key-header.ts';
import { namesModernOnly } from '../../../transport/modern/era-watch.ts';
import type { Handshake, InitializeParams } from '../../contract.ts';
import type { LaunchTarget } from '../../server-config.ts';
import type { Evidence } from '../diagnosis/child-facts.ts';
import {
  capabilitiesRefused,
  handshakeFailed,
  notificationRefused,
  notStateless,
  onlyStateless,
  unknownVersion,
  wrongTransport,
} from '../diagnosis/failure-problems.ts';
import { defaultVersion, listedVersions, nextVersion } from './protocol-versions.ts';
import type { Session } from './session.ts';

/**
 * Client capabilities that servers are told. A server is initialized once and shared by clients that come and
 * go, so this is everything that a client may be able to do; requests that the actual client cannot answer
 * are refused.
 */
const clientCapabilities = {
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** Initialize params of the hub itself. */
export function hubInitializeParams(version: string): InitializeParams {
  const [protocolVersion] = protocolVersions;
  return { protocolVersion, capabilities: clientCapabilities, clientInfo: { name: 'patchbay', version } };
}

export type InitializeOutcome =
  | { readonly kind: 'greeted'; readonly handshake: Handshake }
  /** The server answered, but unusably. */
  | { readonly kind: 'unusable'; readonly problem: Problem; readonly error?: RpcError }
  /** The connection closed before an answer. */
  | { readonly kind: 'closed'; readonly reason: Error };

export interface InitializeOptions {
  readonly initializeParams: InitializeParams;
  /** Called only if something is wrong. */
  readonly evidence: () => Evidence;
  readonly target: Pick<LaunchTarget, 'protocol'>;
  readonly clock: Clock;
}

/** Opens the session and initializes the server. Waits without a timeout; closing the peer ends it. */
export async function initialize(session: Session, options: InitializeOptions): Promise<InitializeOutcome> {
  const { evidence } = options;
  try {
    await session.peer.start();
    return { kind: 'greeted', handshake: await completeHandshake(session, options) };
  } catch (error) {
    if (error instanceof RpcError) {
      const isMistaken = options.target.protocol === 'legacy' && namesModernOnly(error);
      const problem = isMistaken ? onlyStateless(evidence()) : refusalProblem(error, evidence());
      return { kind: 'unusable', problem, error };
    }
    if (error instanceof UnusableResultError) return { kind: 'unusable', problem: error.problem };
    if (error instanceof ConnectionClosedError || error instanceof ProblemError) {
      return { kind: 'closed', reason: error };
    }
    return { kind: 'unusable', problem: toProblem(error) };
  }
}

/** Separates errors in the server's answer from errors of the transport. */
class UnusableResultError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.sentence);
    this.problem = problem;
  }
}

async function completeHandshake(
  session: Session,
  { initializeParams, evidence, target, clock }: InitializeOptions,
): Promise<Handshake> {
  const { transport } = session;
  const { answer, refused } = await sendInitialize(session, initializeParams, clock);
  const { era } = transport;
  if (target.protocol === 'modern' && era?.era !== 'modern') {
    const reason = era?.reason ?? 'it gave no answer to server/discover';
    throw new UnusableResultError(notStateless(reason, evidence()));
  }
  const parsed = answerSchema.safeParse(readResult(answer));
  if (!parsed.success) {
    const reason = z.prettifyError(parsed.error).replaceAll('\n', ' ');
    throw new UnusableResultError(handshakeFailed(reason, evidence()));
  }
  const { protocolVersion: namedVersion, capabilities, serverInfo, instructions } = parsed.data;
  const protocolVersion = namedVersion ?? defaultVersion;
  transport.setProtocolVersion?.(protocolVersion);
  const initializedRefusal = await refusalOfInitialized(session);
  const warnings = [
    ...(transport.detectedType === undefined ? [] : [wrongTransport(transport.detectedType)]),
    ...(refused === undefined ? [] : [refused]),
    ...(namedVersion !== undefined && protocolVersions.includes(namedVersion)
      ? []
      : [unknownVersion(namedVersion)]),
    ...(initializedRefusal === undefined ? [] : [initializedRefusal]),
  ];
  return {
    protocolVersion,
    capabilities,
    serverInfo,
    era,
    ...(instructions === undefined ? {} : { instructions }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

interface InitializeAnswer {
  readonly answer: unknown;
  /** Set if the capabilities were refused. */
  readonly refused?: Problem;
}

/**
 * Sends `initialize`. If the server refuses, retries with older protocol versions and finally without
 * capabilities, which may be newer than a strict server accepts; the latter immediately if the refusal does
 * not mention versions. A possibly temporary failure is retried once. Rejects with the first refusal.
 */
async function sendInitialize(
  { peer }: Session,
  initializeParams: InitializeParams,
  clock: Clock,
): Promise<InitializeAnswer> {
  const { clientInfo, protocolVersion, capabilities } = initializeParams;
  const ask = async (params: object) => {
    const answer = await peer.request('initialize', { ...params, clientInfo }).result;
    const error = isHandshake(answer) ? undefined : errorInResult(answer);
    if (error !== undefined) throw new RpcError(error);
    return answer;
  };
  const askFirst = (params: object) =>
    ask(params).catch(async (error: unknown) => {
      if (!mayBeTemporary(error)) throw error;
      await delay(clock, temporaryFailureMs);
      return ask(params);
    });
  const asked = new Set<string>();
  const refusals: unknown[] = [];
  let version: string | undefined = protocolVersion;
  let isNamed = false;
  while (version !== undefined) {
    asked.add(version);
    try {
      const params = { protocolVersion: version, capabilities };
      return { answer: await (asked.size === 1 ? askFirst(params) : ask(params)) };
    } catch (error) {
      refusals.push(error);
      const listed = offeredVersions(error, asked);
      if (listed === undefined && !mayBeCapabilities(error)) throw refusals[0];
      const next: string | undefined = listed && nextVersion(listed, asked);
      isNamed ||= listed !== undefined && listed.length > 0;
      if (next === undefined) break;
      version = next;
    }
  }
  const names = Object.keys(capabilities);
  if (names.length === 0) throw refusals[0];
  const last = isNamed ? version : protocolVersion;
  const answer = await ask({ protocolVersion: last, capabilities: {} }).catch(() => {
    throw refusals[0];
  });
  return { answer, refused: capabilitiesRefused(names, refusals[0]) };
}

/**
 * Returns the versions that the server offers instead, possibly none; undefined if another version would not
 * help.
 */
function offeredVersions(error: unknown, asked: ReadonlySet<string>): readonly string[] | undefined {
  if (error instanceof HttpStatusError) {
    if (error.isUnauthorized) return undefined;
    const refusal = [error.words, error.answer];
    const listed = listedVersions(refusal, asked);
    const isAboutVersion =
      aboutVersion.test(printJson(refusal) ?? '') || (error.status === 500 && error.answer !== undefined);
    return listed.length === 0 && !isAboutVersion ? undefined : listed;
  }
  const isOther = !(error instanceof RpcError) || error.code === rpcErrorCodes.methodNotFound;
  if (isOther || loopBehind(error) !== undefined || keyRefusalInError(error.message, {})) return undefined;
  return listedVersions({ message: error.message, data: error.data }, asked);
}

/** Tells whether a refusal may be temporary: its text is not about `initialize`. */
function mayBeTemporary(error: unknown): boolean {
  if (!(error instanceof HttpStatusError) || error.status !== 500) return false;
  return !aboutInitialize.test(printJson([error.words, error.answer]) ?? '');
}

/** Words of servers that could not read or accept the `initialize` request. */
const aboutInitialize =
  /capabilit|field|propert|\bmember|seriali[sz]|\bpars(?:e|ing)|schema|\bparams|version|20\d\d-[01]\d-[0-3]\d/i;
const aboutVersion = /protocol.{0,2}version/i;
const temporaryFailureMs = 500;

/**
 * Tells whether a refusal without a JSON-RPC error may be about the capabilities; other statuses mean other
 * things.
 */
function mayBeCapabilities(error: unknown): boolean {
  return error instanceof HttpStatusError && [400, 422, 500].includes(error.status);
}

/** Notifications have no answer, so a server that refuses this one may still work. */
async function refusalOfInitialized({ peer }: Session): Promise<Problem | undefined> {
  const method = 'notifications/initialized';
  try {
    await peer.notify(method);
    return undefined;
  } catch (error) {
    if (error instanceof HttpStatusError) return notificationRefused(method, error);
    throw error;
  }
}

/** Lenient, as long as the server can be used. */
const answerSchema = z.object({
  protocolVersion: z.string().trim().min(1).max(64).optional().catch(undefined),
  capabilities: z.record(z.string(), z.unknown()).transform(withoutNull).catch({}),
  serverInfo: z.record(z.string(), z.unknown()).catch({}),
  instructions: z.string().optional().catch(undefined),
});

/** Reads a result that is written as a JSON text. A bare "ok" or true says nothing; a list with something is nonsense. */
function readResult(answer: unknown): unknown {
  const read = typeof answer === 'string' ? parseJson(answer) : answer;
  return isRecord(read) || (Array.isArray(read) && read.length > 0) ? read : {};
}

function isHandshake(answer: unknown): boolean {
  return isRecord(answer) && ['protocolVersion', 'capabilities', 'serverInfo'].some((name) => name in answer);
}

/** Drops members that are null, as if they were absent. */
function withoutNull(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Returns the problem of a bridge or command that found itself below itself; it is in the error's data. */
function loopBehind(error: RpcError): Problem | undefined {
  const carried = z.object({ problem: problemSchema }).safeParse(error.data);
  return carried.success && carried.data.problem.code === 'server.loop' ? carried.data.problem : undefined;
}

function refusalProblem(error: RpcError, evidence: Evidence): Problem {
  const listed = listedVersions({ message: error.message, data: error.data }, new Set(protocolVersions));
  const takes = listed.length === 0 ? '' : `; it lists ${listed.slice(0, maxListed).join(', ')}`;
  const data = error.data === undefined ? undefined : printJson(error.data)?.slice(0, maxDataLength);
  const facts = { ...evidence, 'error data': data };
  return loopBehind(error) ?? handshakeFailed(`error ${error.code}, ${error.message}${takes}`, facts);
}

const maxListed = 10;
const maxDataLength = 500;
