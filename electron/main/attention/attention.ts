import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';
import type { UserCommands } from '../command/command.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import type { ShellParts } from '../lifecycle/shell-parts.ts';
import { type Notifications, startNotifications } from '../notify/start-notifications.ts';
import type { Disposable } from '../port/disposable.ts';
import { reportFailure } from '../port/report-failure.ts';
import { LateTray } from '../tray/late-tray.ts';
import { trayActions } from '../tray/tray-actions.ts';
import type { AttentionInput } from './attention-item.ts';
import { type ConfigWatch, watchConfigs } from './watch-configs.ts';

export interface AttentionContext {
  readonly system: SystemPort;
  readonly commands: UserCommands;
  readonly update: () => AppUpdate;
  readonly showWindow: () => void;
  /** Runs a command in the window, which is shown for it. */
  readonly inWindow: (command: IpcEvent<'command.run'>) => void;
  /** True if the user looks at the window. */
  readonly watched: () => boolean;
}

/** Shows outside the window what needs the user: in the tray and as notifications. */
export class Attention implements Disposable {
  readonly #parts: ShellParts;
  readonly #context: AttentionContext;
  readonly #configs: ConfigWatch;
  readonly #tray: LateTray;
  readonly #notices: Notifications;

  constructor(parts: ShellParts, context: AttentionContext) {
    this.#parts = parts;
    this.#context = context;
    const { hub, places, settings, windowState, warn } = parts;
    const { inWindow, showWindow, watched } = context;
    const act = trayActions({
      ...context,
      hub,
      openServer: (key) => inWindow({ kind: 'open-server', key }),
      reviewTools: (key) => inWindow({ kind: 'review-tools', key }),
      connectClient: (id) => inWindow({ kind: 'connect-client', id }),
      showApprovals: () => inWindow({ kind: 'show-approvals' }),
      reportFailure,
    });
    this.#configs = watchConfigs(hub);
    this.#tray = new LateTray({
      hub,
      icons: places.icons,
      input: () => ({
        ...this.#input(),
        phase: hub.phase,
        clients: hub.running?.clients() ?? [],
        profiles: hub.running?.profiles() ?? { profiles: [], clients: {} },
      }),
      act,
      onClick: showWindow,
      onError: warn('The tray could not be detected.'),
    });
    this.#notices = startNotifications({
      hub,
      input: () => (hub.phase === 'running' ? this.#input() : undefined),
      settings: () => settings.current,
      watched,
      state: windowState,
      act,
    });
  }

  /** True if the user can see the tray's icon. */
  get trayVisible(): boolean {
    return this.#tray.visible;
  }

  start(): void {
    this.#tray.start();
  }

  update(): void {
    this.#tray.update();
    this.#notices.update();
  }

  /** Called when the user returns to the window, where some things are in view. */
  windowFocused(): void {
    this.#notices.update();
  }

  dispose(): void {
    this.#notices.dispose();
    this.#configs.dispose();
    this.#tray.dispose();
  }

  #input(): AttentionInput {
    const { hub } = this.#parts;
    return {
      hub: hub.view(),
      servers: hub.running?.servers() ?? [],
      connect: this.#configs.current,
      approvals: hub.running?.approvals() ?? [],
      update: this.#context.update(),
    };
  }
}
