import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import type { AuditEntry } from './audit/audit.ts';

/** Counts refusals that are too many for a row each: one row per second and caller. */
export class RefusalCounts implements Disposable {
  readonly #coalescer: Coalescer;
  readonly #counts = new Map<string, number>();

  constructor(clock: Clock, report: (note: Omit<AuditEntry, 'id' | 'at'>) => void) {
    this.#coalescer = createCoalescer(clock, spanMs, () => {
      const notes = [...this.#counts].map(toNote);
      this.#counts.clear();
      for (const note of notes) report(note);
    });
  }

  add(agent: string): void {
    // Clients beyond this limit, of which there may be any number, are counted together.
    const countedAgent = this.#counts.has(agent) || this.#counts.size < maxAgents ? agent : others;
    this.#counts.set(countedAgent, (this.#counts.get(countedAgent) ?? 0) + 1);
    this.#coalescer.mark();
  }

  flush(): void {
    this.#coalescer.flush();
  }

  dispose(): void {
    this.#coalescer.flush();
    this.#coalescer.dispose();
  }
}

const spanMs = 1_000;
const maxAgents = 200;
const others = 'others';

function toNote([actor, count]: readonly [string, number]): Omit<AuditEntry, 'id' | 'at'> {
  const text = `and ${count.toLocaleString('en')} more ${count === 1 ? 'refusal' : 'refusals'} of ${actor} within a second`;
  return { kind: 'identity', action: 'refused', actor, outcome: 'refused', text };
}
