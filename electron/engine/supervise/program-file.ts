import { constants } from 'node:fs';
import { access, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

/** Kind of file found under a program's name. */
export type ProgramFile =
  | { readonly kind: 'program'; readonly realFile: string }
  | { readonly kind: 'absent' | 'folder' | 'not-executable' }
  | { readonly kind: 'broken-link'; readonly target: string };

/**
 * Tells whether a file can be run. On Windows, which has no such permission, every file can; its extension
 * decides.
 */
export async function inspectProgram(file: string): Promise<ProgramFile> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return inspectLink(file);
  if (!found.isFile()) return { kind: 'folder' };
  const runs = await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  return runs
    ? { kind: 'program', realFile: await realpath(file).catch(() => file) }
    : { kind: 'not-executable' };
}

async function inspectLink(file: string): Promise<ProgramFile> {
  const link = await lstat(file).catch(() => undefined);
  if (link === undefined || !link.isSymbolicLink()) return { kind: 'absent' };
  const target = await readlink(file).catch(() => '');
  return { kind: 'broken-link', target: resolve(dirname(file), target) };
}

/**
 * Explains, as a clause, why an executable file will not run here; undefined if nothing is wrong. `isFound`
 * tells whether a command can be found.
 */
export async function findProgramFlaw(
  file: string,
  isFound: (command: string) => Promise<boolean>,
): Promise<string | undefined> {
  const head = await readHead(file);
  const interpreter = interpreterOf(head);
  if (interpreter === undefined) return foreignTarget(head, process.platform, process.arch);
  return (await isFound(interpreter)) ? undefined : `it needs ${interpreter}, which was not found`;
}

const maxHeadSize = 256;

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeadSize), 0, maxHeadSize, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await handle.close();
  }
}

/** Returns the interpreter of a script's `#!` line: a file, or the command that `env` runs. */
export function interpreterOf(head: Buffer): string | undefined {
  const [line = ''] = head.toString('utf8').split('\n');
  const [, file, rest = ''] = /^#!\s*(\/\S+)(.*)/.exec(line) ?? [];
  if (file === undefined || basename(file) !== 'env') return file;
  // Options and variables may come first: `env -S node --flag`.
  return rest.split(/\s+/).find((word) => word !== '' && !/^-|=/.test(word)) ?? file;
}

/** Explains which other system or processor a program was built for. */
export function foreignTarget(head: Buffer, platform: NodeJS.Platform, arch: string): string | undefined {
  const built = buildTargetOf(head);
  if (built === undefined || platform === 'win32') return undefined;
  const system = built.system === 'darwin' ? 'macOS' : 'Linux';
  if (built.system !== platform) return `it is built for ${system}`;
  if (built.arch === undefined || runsOn(built.system, arch).has(built.arch)) return undefined;
  return `it is built for ${built.arch} processors, and this one is ${arch}`;
}

/** macOS on Apple silicon translates Intel programs; 64-bit processors run 32-bit programs. */
function runsOn(system: 'linux' | 'darwin', arch: string): ReadonlySet<string> {
  if (system === 'darwin' && arch === 'arm64') return new Set(['arm64', 'x64']);
  return new Set([arch, ...(arch === 'x64' ? ['ia32'] : []), ...(arch === 'arm64' ? ['arm'] : [])]);
}

interface BuildTarget {
  readonly system: 'linux' | 'darwin';
  /** Architecture in Node's terms; undefined if unknown, and for universal binaries. */
  readonly arch: string | undefined;
}

function buildTargetOf(head: Buffer): BuildTarget | undefined {
  if (head.length < 20) return undefined;
  if (head.readUInt32BE(0) === 0x7f454c46) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
    return { system: 'linux', arch: elfMachines.get(machine) };
  }
  // Mach-O, 64-bit little-endian.
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return { system: 'darwin', arch: machMachines.get(head.readUInt32LE(4)) };
  return undefined;
}

const elfMachines: ReadonlyMap<number, string> = new Map([
  [0x03, 'ia32'],
  [0x28, 'arm'],
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
  [0xf3, 'riscv64'],
]);

const machMachines: ReadonlyMap<number, string> = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
