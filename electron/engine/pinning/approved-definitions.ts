import { isRecord } from '../../../shared/json.ts';
import type { Catalogue, RawItem } from '../catalogue/contract.ts';
import { originalText, readItem } from '../catalogue/item-text.ts';
import type { Definition, QuarantinedDefinition, ServerPins, ToolPin } from './definition/contract.ts';
import type { StoredPin, ToolPins } from './tool-pins.ts';

/** A pin with its definition, as far as this process has seen it. */
export interface KnownPin extends ToolPin {
  readonly item?: RawItem;
  /** The text of the approved definition can no longer be read. */
  readonly isTextMissing?: true;
  /** The definition that an automatically approved one has replaced; may be missing too. */
  readonly previous?: RawItem;
}

/** Decisions about definitions: in memory for checks, and written to disk. */
export class ApprovedDefinitions {
  readonly #store: ToolPins;
  readonly #byServer = new Map<string, Map<string, KnownPin>>();
  /** Keys that have been given to another server since; rows that are read for them later are outdated. */
  readonly #reassignedKeys = new Set<string>();

  constructor(store: ToolPins) {
    this.#store = store;
  }

  /**
   * Reads past decisions. If a known server has none, the database is damaged or cannot be used now: the
   * tools that `stored` lists without quarantine then count as approved.
   */
  async load(
    stored: Catalogue | undefined,
    definitionsOf: (tools: readonly RawItem[]) => readonly Definition[],
  ): Promise<void> {
    // Errors are not reported here: the store that found them reports them.
    const pins = await this.#store.load().catch(() => []);
    for (const pin of pins) this.#remember(pin.serverKey, pin.name, toPin(pin));
    for (const { key, offer, heldTools, judged } of [...(stored?.servers ?? []), ...(stored?.off ?? [])]) {
      if (!judged || this.of(key).size > 0 || this.#reassignedKeys.has(key)) continue;
      const approved = definitionsOf(offer.tools).filter(({ name }) => !heldTools.has(name));
      this.trust(key, approved, undefined);
      // Without a pin the server would count as new, and all its tools would be trusted.
      if (approved.length === 0) for (const name of heldTools) this.set(key, name, {});
    }
  }

  /** Replaces all decisions with those that are stored now. */
  async reload(): Promise<void> {
    const pins = await this.#store.load();
    this.#byServer.clear();
    this.#reassignedKeys.clear();
    for (const pin of pins) this.#remember(pin.serverKey, pin.name, toPin(pin));
  }

  of(serverKey: string): ServerPins {
    return this.#byServer.get(serverKey) ?? noPins;
  }

  get(serverKey: string, name: string): KnownPin | undefined {
    return this.#byServer.get(serverKey)?.get(name);
  }

  keys(): Iterable<string> {
    return this.#byServer.keys();
  }

  /** `now` is undefined if the time of approval is unknown. */
  trust(serverKey: string, definitions: readonly Definition[], now: number | undefined): void {
    const trusted = definitions.map(({ name, digest, item }) => {
      const pin = { approved: digest, ...(now === undefined ? {} : { approvedAt: now }), item };
      this.#put(serverKey, name, pin);
      return { ...toStored(serverKey, name, pin), definition: () => textOf(item) };
    });
    if (trusted.length > 0) this.#store.trust(trusted);
  }

  /** Approves definitions without review; `beforeOf` returns the previous definition of a name. */
  approveAutomatically(
    serverKey: string,
    definitions: readonly QuarantinedDefinition[],
    beforeOf: (name: string) => RawItem | undefined,
    now: number,
  ): void {
    for (const { name, digest, item, kind } of definitions) {
      const passed = { kind, at: now };
      const before = this.get(serverKey, name);
      const previous = kind === 'new' ? undefined : beforeOf(name);
      this.set(serverKey, name, {
        approved: digest,
        ...earlierOf(before),
        approvedAt: now,
        passed,
        item,
        ...(previous === undefined ? {} : { previous }),
      });
    }
  }

  /** Reads the text of an approved definition that this process has not seen. */
  async read(serverKey: string, name: string): Promise<void> {
    const item = readText(await this.definition(serverKey, name));
    const pin = this.get(serverKey, name);
    if (pin === undefined || pin.item !== undefined) return;
    this.#put(serverKey, name, item === undefined ? { ...pin, isTextMissing: true } : { ...pin, item });
  }

  /** Returns the definition that an automatically approved one has replaced. */
  async previous(serverKey: string, name: string): Promise<RawItem | undefined> {
    const known = this.get(serverKey, name)?.previous;
    return known ?? readText(await this.#store.previous(serverKey, name).catch(() => undefined));
  }

  /** Undefined removes the decision. */
  set(serverKey: string, name: string, pin: KnownPin | undefined): void {
    if (pin === undefined) {
      this.#byServer.get(serverKey)?.delete(name);
      this.#store.forget(serverKey, name);
      return;
    }
    this.#put(serverKey, name, pin);
    const { item, previous } = pin;
    this.#store.save(toStored(serverKey, name, pin), {
      ...(item === undefined ? {} : { definition: textOf(item) }),
      ...(previous === undefined ? {} : { previous: textOf(previous) }),
    });
  }

