import { type AccessStore, accessStore } from '../access/access-store.ts';
import { type RegistryStore, registryStore } from '../api/registry/registry-store.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { Problems } from '../base/problems.ts';
import { type HttpSessionStore, httpSessionStore } from '../gateway/http/http-session-store.ts';
import { type ToolUses, toolUses } from '../inspection/tool-uses.ts';
import { type ToolPins, toolPins } from '../pinning/tool-pins.ts';
import type { BreakerStore } from '../routing/contract.ts';
import { breakerMemory } from '../routing/resilience/breaker-memory.ts';
import { type SkillStore, skillStore } from '../search/service/skill-store.ts';
import { LossMark } from '../store/db/loss-mark.ts';
import { createStateDb, type StateDb } from '../store/db/state-db.ts';

interface PersistenceOptions {
  /** See DataPaths. */
  readonly file: string;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly opened: CloseStack;
}

/** State that a hub keeps across restarts. */
export interface Persistence {
  readonly breakers: BreakerStore;
  readonly pins: ToolPins;
  readonly uses: ToolUses;
  readonly skills: SkillStore;
  readonly access: AccessStore;
  readonly registry: RegistryStore;
  readonly httpSessions: HttpSessionStore;
  /** The database itself, for operations on all of it. */
  readonly state: StateDb;
  /** Resolves when all decisions are on disk. */
  flush(): Promise<void>;
  /** True when stored data was lost and the user has not decided yet how to go on. */
  readonly hasUnresolvedLoss: () => boolean;
}

/**
 * Opens the database only when there is something to store. Closes it last, since other parts may still write
 * while they close.
 */
export function createPersistence({ file, clock, problems, opened }: PersistenceOptions): Persistence {
  const report = (about: string, problem: Parameters<Problems['set']>[1]) =>
    problems.set(`state ${about}`, problem);
  const mark = new LossMark(file, (problem) => problems.set('state loss', problem));
  const state = createStateDb({ file, clock, mark, report });
  const breakers = breakerMemory(state, clock);
  const pins = toolPins(state, clock);
  const uses = toolUses(state, clock);
  const skills = skillStore(state, clock);
  const access = accessStore(state, clock, mark);
  const registry = registryStore(state);
  const httpSessions = httpSessionStore(state, clock);
  const flush = async () => {
    await registry.settled();
    await access.flush();
    await skills.flush();
    await pins.flush();
  };
  opened.defer(async () => {
    await httpSessions.flush();
    await uses.flush();
    await flush();
    await breakers.flush();
    await state.close();
  });
  return {
    breakers,
    pins,
    uses,
    skills,
    access,
    registry,
    httpSessions,
    state,
    flush,
    hasUnresolvedLoss: () => mark.problem !== undefined,
  };
}
