/** The permissions that the system reports for what was created with these; Windows has none and reports the same for all. */
export function permissions(mode: number): number {
  return process.platform === 'win32' ? 0o666 : mode;
}
