import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { program, root } from '../lib/places.mjs';
import { scratch } from '../lib/scratch.mjs';

/** How long the hub takes to decide whether a call may be made, in this program. */
export async function measureAuthorize({ size, log }) {
  log(`${size.identities} identities, ${size.tools} tools`);
  const folder = await scratch();
  try {
    const { measure } = await import(pathToFileURL(await bundle(folder.path)).href);
    return await measure(size);
  } finally {
    await folder.remove();
  }
}

/** The hub's own code is in TypeScript. */
async function bundle(folder) {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: { ssr: program('authorize'), outDir: folder, minify: false },
    ssr: { noExternal: true },
  });
  return join(folder, 'authorize.js');
}
