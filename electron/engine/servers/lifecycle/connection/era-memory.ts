import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { writeFileAtomic } from '../../../store/files/atomic-file.ts';
import { type Era, type LegacyEra, legacyEra } from '../../../transport/modern/era.ts';
import type { Handshake } from '../../contract.ts';
import type { LaunchTarget } from '../../server-config.ts';
import { eraKeepsChanging } from '../diagnosis/failure-problems.ts';
import type { RunEnding } from '../run-ending.ts';

/**
 * Remembers the era of each server for a day, so that those that stay silent or quit when they are asked for
 * it are not asked at every start. Kept by a digest of the command line or URL.
 */
export class EraMemory {
  readonly #clock: Clock;
  readonly #file: string | undefined;
  readonly #logger: Logger;
  readonly #eras: Map<string, RememberedEra>;
  /** Servers that ended when they were asked; the next start does not ask, the one after that does again. */
  readonly #quitters = new Set<string>();
  /** Eras in which servers were last connected, with the times at which they changed. */
  readonly #changes = new Map<string, EraChanges>();
  #saved: Promise<void> = Promise.resolve();

  /** Without a file, it is forgotten with the program. */
  constructor(clock: Clock, logger: Logger, file?: string) {
    this.#clock = clock;
    this.#logger = logger;
    this.#file = file;
    this.#eras = new Map(file === undefined ? [] : readEras(file));
  }

  eraOf(target: LaunchTarget): Era | undefined {
    const key = digestOf(target);
    if (this.#quitters.delete(key)) return 'legacy';
    const known = this.#eras.get(key);
    return known !== undefined && this.#isFresh(known) ? known.era : undefined;
  }

  /** Records the era; a server that has another version than before is asked again next time. */
  remember(target: LaunchTarget, era: Era, version: string | undefined): void {
    const key = digestOf(target);
    const before = this.#eras.get(key);
    if (before?.era === era && before.version === version && this.#isFresh(before)) return;
    const isUpdated = before?.version !== undefined && version !== undefined && before.version !== version;
    if (isUpdated && this.#isFresh(before)) this.#eras.delete(key);
    else this.#eras.set(key, { era, at: this.#clock.now(), version });
    this.#save();
  }

  /** Records the era of a connection; returns how often it has changed lately. */
  noteConnected(target: LaunchTarget, era: Era): number {
    const key = digestOf(target);
    const now = this.#clock.now();
    const before = this.#changes.get(key);
    const times = (before?.times ?? []).filter((at) => now - at < flappingMs);
    if (before !== undefined && before.era !== era) times.push(now);
    this.#changes.set(key, { era, times: times.slice(-maxChanges) });
    return times.length;
  }

  /**
   * Forgets that a server had sessions, because it now refuses them: it was updated, or another one is started the
   * same way. Returns false if that was not remembered.
   */
  forget(target: LaunchTarget): boolean {
    const key = digestOf(target);
    const known = this.#eras.get(key);
    if (known?.era !== 'legacy' || !this.#isFresh(known)) return false;
    this.#eras.delete(key);
    this.#save();
    return true;
  }

  /** Notes that the program ended when it was asked, which may be why. */
  quitWhenAsked(target: LaunchTarget): void {
    this.#quitters.add(digestOf(target));
  }

  /** Resolves when everything has been written. */
  settled(): Promise<void> {
    return this.#saved;
  }

  #isFresh({ at }: RememberedEra): boolean {
    const now = this.#clock.now();
    return at <= now && now - at < maxAgeMs;
  }

  #save(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#saved = this.#saved
      .then(() => writeFileAtomic(file, JSON.stringify(Object.fromEntries(this.#eras))))
      .catch((error: unknown) =>
        this.#logger.log('warn', 'Could not remember which servers are stateless', { error: String(error) }),
      );
  }
}

interface RememberedEra {
  readonly era: Era;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly version: string | undefined;
}

interface EraChanges {
  readonly era: Era;
  /** Epoch milliseconds. */
  readonly times: readonly number[];
}

/** Milliseconds in which changes count as one trouble. */
const flappingMs = 10 * 60_000;
const maxChanges = 100;
/** An update, and its reversal, are no trouble. */
const minFlaps = 3;
const maxAgeMs = 24 * 60 * 60_000;

const fileSchema = z.record(
  z.string(),
  z.object({ era: z.enum(['legacy', 'modern']), at: z.number(), version: z.string().optional() }),
);

/** A file that cannot be read costs one question for each server. */
function readEras(file: string): readonly (readonly [string, RememberedEra])[] {
  try {
    const parsed = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return Object.entries(parsed).map(([key, { era, at, version }]) => [key, { era, at, version }]);
  } catch {
    return [];
  }
}

function digestOf(target: LaunchTarget): string {
  const identity =
    target.kind === 'stdio'
      ? ['stdio', target.command, ...target.args, target.cwd]
      : [target.kind, target.url];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

/** Returns the verdict on a server that need not be asked: by the config, or because it is remembered. */
export function knownEra(target: LaunchTarget, eras: EraMemory): LegacyEra | undefined {
  const { protocol = 'auto' } = target;
  if (protocol === 'legacy') return legacyEra('its entry says so');
  const isRemembered = protocol === 'auto' && eras.eraOf(target) === 'legacy';
  return isRemembered ? legacyEra('it had sessions, or quit, when it was last asked') : undefined;
}

/**
 * Tells whether a server that was taken to have sessions may have none any more, and is to be asked at once. One that
 * failed in another way is asked next time.
 */
export function isOutdated(
  { target, ports }: { readonly target: LaunchTarget; readonly ports: { readonly eras: EraMemory } },
  ending: RunEnding,
): boolean {
  const isUnheard = ending.kind === 'unreachable' && ending.connectedFor === 0;
  if ((target.protocol ?? 'auto') !== 'auto' || (ending.kind !== 'early' && !isUnheard)) return false;
  // Silence and quitting have other causes as well, so that the next try is early enough.
  const isRefused = isUnheard || ending.problem.code === 'server.handshake_failed';
  return ports.eras.forget(target) && isRefused;
}

/** Remembers the era of a connected server; returns its handshake, with a warning if the era keeps changing. */
export function rememberEra(
  { target, ports }: { readonly target: LaunchTarget; readonly ports: { readonly eras: EraMemory } },
  handshake: Handshake,
): Handshake {
  const { era, serverInfo, warnings = [] } = handshake;
  const { version } = serverInfo;
  if (era === undefined || (target.protocol ?? 'auto') !== 'auto') return handshake;
  ports.eras.remember(target, era.era, typeof version === 'string' ? version : undefined);
  const changes = ports.eras.noteConnected(target, era.era);
  return changes < minFlaps
    ? handshake
    : { ...handshake, warnings: [...warnings, eraKeepsChanging(changes)] };
}
