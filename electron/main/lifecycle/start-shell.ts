import { join } from 'node:path';
import { app, Menu, powerMonitor, session } from 'electron';
import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import { programVersion } from '../../../shared/version.ts';
import { isFolderTaken, stopOtherHub } from '../../engine/engine.ts';
import { Attention } from '../attention/attention.ts';
import { appMenu } from '../command/app-menu.ts';
import type { UserCommands } from '../command/command.ts';
import { type ConnectionKind, connectionText } from '../command/connection-text.ts';
import { createShellCommands } from '../command/shell-commands.ts';
import { connectWindow, type WindowLink } from '../ipc/connect-window.ts';
import type { SystemPort } from '../ipc/handler-context.ts';
import { followLink } from '../link/follow-link.ts';
import { claimLinks } from '../link/link-inbox.ts';
import { type Disposable, every } from '../port/disposable.ts';
import { networkAddresses, watchNetwork } from '../port/network-watch.ts';
import { notifyStaysInTray } from '../port/notify-stays-in-tray.ts';
import { reportFailure } from '../port/report-failure.ts';
import { createSystem } from '../port/system.ts';
import type { AppUpdates } from '../update/app-updates.ts';
import { createUpdates } from '../update/create-updates.ts';
import { noteUpdate } from '../update/note-update.ts';
import { type Restart, takeRestart } from '../update/restart-state.ts';
import { serveApp } from '../window/app-protocol.ts';
import { createWindow } from '../window/create-window.ts';
import { guardContents, guardSession } from '../window/guard-contents.ts';
import type { MainWindow } from '../window/main-window.ts';
import { installCrashHandlers } from './crash-handlers.ts';
import { applyTheme, followApp } from './follow-app.ts';
import { HubTakeover } from './hub-takeover.ts';
import type { LaunchOptions } from './launch-options.ts';
import { reportToBridge, type StartReporter } from './report-start.ts';
import { createParts, type ShellContext, type ShellParts } from './shell-parts.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';

/** Builds the desktop app around the hub and starts it: the window first, then the hub, then the tray. */
export function startShell(context: ShellContext): void {
  const shell = new Shell(context);
  shell.followSystem();
  shell.start();
}

/** Parts of the running app; they refer to each other by functions that are called once all parts exist. */
class Shell {
  readonly #context: ShellContext;
  readonly #parts: ShellParts;
  readonly #restart: Restart | undefined;
  readonly #hidden: boolean;
  readonly #shutdown: Shutdown;
  readonly #system: SystemPort;
  readonly #takeover: HubTakeover;
  readonly #network: Disposable;
  readonly #window: MainWindow;
  readonly #link: WindowLink;
  readonly #commands: UserCommands;
  readonly #updates: AppUpdates;
  readonly #attention: Attention;

