import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/emitter.ts';

/** Changes that a listen asks for. */
interface Wanted {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

export interface ServerListenOptions {
  readonly clock: Clock;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Sends `subscriptions/listen` and returns its id. */
  readonly open: (notifications: Wanted) => number;
  readonly cancel: (id: number) => void;
  /** Reports that changes may have been missed: methods of the notifications to send. */
  readonly missed: (methods: readonly string[]) => void;
}

/**
 * Keeps one `subscriptions/listen` open at a modern server: for the lists that it announces, and the
 * resources that clients have subscribed to. A changed set opens a new listen before the old one ends.
 */
export class ServerListen {
  readonly #options: ServerListenOptions;
  readonly #uris = new Set<string>();
  #current: number | undefined;
  /** The one before, which stays until the current one is acknowledged. */
  #retired: number | undefined;
  #failures = 0;
  #timer: Disposable | undefined;
  #isClosed = false;
  #wasOpen = false;

  constructor(options: ServerListenOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#isClosed || this.#current !== undefined) return;
    const wanted = this.#wanted();
    if (Object.keys(wanted).length > 0) this.#current = this.#options.open(wanted);
  }

  subscribe(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#reopen();
  }

  unsubscribe(uri: string): void {
    if (this.#uris.delete(uri)) this.#reopen();
  }

  has(id: unknown): boolean {
    return id !== undefined && (id === this.#current || id === this.#retired);
  }

  /** Handles the acknowledgement; the first after an interruption may have missed changes. */
  acknowledged(id: unknown): void {
    if (id !== this.#current) return;
    this.#failures = 0;
    this.#endRetired();
    if (this.#wasOpen) this.#options.missed(this.#methods());
    this.#wasOpen = false;
  }

  /** Handles the end of a listen by the server; `isRefusal` if it cannot listen at all. */
  ended(id: unknown, isRefusal: boolean): void {
    if (id === this.#retired) this.#retired = undefined;
    if (id !== this.#current) return;
    this.#current = undefined;
    if (isRefusal || this.#isClosed) return;
    this.#wasOpen = true;
    const wait = Math.min(minDelayMs * 2 ** this.#failures, maxDelayMs);
    this.#failures += 1;
    this.#timer = this.#options.clock.after(wait, () => this.start());
  }

  close(): void {
    this.#isClosed = true;
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
    const announces = (name: string) => {
      const capability = this.#options.capabilities[name];
      return typeof capability === 'object' && capability !== null && 'listChanged' in capability
        ? capability.listChanged === true
        : false;
    };
    return {
      ...(announces('tools') ? { toolsListChanged: true } : {}),
      ...(announces('prompts') ? { promptsListChanged: true } : {}),
      ...(announces('resources') ? { resourcesListChanged: true } : {}),
      ...(this.#uris.size === 0 ? {} : { resourceSubscriptions: [...this.#uris] }),
    };
  }

  #methods(): readonly string[] {
    const wanted = this.#wanted();
    return [
      ...(wanted.toolsListChanged ? ['notifications/tools/list_changed'] : []),
      ...(wanted.promptsListChanged ? ['notifications/prompts/list_changed'] : []),
      ...(wanted.resourcesListChanged ? ['notifications/resources/list_changed'] : []),
    ];
  }
}

const minDelayMs = 1_000;
const maxDelayMs = 60_000;
