import { randomUUID } from 'node:crypto';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type {
  AutoApproved,
  GuardMode,
  GuardView,
  QuarantinedTool,
  ToolReview,
} from '../../../shared/model/tool/guard.ts';
import { patchbayCommand } from '../../../shared/shell-word.ts';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { Catalogue, RawItem, ToolGate } from '../catalogue/contract.ts';
import { ApprovedDefinitions, earlierOf, type KnownPin } from './approved-definitions.ts';
import type { Definition, QuarantinedDefinition } from './definition/contract.ts';
import { Definitions } from './definition/definitions.ts';
import { showHidden } from './definition/hidden-characters.ts';
import { isApproved, judgeTools, type RiskOf } from './definition/judge-tools.ts';
import { Findings } from './findings.ts';
import { type DatedDefinition, Quarantine } from './quarantine.ts';
import type { ToolPins } from './tool-pins.ts';

export interface ToolGuardOptions {
  readonly clock: Clock;
  readonly pins: ToolPins;
  /** True if approvals may have been lost, so that a tool that looks new may have been blocked before. */
  readonly mayHaveLostApprovals?: () => boolean;
  /** Returns undefined for a server that is not in the config. */
  readonly modeOf: (serverKey: string) => GuardMode | undefined;
  /** Keys in config order. */
  readonly keys: () => readonly string[];
}

/** A tool as the user saw it when deciding. */
export interface SeenTool {
  readonly name: string;
  readonly digest: string;
}

/** A decision that can be undone. */
interface GuardDecision {
  readonly serverKey: string;
  readonly changes: readonly {
    readonly name: string;
    readonly before: KnownPin | undefined;
    readonly after: KnownPin;
  }[];
}

/**
 * Quarantines tools whose definitions raise the risk until somebody approves them, and lets all others
 * through (PB-SAFE-1); see pinning/definition/judge-tools.ts. Checks every listed definition, publishes the quarantine
 * and takes decisions. Without its database it works from the tools that were listed last.
 */
export class ToolGuard implements ToolGate, Disposable {
  readonly ready: Promise<void>;
  readonly #options: ToolGuardOptions;
  readonly #definitions = new Definitions();
  readonly #flags = new Findings();
  readonly #approved: ApprovedDefinitions;
  readonly #quarantine = new Quarantine();
  /** Definitions that were quarantined when the previous process ended, by server key. */
  readonly #quarantinedBefore = new Map<string, readonly Definition[]>();
  readonly #changed = new Emitter<string>();
  readonly #quarantineChanged = new Emitter<string>();
  readonly #viewChanged = new Emitter<GuardView>();
  readonly #decided = new Emitter<{ readonly serverKey: string; readonly text: string }>();
  readonly #viewTimer: Disposable & { mark(): void };
  readonly #decisions = new Map<string, GuardDecision>();
  readonly #modes = new Map<string, GuardMode>();
  readonly onChange = this.#changed.event;
  /** Fires with a server key when its quarantine has changed. */
  readonly onQuarantine = this.#quarantineChanged.event;
  readonly onView = this.#viewChanged.event;
  /** Fires with a text when somebody has decided, or a definition was approved automatically. */
  readonly onDecided = this.#decided.event;
  #catalogue: () => Catalogue | undefined = () => undefined;
  #loaded: () => void = () => {};

  constructor(options: ToolGuardOptions) {
    this.#options = options;
    this.#approved = new ApprovedDefinitions(options.pins);
    this.#viewTimer = createCoalescer(options.clock, 50, () => this.#viewChanged.fire(this.view()));
    this.ready = new Promise((resolve) => {
      this.#loaded = resolve;
    });
  }

  /** Starts with the stored catalogue, which has the last known quarantine. */
  async open(stored: Catalogue | undefined, catalogue: () => Catalogue): Promise<void> {
    this.#catalogue = catalogue;
    for (const { key, offer, heldTools } of [...(stored?.servers ?? []), ...(stored?.off ?? [])]) {
      const tools = offer.tools.filter(({ name }) => heldTools.has(String(name)));
      if (tools.length > 0) this.#quarantinedBefore.set(key, this.#definitions.of(tools));
    }
    await this.#approved.load(stored, (tools) => this.#definitions.of(tools));
    this.configChanged();
    this.#loaded();
    const { servers = [], off = [] } = stored ?? {};
    for (const { key, heldTools } of [...servers, ...off]) if (heldTools.size > 0) this.#changed.fire(key);
  }