  constructor(context: ShellContext) {
    const parts = createParts(context);
    const { hub } = parts;
    this.#context = context;
    this.#parts = parts;
    installCrashHandlers(process, parts.logger);
    parts.markStage('ready');
    this.#restart = takeRestart(parts.windowState, Date.now());
    this.#hidden = this.#restart?.hidden ?? startsHidden(context.launch);
    this.#shutdown = this.#createShutdown();
    this.#system = createSystem({
      quit: this.#shutdown.end,
      stay: () => this.#shutdown.quit.stay(),
      closeWindow: () => this.#window.hideOrMinimize(),
    });
    hub.onRunning((running) => noteUpdate(running, this.#restart, programVersion));
    hub.onSettled((failure) => this.#hubSettled(failure));
    this.#takeover = new HubTakeover({
      hub,
      isTaken: () => isFolderTaken(context.paths.dir),
      endOther: () => stopOtherHub(context.paths.dir),
      every,
    });
    this.#network = watchNetwork({ read: networkAddresses, onChange: this.#wakeUp, every });
    this.#window = this.#createWindow();
    this.#link = this.#connectWindow();
    parts.followSettings((next) => {
      applyTheme(next);
      this.#link.settingsChanged(next);
    });
    this.#commands = createShellCommands({
      hub,
      system: this.#system,
      showWindow: this.#showWindow,
      askToQuit: this.#shutdown.ask,
      runInWindow: this.#link.run,
      checkUpdates: () => void this.#updates.check(),
      copyConnection: this.#copyConnection,
      reportFailure,
    });
    this.#updates = this.#createUpdates();
    this.#attention = this.#createAttention();
  }

  /** Connects the app to the events of Electron and the system. */
  followSystem(): void {
    const { hub, places, settings, warn } = this.#parts;
    applyTheme(settings.current);
    guardSession(session.defaultSession);
    guardContents(app, (url) => void this.#system.openLink(url).catch(warn('A link could not be opened.')));
    serveApp(session.defaultSession.protocol, places.renderer);
    const menu = appMenu(this.#commands, process.platform, places.unpackaged);
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    followApp(app, powerMonitor, {
      showWindow: this.#showWindow,
      onSessionEnd: this.#endSession,
      onWake: this.#wakeUp,
      onFocus: () => {
        this.#attention.windowFocused();
        void hub.running?.checkClients().catch(warn('Client configs could not be checked.'));
      },
      onSecondLaunch: ({ hidden, addServer, link }) => {
        if (link !== undefined) this.#openLink(link);
        else if (addServer) this.#addServer();
        else if (!hidden) this.#showWindow();
      },
    });
  }

  start(): void {
    const { launch, links, isDefaultDir } = this.#context;
    const { hub, gate, places } = this.#parts;
    if (this.#hidden) gate.open();
    else this.#showWindow();
    if (launch.addServer) this.#addServer();
    hub.start();
    if (launch.link !== undefined) this.#openLink(launch.link);
    links.follow(this.#openLink);
    if (isDefaultDir && !places.unpackaged) claimLinks(app, process.platform);
    this.#attention.start();
    renewLoginItem(this.#parts);
  }

  #createShutdown(): Shutdown {
    const { hub, logger } = this.#parts;
    return createShutdown(this.#parts, {
      askInWindow: (plan) => this.#inWindow({ kind: 'confirm-quit', plan }),
      windowHears: () => this.#link.isReady,
      onQuitting: () => {
        logger.log('info', 'quit');
        this.#window.remember();
        hub.close();
        for (const part of [this.#takeover, this.#network, this.#attention, this.#updates, this.#link])
          part.dispose();
      },
    });
  }

  #createWindow(): MainWindow {
    const { logger, markStage, places, settings, windowState } = this.#parts;
    return createWindow({
      preload: places.preload,
      icon: join(places.icons, 'icon.png'),
      state: windowState,
      settings: () => settings.current,
      quitting: () => this.#shutdown.quit.quitting,
      trayVisible: () => this.#attention.trayVisible,
      askToQuit: this.#shutdown.ask,
      onSessionEnd: this.#endSession,
      tellAboutTray: () => notifyStaysInTray(process.platform, this.#showWindow),
      onVisible: (visible) => this.#link.setVisible(visible),
      onPageGone: (reason) => {
        logger.log('debug', 'The window’s page is gone.', { reason });
        this.#link.pageGone();
      },
      onShown: () => markStage('window-shown'),
    });
  }

  #connectWindow(): WindowLink {
    const { hub, limits, support, settings, places, logger, markStage, gate } = this.#parts;
    return connectWindow({
      hub,
      limits,
      support,
      system: this.#system,
      copyConnection: this.#copyConnection,
      updates: () => this.#updates,
      takeOver: () => this.#takeover.takeOver(),
      settings: () => settings.current,
      changeSettings: this.#parts.changeSettings,
      contents: () => this.#window.contents,
      appFolder: app.getAppPath(),
      development: places.unpackaged,
      onStateSent() {
        markStage('state-sent');
        setTimeout(gate.open, paintMs);
      },
      onUnexpected: (call, error) => logger.log('error', 'A call from the window failed.', { call, error }),
    });
  }

  #createUpdates(): AppUpdates {
    return createUpdates(this.#parts, {
      restart: this.#restart,
      onChange: (update) => {
        this.#link.updateChanged(update);
        this.#attention.update();
      },
      quit: this.#shutdown.quit,
      visible: () => this.#window.visible,
    });
  }

  #createAttention(): Attention {
    return new Attention(this.#parts, {
      system: this.#system,
      commands: this.#commands,
      update: () => this.#updates.view,
      showWindow: this.#showWindow,
      inWindow: this.#inWindow,
      watched: () => this.#window.focused,
    });
  }

  #hubSettled(failure: Problem | undefined): void {
    const { logger, markStage } = this.#parts;
    markStage('hub-started');
    this.#takeover.started(failure);
    if (failure !== undefined) {
      logger.log('error', 'Patchbay is not running.', { ...failure });
      if (reportToBridge(failure, this.#startReporter())) return;
    }
    this.#link.hubStarted();
    this.#attention.update();
  }

  #startReporter(): StartReporter {
    return {
      env: process.env,
      hasNoWindow: () => this.#hidden && this.#window.contents === undefined,
      write: (text) => void process.stderr.write(text),
      exit: (code) => app.exit(code),
    };
  }

  readonly #showWindow = (): void => {
    if (this.#shutdown.quit.quitting) return;
    this.#window.show();
    this.#parts.markStage('window-made');
  };

  /** Shows the window and runs a command in it. */
  readonly #inWindow = (command: IpcEvent<'command.run'>): void => {
    this.#showWindow();
    this.#link.run(command);
  };

  readonly #openLink = (text: string): void => {
    void followLink(text, {
      hub: this.#parts.hub,
      showWindow: this.#showWindow,
      showPreview: (preview) => this.#link.run({ kind: 'show-import', preview }),
      showRefusal: (problem) => this.#link.run({ kind: 'refuse-link', problem }),
    });
  };

  readonly #copyConnection = async (what: ConnectionKind): Promise<void> =>
    this.#system.copyText(await connectionText(what, this.#parts.hub.hub));

  readonly #wakeUp = (): void => this.#parts.hub.running?.wokeUp();

  readonly #endSession = (): void => this.#shutdown.quit.quit('brief');

  #addServer(): void {
    void this.#commands['add-server'].run();
  }
}

/** macOS cannot pass arguments to a login item; the app has to ask afterwards. */
export function startsHidden(launch: LaunchOptions): boolean {
  if (launch.link !== undefined) return false;
  if (launch.hidden) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Writes the login item again, since the app may have been moved or updated. */
function renewLoginItem({ settings, loginItem, warn }: ShellParts): void {
  if (settings.current.startAtLogin)
    void loginItem.set(true).catch(warn('The login item could not be updated.'));
}

/** Milliseconds that the window needs to paint its state. */
const paintMs = 250;
