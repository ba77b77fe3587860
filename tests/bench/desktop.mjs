/**
 * Measures what a person waits for and pays for, in the packaged app: time to the first painted list, what ten real
 * servers cost the main process at rest, and a bridge's first byte. Needs `npm run pack` and a display.
 *
 *   xvfb-run -a dbus-run-session -- node tests/bench/desktop.mjs [--json FILE]
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { _electron as electron } from 'playwright-core';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const app = here('../../release/unpacked/linux-unpacked/patchbay');
const bridge = here('../../release/unpacked/linux-unpacked/resources/bin/patchbay-bridge');
const kinds = ['everything', 'filesystem', 'memory', 'sequential-thinking'];
const rounds = 10;

const folder = await mkdtemp(join(tmpdir(), 'patchbay-desktop-'));
const figures = {};
try {
  await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: tenServers() }));
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ version: 1, port: 7431 }));
  figures.firstListMs = await repeat(5, firstList);
  Object.assign(figures, await atRest());
  figures.bridgeHubDownMs = await repeat(rounds, async () => firstByte(await folderWithoutHub()));
} finally {
  await rm(folder, { recursive: true, force: true });
}
print(figures);
const target = process.argv.indexOf('--json');
if (target !== -1) await writeFile(process.argv[target + 1], `${JSON.stringify(figures, undefined, 2)}\n`);

function tenServers() {
  const entries = Array.from({ length: 10 }, (_, index) => {
    const kind = kinds[index % kinds.length];
    const program = here(`../../node_modules/@modelcontextprotocol/server-${kind}/dist/index.js`);
    const env = { MEMORY_FILE_PATH: join(folder, `memory-${index}.json`) };
    return [
      `${kind}-${index}`,
      { command: process.execPath, args: [program, ...(kind === 'filesystem' ? [folder] : [])], env },
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * Creates a folder without a hub. The bridge has to start one when none runs; here that program exits at
 * once.
 */
async function folderWithoutHub() {
  const dataDir = join(folder, 'nobody');
  await mkdir(join(dataDir, 'run'), { recursive: true });
  await writeFile(
    join(dataDir, 'run', 'launch.json'),
    JSON.stringify({ command: process.execPath, args: ['-e', '0'], env: {} }),
  );
  return dataDir;
}

async function launch(dataDir) {
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const running = await electron.launch({
    executablePath: app,
    args: [...root, '--data-dir', dataDir],
    timeout: 60_000,
  });
  return { running, window: await running.firstWindow() };
}

/** From the start of the process to the first painted list, by the clock of the app itself. */
async function firstList() {
  const { running, window } = await launch(folder);
  const painted = await window.waitForFunction(
    () => performance.getEntriesByName('patchbay:first-list')[0]?.startTime,
    undefined,
    { timeout: 30_000 },
  );
  const sinceNavigation = await painted.jsonValue();
  const navigation = await window.evaluate(() => performance.timeOrigin);
  const created = await processStart(running.process().pid);
  await running.close();
  return navigation + sinceNavigation - created;
}

/** Epoch milliseconds, reckoned back from the age: the time of boot is kept in whole seconds only. */
async function processStart(pid) {
  const uptime = Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Date.now() - (uptime * 1000 - ticks * 10);
}

/** The main process with ten connected servers, after half a minute of nobody doing anything. */
async function atRest() {
  const { running, window } = await launch(folder);
  const pid = running.process().pid;
  const started = Date.now();
  await window.getByText('Connected', { exact: true }).nth(9).waitFor({ timeout: 60_000 });
  const connectedMs = Date.now() - started;
  const up = await repeat(rounds, () => firstByte(folder));
  await running.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await sleep(15_000);
  const before = await processorTime(pid);
  await sleep(15_000);
  const used = (await processorTime(pid)) - before;
  const memory = await residentMemory(pid);
  await running.close();
  return {
    tenServersConnectedMs: connectedMs,
    bridgeHubUpMs: up,
    mainIdleCpuPercent: (used / 15_000) * 100,
    mainResidentMiB: memory.resident,
    // The rest of it is the runtime's own file, mapped and shared by all its processes.
    mainPrivateMiB: memory.private,
  };
}

/** From starting the packaged bridge to the first byte of its `initialize` answer. */
async function firstByte(dataDir) {
  const started = performance.now();
  const child = spawn(bridge, ['--data-dir', dataDir], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const elapsed = performance.now() - started;
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  return elapsed;
}

/** Milliseconds of processor time, user and system. */
async function processorTime(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** MiB. */
async function residentMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { resident: field('VmRSS'), private: field('RssAnon') };
}

async function repeat(times, measure) {
  const values = [];
  for (let round = 0; round < times; round += 1) values.push(await measure());
  values.sort((a, b) => a - b);
  return { median: values[Math.floor(times / 2)], min: values[0], max: values.at(-1) };
}

function print(measured) {
  console.log(`Node ${process.version}, ${cpus().length} cores`);
  for (const [name, value] of Object.entries(measured)) {
    const text =
      typeof value === 'number'
        ? value.toFixed(1)
        : `${value.median.toFixed(0)} (${value.min.toFixed(0)} to ${value.max.toFixed(0)})`;
    console.log(`${name.padEnd(24)} ${text}`);
  }
}
