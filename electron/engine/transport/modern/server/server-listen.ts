import { isRecord } from '../../../../../shared/json.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/emitter.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { announcedChanges } from '../list-changes.ts';
import { Agreements } from './agreements.ts';

/** Changes that a listen asks for, beside those of lists. */
interface Wanted {
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

export interface ServerListenOptions {
  readonly clock: Clock;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Sends `subscriptions/listen` and returns its id. */
  readonly open: (notifications: Wanted) => number;
  readonly cancel: (id: number) => void;
  /** Reports that changes may have been missed: methods of the notifications to send. */
  readonly missed: (methods: readonly string[]) => void;
  /** Reports that changes of tasks may have been missed. */
  readonly missedTasks: (taskIds: readonly string[]) => void;
}

/**
 * Keeps one `subscriptions/listen` open at a modern server: for the lists that it announces, and the
 * resources and tasks that clients listen to. A changed set opens a new listen before the old one ends. If the
 * server refuses one, its resources are tried one by one, so that none costs the changes of all others.
 */
export class ServerListen {
  readonly #options: ServerListenOptions;
  readonly #uris = new Set<string>();
  /** Resources of the listen that was acknowledged last. */
  #agreedUris = new Set<string>();
  /** Resources left out of a listen that was refused, until each has had its turn. */
  readonly #untriedUris = new Set<string>();
  readonly #taskIds = new Set<string>();
  readonly #announced: ReturnType<typeof announcedChanges>;
  readonly #askedTasks: Agreements;
  readonly #askedUris: Agreements;
  #current: number | undefined;
  /** The one before, which stays until the current one is acknowledged. */
  #retired: number | undefined;
  #failures = 0;
  #timer: Disposable | undefined;
  #isClosed = false;
  #wasOpen = false;

  constructor(options: ServerListenOptions) {
    this.#options = options;
    this.#announced = announcedChanges(options.capabilities);
    this.#askedTasks = new Agreements(options.clock);
    this.#askedUris = new Agreements(options.clock);
  }

