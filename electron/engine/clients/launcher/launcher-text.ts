import type { BridgeProgram } from './launcher.ts';

/** A shell script that needs nothing from the environment, and explains itself when the app has gone. */
export function launcherScript({ binary, bundle, electron, image }: BridgeProgram): string {
  const program = quoted(binary);
  const words = [quoted(bundle), ...(image ? ['--no-sandbox'] : []), '"$@"'].join(' ');
  return `#!/bin/sh
# Connects MCP clients to Patchbay. Written by Patchbay at its start; changes are lost.
if [ ! -x ${program} ]; then
  echo "patchbay-bridge: Patchbay is not where it was when it last ran. Open it once, then restart this client." >&2
  exit 1
fi
${electron ? 'ELECTRON_RUN_AS_NODE=1\nexport ELECTRON_RUN_AS_NODE\n' : ''}exec ${program} ${words}
`;
}

/**
 * An AppImage's start script adds \`--no-sandbox\` in front of all arguments where the system allows no sandbox, and Node
 * refuses an option it does not know; it does not where the word is among them. Here it is taken out again.
 */
export const imageWrapper = `process.argv = process.argv.filter((word) => word !== '--no-sandbox');
await import('./patchbay-bridge.mjs');
`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
