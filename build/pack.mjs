/**
 * `npm run pack`: packages the app as a folder for this system, for trying out and for the end-to-end tests;
 * its inspector is enabled. `npm run pack -- --release`: builds installers with the pinned Electron and all
 * release fuses, plus the files for an update server (see update-feed.mjs).
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build, Platform } from 'electron-builder';
import { ensureBuilt } from './build.mjs';
import { findElectron } from './electron-runtime.mjs';
import { buildBundle } from './mcpb.mjs';
import { isProgram, root } from './root.mjs';
import { updateFeed } from './update-feed.mjs';

/** Resolves when release/unpacked/ holds the app built from the current sources. */
export async function pack({ release = false } = {}) {
  await ensureBuilt();
  await buildBundle();
  const runtime = await findElectron();
  if (release && runtime.kind === 'test') {
    throw new Error('A release needs the pinned Electron, which could not be downloaded.');
  }
  await build({
    projectDir: root,
    publish: 'never',
    targets: Platform.current().createTarget(release ? null : 'dir'),
    config: {
      extends: path.join(root, 'electron-builder.yml'),
      electronVersion: runtime.version,
      electronDist: runtime.dist,
      afterPack: finish,
      publish: updateFeed(process.env),
      ...(release ? {} : tryOut),
    },
  });
}

/** Playwright attaches to the main process through the inspector. */
const tryOut = {
  directories: { output: path.join('release', 'unpacked') },
  electronFuses: { enableNodeCliInspectArguments: true },
};

async function finish({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(path.join(resources, 'default_app.asar'), { force: true });
  await assureDatabase(path.join(resources, 'node_modules', '@libsql'));
}

/**
 * electron-builder does not treat a missing file as an error, and npm installs this one only for the current
 * system.
 */
async function assureDatabase(folder) {
  const systems = await readdir(folder).catch(() => []);
  if (systems.length === 1) return;
  throw new Error(
    `The database library in the package is for ${systems.length} systems. For another one than this, install it first: npm install --os=… --cpu=…`,
  );
}

if (isProgram(import.meta.url)) {
  await pack({ release: process.argv.includes('--release') }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
