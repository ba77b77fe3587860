/**
 * The server of the chaos program. `server.mjs KEY FOLDER [TRAIT…] [--http PORT]`: notes its life and every run of a
 * tool in FOLDER/record/KEY.jsonl; while FOLDER/down/KEY exists it does not start, while FOLDER/slow/KEY exists it
 * takes its time. Traits: slow, garbage, stubborn, family, modern (without sessions).
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createConversation } from './conversation.mjs';
import { createModernConversation } from './modern-conversation.mjs';
import { createRecord } from './record.mjs';
import { speakHttp, speakStdio } from './wires.mjs';

const args = process.argv.slice(2);
const port = args.includes('--http') ? Number(args[args.indexOf('--http') + 1]) : undefined;
const [key, folder, ...traits] = args;
const has = (trait) => traits.includes(trait);
const record = createRecord(join(folder, 'record', `${key}.jsonl`));

if (existsSync(join(folder, 'down', key))) {
  record('down');
  process.stderr.write('fatal: told to stay down\n');
  process.exit(1);
}
record('start', { parent: process.ppid });
if (has('stubborn')) beStubborn();
if (has('family')) startFamily();
if (has('slow') || existsSync(join(folder, 'slow', key))) await pause(500 + Math.random() * 2_000);

const create = has('modern') ? createModernConversation : createConversation;
const conversation = create({ key, record, speakGarbage });
if (port === undefined) speakStdio(conversation, onHangUp);
else speakHttp(conversation, port);
// From outside, at any moment, without a client.
process.on('SIGUSR2', speakGarbage);
if (has('garbage')) setInterval(speakGarbage, 300);

/** Only SIGKILL ends it. */
function beStubborn() {
  process.on('SIGTERM', () => {});
  process.on('SIGHUP', () => {});
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  setInterval(() => {}, 60_000);
}

/** Two that outlive it unless they are ended: a child, and one in a session of its own. */
function startFamily() {
  for (const detached of [false, true]) spawn('sleep', ['100000'], { stdio: 'ignore', detached });
}

function onHangUp() {
  record('hang-up');
  if (!has('stubborn')) process.exit(0);
}

/** Writes lines that are no messages of the protocol; a hub must tolerate them. */
function speakGarbage() {
  if (port !== undefined) return;
  process.stdout.write(
    '[info] still alive\n{"level":"info","id":1}\n{"jsonrpc":"2.0","id":99999999,"result":{}}\n',
  );
  process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x0a]));
  process.stderr.write('warn: \u001b[31mred\u001b[0m\n');
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
