/**
 * `node build/mcpb.mjs [FILE]`: creates the bridge's bundle for Claude Desktop, release/patchbay.mcpb. Part
 * of `npm run pack`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';
import { ensureBuilt } from './build.mjs';
import { isProgram, root } from './root.mjs';

const bundleFile = path.join(root, 'release', 'patchbay.mcpb');

/** Zips the built bridge with its manifest; the same sources give the same bytes. */
export async function buildBundle(target = bundleFile) {
  const [bridge, licences, icon, licence, settings] = await Promise.all(
    [
      'dist/bin/patchbay-bridge.mjs',
      'dist/bin/patchbay-bridge.mjs.licenses.md',
      'build/icons/icon.png',
      'LICENSE',
      'package.json',
    ].map((file) => readFile(path.join(root, file))),
  );
  const files = {
    'manifest.json': Buffer.from(`${JSON.stringify(manifest(JSON.parse(settings)), undefined, 2)}\n`),
    'server/patchbay-bridge.mjs': bridge,
    'server/patchbay-bridge.mjs.licenses.md': licences,
    'icon.png': icon,
    LICENSE: licence,
  };
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, zipSync(files, { level: 9, mtime: new Date(1980, 0, 1) }));
}

/** Claude Desktop runs the bundle with its own Node, so it needs only Patchbay on the machine. */
function manifest({ version, description, author, license, homepage }) {
  const entry = 'server/patchbay-bridge.mjs';
  return {
    manifest_version: '0.3',
    name: 'patchbay',
    display_name: 'Patchbay',
    version,
    description,
    long_description:
      'Connects Claude to Patchbay on this computer, and through it to all your MCP servers. Patchbay itself must be installed; it is started when needed.',
    author: { name: author.replace(/ <.*/, '') },
    homepage,
    license,
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: entry,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entry}`, '--client', 'claude-desktop'],
        env: {},
      },
    },
    // The tools and prompts depend on the configured servers.
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  };
}

if (isProgram(import.meta.url)) {
  const [target] = process.argv.slice(2);
  if (target === undefined) await ensureBuilt();
  await buildBundle(target);
}
