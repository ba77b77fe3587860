import { app } from 'electron';
import { programVersion } from '../../shared/version.ts';
import { completeRestore, dataPaths, defaultDataDir, isTurnedOff } from '../engine/engine.ts';
import { parseLaunchOptions } from './lifecycle/launch-options.ts';
import { setProfileFolder } from './lifecycle/profile.ts';
import { claimInstance } from './lifecycle/single-instance.ts';
import { startShell, startsHidden } from './lifecycle/start-shell.ts';
import { LinkInbox } from './link/link-inbox.ts';
import { createServerEnvironment } from './port/server-environment.ts';
import { registerAppScheme } from './window/app-protocol.ts';

const launch = parseLaunchOptions(process.argv.slice(1), process.cwd());
if (!launch.ok) {
  process.stderr.write(`${launch.message}\n`);
  process.exit(2);
}

const { dataDir = defaultDataDir(process.env) } = launch.value;
app.setName('Patchbay');
app.setAppUserModelId('app.patchbay.desktop');
const profile = setProfileFolder(app, dataDir);
registerAppScheme();

if (claimInstance(app, launch.value)) {
  const links = new LinkInbox(app);
  const environment = createServerEnvironment();
  const isDefaultDir = dataDir === defaultDataDir({});
  // Not awaited: an ES module that waits for it here would keep the app from ever becoming ready.
  void app.whenReady().then(async () => {
    const paths = dataPaths(dataDir);
    // Turned off lasts until a user opens the app; a login or a client does not count.
    if (startsHidden(launch.value) && (await isTurnedOff(paths))) return app.exit(0);
    // Completes an interrupted restore before anything is read.
    await completeRestore(dataDir, programVersion).catch(() => undefined);
    startShell({ launch: launch.value, paths, profile, isDefaultDir, environment, links });
  });
} else {
  app.exit(0);
}
