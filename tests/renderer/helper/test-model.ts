import { createModel, type HubLink, type Model, type Notifier } from '../../../renderer/store/model.ts';
import type { Problem } from '../../../shared/error/problem.ts';
import type {
  IpcAnswer,
  IpcCallName,
  IpcEvent,
  IpcEventName,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc/contract.ts';

/** Answers of the engine, by call. */
export type Answers = {
  [N in IpcCallName]?: (input: IpcInput<N>) => IpcAnswer<N> | Promise<IpcAnswer<N>>;
};

/**
 * A link with scripted answers; calls without one succeed with nothing, and there are no profiles and no
 * waiting calls.
 */
export class ScriptedLink implements HubLink {
  readonly calls: { readonly name: IpcCallName; readonly input: unknown }[] = [];
  readonly #answers: Answers;
  readonly #listeners = new Map<IpcEventName, Set<(event: unknown) => void>>();

  constructor(answers: Answers = {}) {
    this.#answers = {
      'profile.list': () => ({ ok: true, value: { profiles: [], clients: {} } }),
      'access.approvals': () => ({ ok: true, value: { approvals: [] } }),
      ...answers,
    };
  }

  async call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcAnswer<N>> {
    this.calls.push({ name, input });
    return (await this.#answers[name]?.(input)) ?? { ok: true, value: undefined as IpcOutput<N> };
  }

  on<N extends IpcEventName>(name: N, listener: (event: IpcEvent<N>) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener as (event: unknown) => void);
    return () => set.delete(listener as (event: unknown) => void);
  }

  push<N extends IpcEventName>(name: N, event: IpcEvent<N>): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }

  get listenerCount(): number {
    return [...this.#listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }
}

/** Records what the user would be told. */
export class NotedNotifier implements Notifier {
  readonly noted: string[] = [];
  readonly undos = new Map<string, () => void>();

  done(message: string): void {
    this.noted.push(`done: ${message}`);
  }

  problem(problem: Problem): void {
    this.noted.push(`problem: ${problem.code}`);
  }

  undoable(id: string, message: string, undo: () => void): void {
    this.noted.push(`undoable: ${message}`);
    this.undos.set(id, undo);
  }

  close(id: string): void {
    this.undos.delete(id);
  }
}

export interface TestModel {
  readonly model: Model;
  readonly link: ScriptedLink;
  readonly notifier: NotedNotifier;
}

export function testModel(answers: Answers = {}): TestModel {
  const link = new ScriptedLink(answers);
  const notifier = new NotedNotifier();
  const ticker = { now: () => 0, subscribe: () => () => {} };
  return {
    model: createModel({ link, notify: notifier, ticker, now: () => 1000, mac: false }),
    link,
    notifier,
  };
}

export const refused: { readonly ok: false; readonly problem: Problem } = {
  ok: false,
  problem: {
    code: 'config.unwritable',
    sentence: 'The file cannot be written.',
    fix: 'Free it.',
    evidence: [],
  },
};
