import type { Identity } from '../../../../shared/model/access.ts';
import { type LimitName, limitFields } from '../../../../shared/model/limits.ts';
import type { ApiCaller, ApiPorts, CompletedCall, ToolPlace } from '../../api/contract.ts';
import { actor } from '../../api/route/actor.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { NameLookup } from '../../catalogue/contract.ts';
import { grantTarget } from '../../policy/access/grant-target.ts';
import { riskOf } from '../../policy/access/risk.ts';
import type { CallRecord } from '../../route/contract.ts';
import { seemsFailed } from '../../rpc/tool-failure.ts';
import type { Engine } from '../contract.ts';
import { identityOfApiSession } from '../invoke/api-session.ts';
import { ApiNames } from '../invoke/exact-view.ts';
import { Invoker } from '../invoke/invoker.ts';
import { maskKnown } from '../mask-known.ts';
import type { RunningHub } from '../running-hub.ts';
import { KnownSecrets } from '../tester/known-secrets.ts';
import { createServerRegistry } from './server-registry.ts';

export interface ApiPortsOptions {
  readonly engine: Engine;
  readonly hub: RunningHub;
  readonly version: string;
  readonly log: Logger;
}

/** Builds the ports of the API from the engine and the running hub. */
export function createApiPorts({ engine, hub, version, log }: ApiPortsOptions): ApiPorts & Disposable {
  const { clock, feed } = hub;
  const { access } = engine;
  const completed = new Emitter<CompletedCall>();
  const ended = new Emitter<string>();
  const names = new ApiNames(
    () => hub.catalogue.current,
    () => hub.config.state.servers.map(({ key }) => key),
  );
  const invoker = new Invoker({
    ...hub,
    names,
    version,
    grants: hub.access.sessions,
    nameOf: (id) => access.identities().find((identity) => identity.id === id)?.name ?? id,
    timeoutOf: (key) =>
      hub.configured(key)?.callTimeout === undefined ? limitOf(engine, 'invocationTimeoutMs') : undefined,
  });
  const cut = hub.access.book.onEnded(({ id }) => ended.fire(id));
  const heard = feed.onEnded((call) => completed.fire(completedCall(call, feed.correlationOf(call), hub)));
  return {
    version,
    clock,
    log,
    engine: masking(onBehalfOf(engine, actor), hub),
    registry: createServerRegistry(hub.registry, clock),
    identify: (bearer) => callerOf(access.identify(bearer)),
    agent: (idOrName) => {
      const byId = access.identities().find(({ id }) => id === idOrName);
      return (byId ?? access.byName('agent', idOrName) ?? access.byName('client', idOrName))?.id;
    },
    mayCall: (id, serverKey, tool) => access.authorize(id, serverKey, tool).effect !== 'deny',
    place: (name, serverKey) =>
      placeOf(serverKey === undefined ? names.named(name) : names.find(serverKey, name)),
    invoke: (call) => invoker.invoke(call),
    onCompleted: completed.event,
    onEnded: ended.event,
    grantTarget: (scope) => grantTarget(scope, hub.catalogue.current),
    isHighRisk: (serverKey, tool) => {
      const lookup = names.find(serverKey, tool);
      return riskOf(tool, lookup.kind === 'unknown' ? {} : lookup.target.item) === 'high';
    },
    tokenTtl: () => limitOf(engine, 'tokenTtlMinutes') * 60_000,
    onCircuits: hub.resilience.circuits.onChange,
    dispose() {
      heard.dispose();
      cut.dispose();
      invoker.dispose();
      completed.dispose();
      ended.dispose();
    },
  };
}

/** Wraps the engine so that the audit log names this actor. */
function onBehalfOf(engine: Engine, name: string): ApiPorts['engine'] {
  const as =
    <A extends readonly unknown[], R>(operate: (...args: A) => R) =>
    (...args: A): R =>
      engine.audit.as(name, () => operate(...args));
  return {
    ...engine,
    add: as(engine.add),
    update: as(engine.update),
    remove: as(engine.remove),
    setEnabled: as(engine.setEnabled),
    restart: as(engine.restart),
    setToolsEnabled: as(engine.setToolsEnabled),
    skills: {
      ...engine.skills,
      correct: as(engine.skills.correct),
      release: as(engine.skills.release),
      decide: as(engine.skills.decide),
      reclassify: as(engine.skills.reclassify),
    },
  };
}

/** Wraps the engine so that views contain no secrets that servers repeat. */
function masking(engine: ApiPorts['engine'], hub: RunningHub): ApiPorts['engine'] {
  const secrets = new KnownSecrets();
  const show = <T>(view: T): T => {
    secrets.learn(hub);
    return maskKnown(view, secrets.mask);
  };
  return {
    ...engine,
    servers: () => show(engine.servers()),
    tools: () => show(engine.tools()),
    search: {
      ...engine.search,
      find: async (query, mayHave) => show(await engine.search.find(query, mayHave)),
    },
    // Suggestion texts contain tool names or a model's words.
    skills: { ...engine.skills, view: async () => show(await engine.skills.view()) },
  };
}

function limitOf({ limits }: Engine, limit: LimitName): number {
  return limits.list().find(({ name }) => name === limit)?.value ?? limitFields[limit].default;
}

function callerOf(known: 'admin' | Identity | undefined): ApiCaller | undefined {
  if (known === undefined) return undefined;
  return known === 'admin' ? { kind: 'admin' } : { kind: 'identity', id: known.id, name: known.name };
}

function placeOf(lookup: NameLookup): ToolPlace {
  switch (lookup.kind) {
    case 'unknown':
      return lookup.server === undefined
        ? { kind: 'unknown' }
        : { kind: 'unlisted', serverKey: lookup.server };
    case 'disabled':
    case 'held':
    case 'server-off':
      return { kind: lookup.kind, serverKey: lookup.target.serverKey, tool: lookup.target.name };
    default:
      return { kind: 'found', serverKey: lookup.target.serverKey, tool: lookup.target.name };
  }
}

function completedCall(call: CallRecord, correlationId: string, { access }: RunningHub): CompletedCall {
  const identityId = identityOfApiSession(call.sessionId) ?? access.sessions.identityOf(call.sessionId)?.id;
  return {
    correlationId,
    serverKey: call.serverKey,
    tool: call.name ?? '',
    success: call.outcome === 'ok' && (call.answer === undefined || !seemsFailed(call.answer)),
    milliseconds: (call.endedAt ?? call.startedAt) - call.startedAt,
    attempts: call.attempts,
    ...(identityId === undefined ? {} : { identityId }),
  };
}
