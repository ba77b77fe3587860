import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { BreakerView } from '../../../shared/model/activity/breaker.ts';
import type { ClientDetail, ClientWeight, KnownClient } from '../../../shared/model/client/client-detail.ts';
import type { LimitName, LimitView } from '../../../shared/model/hub/limits.ts';
import type { ToolReview } from '../../../shared/model/tool/guard.ts';
import type { ToolSkills } from '../../../shared/model/tool/skill.ts';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool/tool.ts';
import { useModel } from '../model-context.tsx';
import { type EngineState, knownValue, useAnswer, useEngine } from './use-engine.ts';

export const useAccess = () => useEngine('access.get', undefined, { event: 'access.changed' });

/** Looks for clients on this computer by checking for files; reads none of them. */
export const useConnectClients = () => useEngine('connect.list', undefined, { event: 'connect.changed' });

/** Returns names, uses and times of the secrets, never values. */
export const useSecrets = () => useEngine('secret.list', undefined, { event: 'secrets.changed' });

/** Returns the circuit breakers that are not closed. */
export function useBreakers(): EngineState<readonly BreakerView[]> {
  const [state] = useAnswer<readonly BreakerView[]>(
    (link) => link.call('breaker.list', undefined),
    [],
    (link, show) => link.on('breaker.changed', ({ breakers }) => show(breakers)),
  );
  if (state.kind !== 'known') return state;
  return { kind: 'known', value: state.value.filter((breaker) => breaker.state !== 'closed') };
}

/** Fetches the detail again whenever the client or the catalogue changes. */
export function useClientDetail(id: string): EngineState<ClientDetail> {
  const { mirrors } = useModel();
  const client = useStore(mirrors.clients, (clients) => clients.find((one) => one.id === id));
  const revision = useStore(mirrors.hub, (hub) => hub?.revision);
  const profiles = useStore(mirrors.profiles, (view) => view);
  return useEngine('client.detail', { id }, { again: [client, revision, profiles] });
}

/** Estimates the tokens of a client's tools; again when the tools change. */
export function useClientWeight({ id, tools, compact }: ClientDetail): EngineState<ClientWeight> {
  const names = [compact.tools, ...tools.map(({ wireName }) => wireName)].join(' ');
  return useEngine('client.weigh', { id }, { again: [names] });
}

/** Returns clients that called tools recently and are not connected. */
export function useKnownClients(): readonly KnownClient[] {
  const count = useStore(useModel().mirrors.clients, (clients) => clients.length);
  return knownValue(useEngine('client.known', undefined, { again: [count] }))?.clients ?? [];
}

/** Compares a tool with its approved definition, again whenever the definition changes. */
export function useReview(serverKey: string, name: string, digest?: string): EngineState<ToolReview> {
  return useEngine('guard.review', { serverKey, name, ...(digest === undefined ? {} : { digest }) });
}

/** Fetches a complete tool; again whenever its summary is replaced: its definition may have changed. */
export function useToolDetail(summary: ToolSummary): EngineState<ToolDetail> {
  const { serverKey, name } = summary;
  return useEngine('tool.get', { serverKey, name }, { again: [summary] });
}

/** Minimum milliseconds between two fetches while thousands of tools are being classified. */
const minFetchIntervalMs = 400;

/** Returns the tools with a skill, or all tools; again, at a limited rate, when skills change. */
export function useSkillTools(
  skill: string | undefined,
): EngineState<{ readonly tools: readonly ToolSkills[] }> {
  const { link } = useModel();
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let restsUntil = 0;
    const stop = link.on('skills.changed', () => {
      const wait = Math.max(0, restsUntil - Date.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        restsUntil = Date.now() + minFetchIntervalMs;
        setChanges((before) => before + 1);
      }, wait);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [link]);
  return useEngine('skill.tools', skill === undefined ? {} : { skill }, { again: [changes] });
}

export interface Limits {
  readonly state: EngineState<readonly LimitView[]>;
  reload(): void;
  /** Sets a limit, or resets it with null; resolves to the problem if it was rejected. */
  set(name: LimitName, value: number | null): Promise<Problem | undefined>;
}

/** Returns the effective limits; fetched again whenever the settings change. */
export function useLimits(): Limits {
  const { link, mirrors } = useModel();
  const chosen = useStore(mirrors.settings, (settings) => settings?.limits);
  const [turn, setTurn] = useState(0);
  const [state, show] = useAnswer<readonly LimitView[]>(
    () => link.call('limits.list', undefined),
    [chosen, turn],
  );
  async function set(name: LimitName, value: number | null): Promise<Problem | undefined> {
    const answer = await link.call('limits.set', { name, value });
    if (!answer.ok) return answer.problem;
    show(answer.value);
    return undefined;
  }
  return { state, set, reload: () => setTurn((before) => before + 1) };
}

/** Returns one limit, once known. */
export function useLimit(name: LimitName): LimitView | undefined {
  return knownValue(useLimits().state)?.find((limit) => limit.name === name);
}
