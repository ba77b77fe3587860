import { join } from 'node:path';
import { app, Menu, powerMonitor, session } from 'electron';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import { programVersion } from '../../../shared/version.ts';
import { isFolderTaken, stopOtherHub } from '../../engine/engine.ts';
import { watchConfigs } from '../attention/watch-configs.ts';
import { appMenu } from '../command/app-menu.ts';
import { type ConnectionKind, connectionText } from '../command/connection-text.ts';
import { createShellCommands } from '../command/shell-commands.ts';
import { connectWindow } from '../ipc/connect-window.ts';
import { followLink } from '../link/follow-link.ts';
import { claimLinks } from '../link/link-inbox.ts';
import { startNotifications } from '../notify/start-notices.ts';
import { every } from '../port/disposable.ts';
import { networkAddresses, watchNetwork } from '../port/network-watch.ts';
import { reportFailure } from '../port/report-failure.ts';
import { createSystem } from '../port/system.ts';
import { notifyStaysInTray } from '../port/tray-note.ts';
import { LateTray } from '../tray/late-tray.ts';
import { trayActions } from '../tray/tray-actions.ts';
import { createUpdates } from '../update/create-updates.ts';
import { noteUpdate } from '../update/note-update.ts';
import { takeRestart } from '../update/restart-memory.ts';
import { serveApp } from '../window/app-protocol.ts';
import { createWindow } from '../window/create-window.ts';
import { guardContents, guardSession } from '../window/guard-contents.ts';
import { applyTheme, followApp } from './follow-app.ts';
import { installCrashHandlers } from './last-resort.ts';
import type { LaunchOptions } from './launch-options.ts';
import { reportToBridge } from './report-start.ts';
import { createParts, type ShellContext, type ShellParts } from './shell-parts.ts';
import { HubTakeover } from './succession.ts';
import { createShutdown } from './way-out.ts';

/**
 * Builds the desktop app around the hub and sets it going: the window first, then the hub, then the tray. The
 * parts refer to each other by functions, which are called only once all of them are there.
 */
