import type { Identity } from '../../../shared/model/access/access.ts';
import { type LimitName, limitFields } from '../../../shared/model/hub/limits.ts';
import { grantTarget } from '../access/rules/grant-target.ts';
import { riskOf } from '../access/rules/risk.ts';
import { breakersOf } from '../activity/audit/audit-operations.ts';
import type { ApiCaller, ApiHub, ApiPorts, CompletedCall, ToolResolution } from '../api/contract.ts';
import { ApiNames } from '../api/invoke/api-names.ts';
import { identityOfApiSession } from '../api/invoke/api-sessions.ts';
import { Invoker } from '../api/invoke/invoker.ts';
import { createServerRegistry } from '../api/registry/server-registry.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { NameLookup } from '../catalogue/contract.ts';
import type { Limits } from '../config/limits/limits.ts';
import { looksLikeErrorResult } from '../jsonrpc/error-result.ts';
import type { CallRecord } from '../routing/contract.ts';
import type { Hub } from './hub-contract.ts';
import type { RunningHub } from './running-hub.ts';
import { toolDetail } from './view/views.ts';

export interface ApiPortsOptions {
  readonly hub: Hub;
  readonly running: RunningHub;
  /** Masks secrets that servers were given and repeat in their own texts. */
  readonly mask: <T>(view: T) => T;
  readonly limits: Limits;
  readonly version: string;
  readonly log: Logger;
}

/** Connects the REST API to a running hub. */
export function createApiPorts(options: ApiPortsOptions): ApiPorts & Disposable {
  const { running, limits, version, log } = options;
  const { clock, calls, access } = running;
  const completed = new Emitter<CompletedCall>();
  const ended = new Emitter<string>();
  const names = new ApiNames(
    () => running.catalogue.current,
    () => running.config.state.servers.map(({ key }) => key),
  );
  const { tables } = access.service;
  const invoker = new Invoker({
    ...running,
    names,
    version,
    grants: access.sessions,
    nameOf: (id) => tables.identities().find((identity) => identity.id === id)?.name ?? id,
    timeoutOf: (key) =>
      running.configured(key)?.callTimeout === undefined ? limitOf(limits, 'invocationTimeoutMs') : undefined,
  });
  const endings = access.service.onEnded(({ id }) => ended.fire(id));
  const onCallEnded = calls.observe({
    ended: (call) => {
      if (completed.hasListeners && call.method === 'tools/call')
        completed.fire(completedCall(call, running));
    },
  });
  return {
    version,
    clock,
    log,
    hub: apiHub(options),
    registry: createServerRegistry(running.registry, clock),
    identify: (bearer) => callerOf(access.identify(bearer)),
    agent: (idOrName) => {
      const byId = tables.identities().find(({ id }) => id === idOrName);
      return (byId ?? tables.byName('agent', idOrName) ?? tables.byName('client', idOrName))?.id;
    },
    mayCall: (id, serverKey, tool) => access.authorize(id, serverKey, tool).effect !== 'deny',
    place: (name, serverKey) =>
      resolutionOf(serverKey === undefined ? names.named(name) : names.find(serverKey, name)),
    invoke: (call) => invoker.invoke(call),
    onCompleted: completed.event,
    onEnded: ended.event,
    grantTarget: (scope) => grantTarget(scope, running.catalogue.current),
    isHighRisk: (serverKey, tool) => {
      const lookup = names.find(serverKey, tool);
      return riskOf(tool, lookup.kind === 'unknown' ? {} : lookup.target.item) === 'high';
    },
    tokenTtl: () => limitOf(limits, 'tokenTtlMinutes') * 60_000,
    onCircuits: running.resilience.circuits.onChange,
    dispose() {
      onCallEnded.dispose();
      endings.dispose();
      invoker.dispose();
      completed.dispose();
      ended.dispose();
    },
  };
}

function apiHub({ hub, running, mask }: ApiPortsOptions): ApiHub {
  const { access, meter, resilience, search } = running;
  const { tables } = access.service;
  return {
    run: async (name, input) => {
      const output = await hub.run(name, input, restApi);
      // Texts of suggestions name tools, or come from a model.
      return name === 'skill.view' ? mask(output) : output;
    },
    servers: () => mask(hub.servers()),
    tools: () => mask(hub.tools()),
    tool: (serverKey, name) => toolDetail(running, serverKey, name),
    identities: () => tables.identities(),
    clients: () => hub.clients(),
    grants: (identityId) => tables.grants(identityId),
    approvals: () => hub.approvals(),
    breakers: () => breakersOf(resilience.circuits),
    metricsText: async () => meter.text(),
    find: async (query, mayHave) => mask(await search.find(query, mayHave)),
    onServers: hub.events['servers.changed'],
    onTools: hub.events['tools.changed'],
  };
}

/** Names the owner of the admin token in the audit log. */
const restApi = 'the REST API';

function limitOf(limits: Limits, limit: LimitName): number {
  return limits.list().find(({ name }) => name === limit)?.value ?? limitFields[limit].default;
}

function callerOf(known: 'admin' | Identity | undefined): ApiCaller | undefined {
  if (known === undefined) return undefined;
  return known === 'admin' ? { kind: 'admin' } : { kind: 'identity', id: known.id, name: known.name };
}

function resolutionOf(lookup: NameLookup): ToolResolution {
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

function completedCall(call: CallRecord, { access }: RunningHub): CompletedCall {
  const identityId = identityOfApiSession(call.sessionId) ?? access.sessions.identityOf(call.sessionId)?.id;
  return {
    correlationId: call.correlationId ?? `call-${call.id}`,
    serverKey: call.serverKey,
    tool: call.name ?? '',
    success: call.outcome === 'ok' && (call.answer === undefined || !looksLikeErrorResult(call.answer)),
    milliseconds: (call.endedAt ?? call.startedAt) - call.startedAt,
    attempts: call.attempts,
    ...(identityId === undefined ? {} : { identityId }),
  };
}