  forget(serverKey: string): void {
    this.#reassignedKeys.add(serverKey);
    this.#byServer.delete(serverKey);
    this.#store.forget(serverKey);
  }

  copy(serverKey: string, to: string): void {
    this.#reassignedKeys.add(to);
    this.#byServer.set(to, new Map(this.#byServer.get(serverKey)));
    this.#store.copy(serverKey, to);
  }

  /** Returns the text of the approved definition; undefined if it is unknown. */
  async definition(serverKey: string, name: string): Promise<string | undefined> {
    const pin = this.get(serverKey, name);
    if (pin?.approved === undefined) return undefined;
    if (pin.item !== undefined) return textOf(pin.item);
    return this.#store.definition(serverKey, name).catch(() => undefined);
  }

  #remember(serverKey: string, name: string, pin: KnownPin): void {
    if (!this.#reassignedKeys.has(serverKey)) this.#put(serverKey, name, pin);
  }

  #put(serverKey: string, name: string, pin: KnownPin): void {
    const pins = this.#byServer.get(serverKey) ?? new Map<string, KnownPin>();
    this.#byServer.set(serverKey, pins.set(name, pin));
  }
}

const noPins: ServerPins = new Map();

/** Returns digests that stay approved besides a new definition of a tool. */
export function earlierOf(before: KnownPin | undefined): Pick<KnownPin, 'earlier'> {
  const past = [before?.approved, ...(before?.earlier ?? [])].filter((digest) => digest !== undefined);
  return past.length === 0 ? {} : { earlier: past.slice(0, maxEarlier) };
}

/** Earlier digests stored per tool. */
const maxEarlier = 15;

/** Returns undefined if the stored text is no longer valid. */
function readText(text: string | undefined): RawItem | undefined {
  if (text === undefined) return undefined;
  try {
    const value = readItem(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a definition as its server wrote it. */
function textOf(item: RawItem): string {
  return originalText(item) ?? JSON.stringify(item);
}

function toStored(serverKey: string, name: string, pin: ToolPin): StoredPin {
  const approved = pin.approved === undefined ? [] : [pin.approved, ...(pin.earlier ?? [])];
  return {
    serverKey,
    name,
    approved,
    approvedAt: pin.approvedAt,
    blocked: pin.blocked,
    passedAt: pin.passed?.at,
  };
}

function toPin({ approved: [approved, ...earlier], approvedAt, blocked, passedAt }: StoredPin): KnownPin {
  return {
    ...(approved === undefined ? {} : { approved }),
    ...(earlier.length === 0 ? {} : { earlier }),
    ...(approvedAt === undefined ? {} : { approvedAt }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(passedAt === undefined
      ? {}
      : { passed: { kind: earlier.length === 0 ? 'new' : 'changed', at: passedAt } }),
  };
}