export function startShell(context: ShellContext): void {
  const parts = createParts(context);
  const { hub, logger, markStage: mark, places, settings, warn } = parts;
  installCrashHandlers(process, logger);
  mark('ready');
  const restart = takeRestart(parts.windowState, Date.now());
  const hidden = restart?.hidden ?? startsHidden(context.launch);

  const {
    quit,
    ask: askToQuit,
    end,
  } = createShutdown(parts, {
    askInWindow(plan) {
      showWindow();
      link.run({ kind: 'confirm-quit', plan });
    },
    windowHears: () => link.isReady,
    onQuitting() {
      logger.log('info', 'quit');
      window.remember();
      hub.close();
      takeover.dispose();
      network.dispose();
      notices.dispose();
      configs.dispose();
      updates.dispose();
      tray.dispose();
      link.dispose();
    },
  });
  const endSession = () => quit.quit('brief');
  const system = createSystem({
    quit: end,
    stay: () => quit.stay(),
    closeWindow: () => window.hideOrMinimize(),
  });
  const startReporter = {
    env: process.env,
    isUnseen: () => hidden && window.contents === undefined,
    write: (text: string) => void process.stderr.write(text),
    exit: (code: number) => app.exit(code),
  };
  hub.onRunning((running) => noteUpdate(running, restart, programVersion));
  hub.onSettled((failure) => {
    mark('hub-started');
    takeover.started(failure);
    if (failure !== undefined) logger.log('error', 'Patchbay did not start.', { ...failure });
    if (failure !== undefined && reportToBridge(failure, startReporter)) return;
    link.hubStarted();
    tray.update();
    notices.update();
  });
  const takeover = new HubTakeover({
    hub,
    isTaken: () => isFolderTaken(context.paths.dir),
    endOther: () => stopOtherHub(context.paths.dir),
    every,
  });
  const wakeUp = () => hub.running?.wokeUp();
  const network = watchNetwork({ read: networkAddresses, onChange: wakeUp, every });
  const showWindow = () => {
    if (quit.quitting) return;
    window.show();
    mark('window-made');
  };
  const window = createWindow({
    preload: places.preload,
    icon: join(places.icons, 'icon.png'),
    state: parts.windowState,
    settings: () => settings.current,
    quitting: () => quit.quitting,
    trayVisible: () => tray.visible,
    askToQuit,
    onSessionEnd: endSession,
    tellAboutTray: () => notifyStaysInTray(process.platform, showWindow),
    onVisible: (visible) => link.setVisible(visible),
    onPageGone(reason) {
      logger.log('debug', 'The window’s page is gone.', { reason });
      link.pageGone();
    },
    onShown: () => mark('window-shown'),
  });
  const copyConnection = async (what: ConnectionKind) => system.copyText(await connectionText(what, hub.hub));
  const link = connectWindow({
    hub,
    limits: parts.limits,
    support: parts.support,
    system,
    copyConnection,
    updates: () => updates,
    takeOver: () => takeover.takeOver(),
    settings: () => settings.current,
    changeSettings: parts.changeSettings,
    contents: () => window.contents,
    appFolder: app.getAppPath(),
    development: places.unpackaged,
    onStateSent() {
      mark('state-sent');
      setTimeout(parts.gate.open, paintMs);
    },
    onUnexpected: (call, error) => logger.log('error', 'A call from the window failed.', { call, error }),
  });
  parts.followSettings((next) => {
    applyTheme(next);
    link.settingsChanged(next);
  });
  const runInWindow = link.run;
  const commands = createShellCommands({
    hub,
    system,
    showWindow,
    askToQuit,
    runInWindow,
    checkUpdates: () => void updates.check(),
    copyConnection,
    reportFailure,
  });
  const updates = createUpdates(parts, {
    restart,
    onChange(update) {
      link.updateChanged(update);
      tray.update();
      notices.update();
    },
    quit,
    visible: () => window.visible,
  });
  const inWindow = (command: IpcEvent<'command.run'>) => {
    showWindow();
    link.run(command);
  };
  const act = trayActions({
    hub,
    system,
    commands,
    openServer: (key) => inWindow({ kind: 'open-server', key }),
    reviewTools: (key) => inWindow({ kind: 'review-tools', key }),
    connectClient: (id) => inWindow({ kind: 'connect-client', id }),
    showApprovals: () => inWindow({ kind: 'show-approvals' }),
    reportFailure,
  });
  const configs = watchConfigs(hub);
  const attentionInput = () => ({
    hub: hub.view(),
    servers: hub.running?.servers() ?? [],
    connect: configs.current,
    approvals: hub.running?.approvals() ?? [],
    update: updates.view,
  });
  const openLink = (text: string) =>
    void followLink(text, {
      hub,
      showWindow,
      showPreview: (preview) => link.run({ kind: 'show-import', preview }),
      showRefusal: (problem) => link.run({ kind: 'refuse-link', problem }),
    });
  const tray = new LateTray({
    hub,
    icons: places.icons,
    input: () => ({
      ...attentionInput(),
      phase: hub.phase,
      clients: hub.running?.clients() ?? [],
      profiles: hub.running?.profiles() ?? { profiles: [], clients: {} },
    }),
    act,
    onClick: showWindow,
    onError: warn('The tray could not be detected.'),
  });
  const notices = startNotifications({
    hub,
    input: () => (hub.phase === 'running' ? attentionInput() : undefined),
    settings: () => settings.current,
    watched: () => window.focused,
    state: parts.windowState,
    act,
  });

  applyTheme(settings.current);
  guardSession(session.defaultSession);
  guardContents(app, (url) => void system.openLink(url).catch(warn('A link could not be opened.')));
  serveApp(session.defaultSession.protocol, places.renderer);
  Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(commands, process.platform, places.unpackaged)));
  followApp(app, powerMonitor, {
    showWindow,
    onSessionEnd: endSession,
    onWake: wakeUp,
    onFocus() {
      notices.update();
      void hub.running?.checkClients().catch(warn('Client configs could not be checked.'));
    },
    onSecondLaunch({ hidden, addServer, link: opened }) {
      if (opened !== undefined) openLink(opened);
      else if (addServer) void commands['add-server'].run();
      else if (!hidden) showWindow();
    },
  });
  if (hidden) parts.gate.open();
  else showWindow();
  if (context.launch.addServer) void commands['add-server'].run();
  hub.start();
  if (context.launch.link !== undefined) openLink(context.launch.link);
  context.links.follow(openLink);
  if (context.isDefaultDir && !places.unpackaged) claimLinks(app, process.platform);
  tray.start();
  renewLoginItem(parts);
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
