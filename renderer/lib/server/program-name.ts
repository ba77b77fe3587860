/**
 * Returns the plain name of a command, as it would be looked up: `/usr/bin/npx` and `C:\tools
 * px.cmd` are both `npx`.
 */
export function programName(command: string): string {
  const file = command.split(/[\\/]/).at(-1) ?? command;
  return file.replace(/\.(exe|cmd|bat|com)$/i, '');
}