  /** Reads again after the stored decisions were replaced, and has all tools checked again. */
  async reload(): Promise<void> {
    await this.#approved.reload();
    this.#decisions.clear();
    for (const key of this.#options.keys()) this.#changed.fire(key);
    this.#viewTimer.mark();
  }

  /** Transfers the quarantine to a new key that may belong to a server that was renamed or copied by hand. */
  #inheritQuarantine(serverKey: string, definitions: readonly Definition[]): void {
    const keys = new Set(this.#options.keys());
    const [former] = [...this.#approved.keys()]
      .filter((key) => key !== serverKey)
      .map((key) => ({ key, isGone: !keys.has(key), withheld: this.#withheldOf(key, definitions) }))
      .filter(({ withheld }) => withheld.length > 0)
      .sort(
        (one, other) =>
          other.withheld.length - one.withheld.length || Number(other.isGone) - Number(one.isGone),
      );
    if (former === undefined) return;
    for (const { name } of former.withheld) {
      this.#approved.set(serverKey, name, this.#approved.get(former.key, name) ?? {});
    }
  }

  /** Returns the definitions that clients do not get under this key: quarantined, or blocked by a person. */
  #withheldOf(key: string, definitions: readonly Definition[]): readonly Definition[] {
    const quarantined = [...this.#quarantine.of(key), ...(this.#quarantinedBefore.get(key) ?? [])];
    return definitions.filter(
      ({ name, digest }) =>
        this.#approved.get(key, name)?.blocked === digest ||
        quarantined.some((one) => one.name === name && one.digest === digest),
    );
  }

  quarantine(serverKey: string, tools: readonly RawItem[], owner: object): ReadonlySet<string> {
    const { clock, modeOf } = this.#options;
    const configured = modeOf(serverKey) ?? 'changes';
    const mode =
      configured === 'changes' && this.#options.mayHaveLostApprovals?.() === true ? 'each' : configured;
    const definitions = this.#definitions.of(tools);
    if (mode !== 'off' && this.#approved.of(serverKey).size === 0)
      this.#inheritQuarantine(serverKey, definitions);
    const judged = judgeTools(definitions, this.#approved.of(serverKey), mode, this.#riskAt(serverKey));
    this.#approved.trust(serverKey, judged.trusted, clock.now());
    if (judged.autoApproved.length > 0) this.#approveAutomatically(serverKey, judged.autoApproved);
    if (judged.pendingRead.length > 0) void this.#readApproved(serverKey, judged.pendingRead);
    if (this.#quarantine.update(serverKey, owner, judged.quarantined, clock.now()))
      this.#onQuarantineChanged(serverKey);
    return judged.quarantinedNames;
  }

  /** Returns the note of a definition that was recently approved automatically; otherwise undefined. */
  passed(serverKey: string, name: string): AutoApproved | undefined {
    const passed = this.#approved.get(serverKey, name)?.passed;
    return passed !== undefined && this.#options.clock.now() - passed.at < passedMarkMs ? passed : undefined;
  }

  /**
   * Applies the guard modes of the config, and forgets decisions about servers that are no longer guarded.
   */
  configChanged(): void {
    const { keys, modeOf } = this.#options;
    for (const key of keys()) {
      const mode = modeOf(key) ?? 'changes';
      const before = this.#modes.get(key);
      this.#modes.set(key, mode);
      if (mode === 'off' && this.#approved.of(key).size > 0) this.#approved.forget(key);
      if (before !== undefined && before !== mode) this.#changed.fire(key);
    }
    this.#viewTimer.mark();
  }

  /** Call when a key is given to another server: to a new one, or to the one whose key was `from`. */
  onKeyReassigned(key: string, from: string | undefined): void {
    this.#quarantine.forget(key);
    if (from === undefined) this.#approved.forget(key);
    else this.#approved.copy(from, key);
  }

  view(): GuardView {
    return {
      held: this.#options
        .keys()
        .flatMap((key) => this.#quarantine.of(key).map((one) => this.#toView(key, one))),
    };
  }

  /** Counts the quarantined tools of a server: waiting for a decision, and blocked. */
  counts(serverKey: string): { readonly waiting: number; readonly blocked: number } | undefined {
    const quarantined = this.#quarantine.of(serverKey);
    if (quarantined.length === 0) return undefined;
    const blocked = quarantined.filter((one) => one.blocked).length;
    return { waiting: quarantined.length - blocked, blocked };
  }

  /** Undefined if there is no such tool. */
  async review(serverKey: string, name: string, digest?: string): Promise<ToolReview | undefined> {
    const found = this.#find(serverKey, name, digest);
    if (found === undefined) return undefined;
    const pin = this.#approved.get(serverKey, name);
    const state = this.#stateOf(serverKey, found, pin);
    const isCompared = pin?.approved !== undefined && !isApproved(found, pin);
    const passed = pin?.approved === found.digest ? pin.passed : undefined;
    const { definitionDifference } = await import('./definition/difference.ts');
    if (isCompared && pin.item === undefined) await this.#approved.read(serverKey, name);
    const before = isCompared
      ? this.#approvedDefinition(serverKey, name)
      : passed && (await this.#approved.previous(serverKey, name));
    const raised = isCompared ? this.#flags.raised(serverKey, found, before, this.#catalogue()) : [];
    return {
      serverKey,
      name,
      digest: found.digest,
      state,
      approvedAt: pin?.approvedAt,
      passed,
      parts: definitionDifference(before, found.item),
      isBeforeLost: isCompared && before === undefined,
      flags: [
        ...raised.filter(({ kind }) => kind === 'annotation' || kind === 'argument'),
        ...this.#flags.of(serverKey, found, this.#catalogue()),
      ],
    };
  }

  /** Throws ProblemError and decides nothing if a definition is no longer quarantined as it was seen. */
  decide(serverKey: string, tools: readonly SeenTool[], decision: 'approve' | 'block'): string {
    const quarantined = this.#quarantine.of(serverKey);
    const changes = tools.map(({ name, digest }) => {
      const seen = quarantined.find((one) => one.name === name && one.digest === digest);
      if (seen === undefined) throw new ProblemError(changedMeanwhile(serverKey, name));
      const before = this.#approved.get(serverKey, name);
      return { name, before, after: this.#pinOf(seen, before, decision) };
    });
    for (const { name, after } of changes) this.#approved.set(serverKey, name, after);
    const undoId = randomUUID();
    this.#rememberUndo(undoId, { serverKey, changes });
    this.#changed.fire(serverKey);
    const verb = decision === 'approve' ? 'Approved' : 'Blocked';
    this.#decided.fire({ serverKey, text: `${verb}: ${listed(changes)}` });
    return undoId;
  }

  /** Throws ProblemError `guard.undo_gone`. Keeps what has been decided again since. */
  undo(undoId: string): void {
    const decision = this.#decisions.get(undoId);
    if (decision === undefined) throw new ProblemError(undoGone());
    this.#decisions.delete(undoId);
    const { serverKey, changes } = decision;
    for (const { name, before, after } of changes)
      if (this.#approved.get(serverKey, name) === after) this.#approved.set(serverKey, name, before);
    this.#changed.fire(serverKey);
    this.#decided.fire({ serverKey, text: `Decision undone: ${listed(changes)}` });
  }

  dispose(): void {
    this.#viewTimer.dispose();
    this.#changed.dispose();
    this.#quarantineChanged.dispose();
    this.#viewChanged.dispose();
    this.#decided.dispose();
  }

  #riskAt(serverKey: string): RiskOf {
    return (definition) => {
      const pin = this.#approved.get(serverKey, definition.name);
      const isChanged = pin?.approved !== undefined;
      const before = isChanged ? this.#approvedDefinition(serverKey, definition.name) : undefined;
      if (isChanged && before === undefined) return pin.isTextMissing ? 'raised' : 'unread';
      const raised = this.#flags.raised(serverKey, definition, before, this.#catalogue());
      return raised.length > 0 ? 'raised' : 'none';
    };
  }

  /** Returns the approved definition, as this process has seen it or as it was listed last. */
  #approvedDefinition(serverKey: string, name: string): RawItem | undefined {
    const pin = this.#approved.get(serverKey, name);
    if (pin?.item !== undefined) return pin.item;
    const listed = this.#definitions.of(this.#listed(serverKey).filter((tool) => tool.name === name));
    return listed.find(({ digest }) => digest === pin?.approved)?.item;
  }

  #listed(serverKey: string): readonly RawItem[] {
    const { servers = [], off = [] } = this.#catalogue() ?? {};
    return [...servers, ...off].find(({ key }) => key === serverKey)?.offer.tools ?? [];
  }

  #approveAutomatically(serverKey: string, passed: readonly QuarantinedDefinition[]): void {
    this.#approved.approveAutomatically(
      serverKey,
      passed,
      (name) => this.#approvedDefinition(serverKey, name),
      this.#options.clock.now(),
    );
    const named = (kind: AutoApproved['kind']) => passed.filter((one) => one.kind === kind);
    const [added, changed] = [named('new'), named('changed')];
    const parts = [
      ...(added.length === 0 ? [] : [`New tools: ${listed(added)}`]),
      ...(changed.length === 0 ? [] : [`Changed tools: ${listed(changed)}`]),
    ];
    this.#decided.fire({ serverKey, text: parts.join('. ') });
  }

  /** Reads approved definitions that are only in the database, then has the tools checked again. */
  async #readApproved(serverKey: string, definitions: readonly Definition[]): Promise<void> {
    for (const { name } of definitions) await this.#approved.read(serverKey, name);
    this.#changed.fire(serverKey);
  }

  #pinOf(seen: DatedDefinition, before: KnownPin | undefined, decision: 'approve' | 'block'): KnownPin {
    if (decision === 'block') return { ...before, blocked: seen.digest };
    const { digest, item } = seen;
    return { approved: digest, ...earlierOf(before), approvedAt: this.#options.clock.now(), item };
  }

  #rememberUndo(undoId: string, decision: GuardDecision): void {
    this.#decisions.set(undoId, decision);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > maxUndo && oldest !== undefined) this.#decisions.delete(oldest);
  }

  #find(serverKey: string, name: string, digest: string | undefined): Definition | undefined {
    const quarantined = this.#quarantine.of(serverKey).filter((one) => one.name === name);
    if (digest !== undefined) return quarantined.find((one) => one.digest === digest);
    const tools = this.#listed(serverKey).filter((tool) => tool.name === name);
    return quarantined[0] ?? this.#definitions.of(tools)[0];
  }

  #stateOf(serverKey: string, found: Definition, pin: KnownPin | undefined): ToolReview['state'] {
    if (this.#options.modeOf(serverKey) === 'off') return 'unguarded';
    if (isApproved(found, pin)) return 'approved';
    if (pin?.blocked === found.digest) return 'blocked';
    return pin?.approved === undefined ? 'new' : 'changed';
  }

  #toView(serverKey: string, seen: DatedDefinition): QuarantinedTool {
    const { name, digest, kind, blocked, since } = seen;
    const flags = this.#flags.of(serverKey, seen, this.#catalogue()).length;
    return { serverKey, name, digest, kind, blocked, since, flags };
  }

  #onQuarantineChanged(serverKey: string): void {
    this.#quarantineChanged.fire(serverKey);
    this.#viewTimer.mark();
  }
}

function listed(tools: readonly { readonly name: string }[]): string {
  const names = tools.slice(0, maxNamed).map(({ name }) => showHidden(name));
  const rest = tools.length - names.length;
  return rest === 0 ? names.join(', ') : `${names.join(', ')} and ${rest} more`;
}

const maxNamed = 10;

/** How long an automatically approved tool is marked as such: a week, in milliseconds. */
const passedMarkMs = 7 * 24 * 60 * 60 * 1_000;

/** Decisions that can be undone. */
const maxUndo = 50;

function changedMeanwhile(serverKey: string, name: string): Problem {
  const sentence = `${name} of ${serverKey} has changed since you reviewed it, or has already been decided.`;
  const fix = `Review it again in Patchbay, or with ${patchbayCommand('guard', 'list', serverKey)}.`;
  return problem('guard.changed_meanwhile', sentence, fix, { server: serverKey, tool: name });
}

function undoGone(): Problem {
  const sentence = 'This decision can no longer be undone.';
  return problem(
    'guard.undo_gone',
    sentence,
    'Review the tools again in Patchbay, or with "patchbay guard list".',
  );
}
