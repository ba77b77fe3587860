import { stat } from 'node:fs/promises';
import { type Problem, problem, toProblem } from '../../../shared/error/problem.ts';
import { type Clock, every } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { Problems } from '../base/problems.ts';
import type { SocketEndpoint } from '../gateway/socket/socket-endpoint.ts';
import { openDataDir } from '../store/files/data-dir.ts';
import { openSocketLocation, type SocketLocation } from '../store/files/socket-location.ts';
import type { HubResources } from './hub-resources.ts';

/** The hub's socket in the file system; its location is recorded for bridges. */
export class SocketPlace {
  readonly #hub: Pick<HubResources, 'paths' | 'lock'>;
  #location: SocketLocation;

  private constructor(hub: Pick<HubResources, 'paths' | 'lock'>, location: SocketLocation) {
    this.#hub = hub;
    this.#location = location;
  }

  static async open(hub: Pick<HubResources, 'paths' | 'lock'>, opened: CloseStack): Promise<SocketPlace> {
    const place = new SocketPlace(hub, await openSocketLocation(hub.paths));
    opened.defer(() => place.#location.dispose());
    if (place.path !== hub.paths.socket) await hub.lock.update({ socket: place.path });
    return place;
  }

  get path(): string {
    return this.#location.path;
  }

  /** Chooses again, since the folder may be gone or taken. */
  async renew(): Promise<string> {
    await this.#location.dispose();
    this.#location = await openSocketLocation(this.#hub.paths);
    await this.#hub.lock.update({ socket: this.path });
    return this.path;
  }
}

export interface ReachabilityOptions {
  readonly hub: Pick<HubResources, 'paths' | 'lock' | 'config'>;
  readonly endpoint: Pick<SocketEndpoint, 'isFound' | 'moveTo'>;
  readonly place: Pick<SocketPlace, 'renew'>;
  /** Writes the files of `run` again that a start writes. */
  readonly onRunFolderLost: () => Promise<void>;
  /** Writes the files outside `run` again that the hub still knows. */
  readonly onFolderLost: () => Promise<void>;
  /** Called once if another hub owns the folder by now. */
  readonly onReplaced: (problem: Problem) => void;
  readonly problems: Problems;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Keeps the hub reachable: writes its record, its socket and the data folder again if somebody deleted, moved or
 * replaced them while it runs. Looks regularly instead of watching, since no system reports a moved parent folder.
 */
export class Reachability {
  readonly #options: ReachabilityOptions;
  readonly #triggers: readonly Disposable[];
  #folder: string | undefined;
  #checking: Promise<void> | undefined;

  private constructor(options: ReachabilityOptions, folder: string | undefined) {
    this.#options = options;
    this.#folder = folder;
    const look = () => {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
    };
    // A folder that goes takes the config along, which is often noticed before a bridge starts another hub.
    this.#triggers = [every(options.clock, checkIntervalMs, look), options.hub.config.onChange(look)];
  }

  static async start(options: ReachabilityOptions): Promise<Reachability> {
    return new Reachability(options, await folderIdentity(options.hub.paths.dir));
  }

  /** Resolves when no check is in progress. */
  async stop(): Promise<void> {
    this.#stopLooking();
    await this.#checking;
  }

  /** Never rejects. */
  async #check(): Promise<void> {
    const { hub, endpoint, problems } = this.#options;
    try {
      if (!((await hub.lock.isRecorded()) && (await endpoint.isFound()))) await this.#restore();
      problems.set('reachability', undefined);
    } catch (error) {
      problems.set('reachability', toProblem(error));
    }
  }

  async #restore(): Promise<void> {
    const { hub, endpoint, place, onRunFolderLost, log } = this.#options;
    const { dir } = hub.paths;
    const isOtherFolder = (await folderIdentity(dir)) !== this.#folder;
    await openDataDir(dir);
    const taken = await hub.lock.renew();
    if (taken !== undefined) return this.#giveWay(taken);
    if (isOtherFolder) await this.#restoreFolder();
    await onRunFolderLost();
    if (!(await endpoint.isFound())) await endpoint.moveTo(await place.renew());
    log.log(
      'warn',
      'Files that clients find Patchbay by were deleted or replaced. Patchbay wrote them again.',
    );
  }

  async #restoreFolder(): Promise<void> {
    const { hub, problems, onFolderLost } = this.#options;
    const { dir } = hub.paths;
    this.#folder = await folderIdentity(dir);
    problems.set('folder', folderReplaced(dir));
    await onFolderLost();
    const { problem: found } = await hub.config.reload();
    if (found?.code === 'config.file_not_found') await hub.config.restoreGood();
  }

  #stopLooking(): void {
    for (const trigger of this.#triggers) trigger.dispose();
  }

  #giveWay(taken: Problem): void {
    this.#stopLooking();
    this.#options.onReplaced(taken);
  }
}

/** Milliseconds; each check reads one small file and looks at another. */
const checkIntervalMs = 1_000;

/** Tells a folder from a later one of the same name; undefined if there is none. */
async function folderIdentity(dir: string): Promise<string | undefined> {
  const found = await stat(dir).catch(() => undefined);
  return found === undefined ? undefined : `${found.ino} ${found.birthtimeMs}`;
}

function folderReplaced(dir: string): Problem {
  return problem(
    'hub.no_data_folder',
    `The data folder ${dir} was deleted, moved or replaced while Patchbay was running. Secrets, rules and activity may be missing from it.`,
    'Quit Patchbay, put the old folder back in its place if you still have it, then start Patchbay again.',
    { folder: dir },
  );
}