  start(): void {
    if (this.#isClosed || this.#current !== undefined) return;
    const wanted = this.#wanted();
    if (Object.keys(wanted).length > 0) this.#current = this.#options.open(wanted);
  }

  /** Resolves with false if the server refuses; one that says nothing is asked on, and may notify all the same. */
  subscribe(uri: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    const isKnown = this.#uris.has(uri) || this.#untriedUris.has(uri);
    if (isKnown && !this.#askedUris.has(uri)) return Promise.resolve(true);
    const agreement = this.#askedUris.wait(uri, () => this.#askedUris.settle(uri, true));
    if (!isKnown) {
      this.#uris.add(uri);
      this.#reopen();
    }
    return agreement;
  }

  unsubscribe(uri: string): void {
    this.#askedUris.settle(uri, false);
    this.#untriedUris.delete(uri);
    if (this.#uris.delete(uri)) this.#reopen();
  }

  /** Resolves with true once the server has agreed to notify about a task. */
  watchTask(taskId: string): Promise<boolean> {
    if (this.#taskIds.has(taskId) && !this.#askedTasks.has(taskId)) return Promise.resolve(true);
    if (this.#isClosed || this.#taskIds.size >= maxTasks) return Promise.resolve(false);
    const agreement = this.#askedTasks.wait(taskId, () => this.#agreed(taskId, false));
    if (!this.#taskIds.has(taskId)) {
      this.#taskIds.add(taskId);
      this.#reopen();
    }
    return agreement;
  }

  /** Ends it for a task that has ended, with the next change. */
  forgetTask(taskId: string): void {
    this.#taskIds.delete(taskId);
  }

  #agreed(taskId: string, isTold: boolean): void {
    if (!isTold) this.#taskIds.delete(taskId);
    this.#askedTasks.settle(taskId, isTold);
  }

  #refuseTasks(): void {
    for (const taskId of this.#askedTasks.keys) this.#agreed(taskId, false);
  }

  /** Settles the resources that the acknowledged listen names, or leaves out. */
  #agreedOn(named: readonly unknown[] | undefined): void {
    for (const uri of this.#askedUris.keys.filter((key) => this.#uris.has(key))) {
      const isAgreed = named === undefined || named.includes(uri);
      if (!isAgreed) this.#uris.delete(uri);
      this.#askedUris.settle(uri, isAgreed);
    }
  }

  has(id: unknown): boolean {
    return id !== undefined && (id === this.#current || id === this.#retired);
  }

  /** Handles the acknowledgement; the first after an interruption may have missed changes. */
  acknowledged(id: unknown, agreed: unknown): void {
    if (id !== this.#current) return;
    this.#failures = 0;
    this.#endRetired();
    const { taskIds, resourceSubscriptions }: Readonly<Record<string, unknown>> = isRecord(agreed)
      ? agreed
      : {};
    const watched = listIn(taskIds);
    for (const taskId of this.#askedTasks.keys) this.#agreed(taskId, watched.includes(taskId));
    this.#agreedOn(isRecord(agreed) ? listIn(resourceSubscriptions) : undefined);
    if (this.#wasOpen) {
      this.#options.missed(this.#announced.map(({ method }) => method));
      if (this.#taskIds.size > 0) this.#options.missedTasks([...this.#taskIds]);
    }
    this.#wasOpen = false;
    this.#agreedUris = new Set(this.#uris);
    if (this.#untriedUris.size > 0) this.#tryNext();
  }

  /** Handles the end of a listen by the server, or its refusal. */
  ended(id: unknown, refusal: JsonRpcErrorObject | undefined): void {
    if (id === this.#retired) {
      this.#retired = undefined;
      this.#wasOpen = true;
    }
    if (id !== this.#current) return;
    this.#current = undefined;
    const hadNewTasks = this.#askedTasks.size > 0;
    this.#refuseTasks();
    if (this.#isClosed) return;
    if (refusal !== undefined) {
      this.#refused(refusal, hadNewTasks);
      return;
    }
    this.#wasOpen = true;
    const wait = Math.min(minDelayMs * 2 ** this.#failures, maxDelayMs);
    this.#failures += 1;
    this.#timer = this.#options.clock.after(wait, () => this.start());
  }

  #refused({ code }: JsonRpcErrorObject, hadNewTasks: boolean): void {
    const added = [...this.#uris].filter((uri) => !this.#agreedUris.has(uri));
    const isOverAdded = added.length > 0 || hadNewTasks;
    const suspects = isOverAdded ? added : [...this.#uris];
    const hasSuspects = hadNewTasks || suspects.length > 0 || this.#taskIds.size > 0;
    if (code === rpcErrorCodes.methodNotFound || !hasSuspects) {
      this.#current = this.#retired;
      this.#retired = undefined;
      for (const uri of added) this.#drop(uri);
      return;
    }
    if (!isOverAdded && this.#taskIds.size > 0) {
      this.#options.missedTasks([...this.#taskIds]);
      this.#taskIds.clear();
    }
    for (const uri of suspects) {
      this.#uris.delete(uri);
      this.#agreedUris.delete(uri);
    }
    const isKnown = suspects.length === 1 && added.length === 1 && !hadNewTasks;
    if (!isKnown) for (const uri of suspects) this.#untriedUris.add(uri);
    else for (const uri of suspects) this.#drop(uri);
    this.#tryNext();
  }

  #drop(uri: string): void {
    this.#uris.delete(uri);
    this.#askedUris.settle(uri, false);
  }

  /** Opens the listen with one more of the resources that were left out. */
  #tryNext(): void {
    const [next] = this.#untriedUris;
    if (next !== undefined) {
      this.#untriedUris.delete(next);
      this.#uris.add(next);
    }
    this.#reopen();
  }

  close(): void {
    this.#isClosed = true;
    this.#refuseTasks();
    for (const uri of this.#askedUris.keys) this.#askedUris.settle(uri, false);
    this.#timer?.dispose();
  }

  #reopen(): void {
    this.#timer?.dispose();
    const replaced = this.#current;
    this.#current = undefined;
    if (this.#retired === undefined) this.#retired = replaced;
    else if (replaced !== undefined) this.#options.cancel(replaced);
    this.start();
    if (this.#current === undefined) this.#endRetired();
  }

  #endRetired(): void {
    if (this.#retired !== undefined) this.#options.cancel(this.#retired);
    this.#retired = undefined;
  }

  #wanted(): Wanted {
    return {
      ...Object.fromEntries(this.#announced.map(({ member }) => [member, true])),
      ...(this.#uris.size === 0 ? {} : { resourceSubscriptions: [...this.#uris] }),
      ...(this.#taskIds.size === 0 ? {} : { taskIds: [...this.#taskIds] }),
    };
  }
}

const maxTasks = 1_000;
const minDelayMs = 1_000;
const maxDelayMs = 60_000;

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
