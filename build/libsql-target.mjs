/**
 * Replaces `@neon-rs/load` in bundles. The original asks Node for a report on the whole process to find the C
 * library, which takes 6 ms and a megabyte in each thread that opens a database. libsql later reads it from a
 * file and corrects this answer.
 */
export function currentTarget() {
  const { platform, arch } = process;
  if (platform === 'linux') return arch === 'arm' ? 'linux-arm-gnueabihf' : `linux-${arch}-musl`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** Only for builds of libsql from source. */
export function load() {
  return null;
}
