/**
 * Stands for `@neon-rs/load` in what is built. That asks Node for its report on the whole process to find out which C library
 * there is, which takes 6 ms and a megabyte in each thread that opens a database. libsql reads it off a file afterwards, and puts
 * this answer right by that.
 */
export function currentTarget() {
  const { platform, arch } = process;
  if (platform === 'linux') return arch === 'arm' ? 'linux-arm-gnueabihf' : `linux-${arch}-musl`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** Only for those who build libsql themselves. */
export function load() {
  return null;
}
