import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { Event } from '../../base/emitter.ts';
import type { Resilience } from '../../route/resilience/resilience.ts';
import { createBreakers } from './breakers.ts';
import type { AuditEngine } from './contract.ts';

interface AuditedHub {
  readonly resilience: Resilience;
}

export interface AuditEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => AuditedHub;
  readonly running: () => AuditedHub | undefined;
  readonly onOpen: Event<AuditedHub>;
}

/** What the hub keeps account of, for the engine. */
export function createAuditEngine(options: AuditEngineOptions): AuditEngine {
  return {
    audit: {
      query: async () => Promise.reject(notKept()),
      export: async () => Promise.reject(notKept()),
      verify: async () => Promise.reject(notKept()),
      note: () => {},
      as: (_actor, ask) => ask(),
    },
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => Promise.reject(notKept()),
      summary: async () => Promise.reject(notKept()),
    },
    breakers: createBreakers(options),
  };
}

function notKept(): ProblemError {
  return new ProblemError(problem('hub.busy', 'No account is kept yet.', 'Try it with a later version.'));
}
