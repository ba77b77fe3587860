// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { splitCommand } from '../../../../shared/split-command.ts';
import type { Entry } from './dialects.ts';

/** Returns the command of a systemd service, with its variables and its folder. */
export function systemdServer(text: string): Entry | undefined {
  if (!/^\[Service\][ \t]*$/m.test(text)) return undefined;
  const lines = text.replace(/\\\n/g, ' ').split('\n');
  const values = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1).trim()] : []));
  const [command, ...args] = splitCommand((values('ExecStart').at(-1) ?? '').replace(/^[-@:+!|]+/, '')).map(
    expandSpecifiers,
  );
  if (command === undefined || command === '') return undefined;
  const env = values('Environment')
    .flatMap(splitCommand)
    .map(
      (word) => [word.split('=', 1)[0] ?? '', expandSpecifiers(word.slice(word.indexOf('=') + 1))] as const,
    )
    .filter(([name]) => /^\w+$/.test(name));
  const [folder] = values('WorkingDirectory');
  const [file] = values('EnvironmentFile');
  return {
    command,
    args,
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
    ...(folder === undefined || folder === '' ? {} : { cwd: expandSpecifiers(folder.replace(/^-/, '')) }),
    ...(file === undefined || file === '' ? {} : { envFile: expandSpecifiers(file.replace(/^-/, '')) }),
  };
}

/** Expands `%h` to the home folder, and `%%` to a percent sign. */
function expandSpecifiers(text: string): string {
  return text.replace(/%h/g, () => '${HOME}').replace(/%%/g, '%');
}
