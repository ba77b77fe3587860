import { join } from 'node:path';
import type { StartCommand } from './launch-command.ts';

/** Returns the autostart file that Linux desktops read (XDG autostart). */
export function autostartFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const config = env.XDG_CONFIG_HOME;
  const base = config === undefined || !config.startsWith('/') ? join(home, '.config') : config;
  return join(base, 'autostart', 'patchbay.desktop');
}

/** Returns a desktop entry that starts the app hidden. */
export function autostartText(start: StartCommand): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Patchbay',
    'Comment=Keeps your MCP servers connected',
    `Exec=${[start.command, ...start.args].map(quoteArgument).join(' ')}`,
    'Icon=patchbay',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * Quotes an argument of the Exec key in two layers: the argument is quoted with `"`, `` ` ``, `$` and `\`
 * escaped and `%` doubled; then, as in every string of the file, each `\` is escaped again.
 */
function quoteArgument(argument: string): string {
  const quoted = `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\');
}
