import type { BridgeProgram } from './launcher.ts';

/** Returns a shell script that needs no environment variables and explains itself when the app is gone. */
export function launcherScript({ binary, bundle, electron, image }: BridgeProgram): string {
  const program = quoted(binary);
  const words = [quoted(bundle), ...(image ? ['--no-sandbox'] : []), '"$@"'].join(' ');
  return `#!/bin/sh
# Connects MCP clients to Patchbay. Written by Patchbay each time it starts; changes are overwritten.
if [ ! -x ${program} ]; then
  echo "patchbay-bridge: Patchbay was moved or removed. Open Patchbay once, then restart this client." >&2
  exit 1
fi
${electron ? 'ELECTRON_RUN_AS_NODE=1\nexport ELECTRON_RUN_AS_NODE\n' : ''}exec ${program} ${words}
`;
}

/**
 * An AppImage's start script adds `--no-sandbox` in front of all arguments where the system has no sandbox,
 * unless the flag is among them, and Node refuses unknown options. So the launcher passes it, and this
 * wrapper removes it again.
 */
export const imageWrapper = `process.argv = process.argv.filter((word) => word !== '--no-sandbox');
await import('./patchbay-bridge.mjs');
`;

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
