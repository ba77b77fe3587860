import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../bench/lib/places.mjs';
import { suiteRunner } from '../conformance/runner.mjs';
import { clients, installed } from './clients.mjs';
import { ScriptedModel, toolNamed } from './model/scripted-model.mjs';
import { run } from './play.mjs';
import { Recorder } from './recorder.mjs';
import { openStage } from './stage.mjs';

const fixture = (name) => ({
  command: process.execPath,
  args: [join(root, 'tests', 'fixture', `${name}.mjs`)],
});

/** A server of each era; both can ask the person. */
const servers = { new: fixture('modern'), old: fixture('legacy-ask') };
const inspector = { name: 'MCP Inspector', package: '@modelcontextprotocol/inspector', version: '2.12.0' };
const [claude] = clients;

/** How the Inspector is told where to connect. */
const ways = {
  '`/mcp`': async (stage) => {
    const { url, token } = await stage.endpoint();
    return ['--server-url', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
  },
  bridge: ({ bridge }, folder) => entryIn(folder, bridge),
  command: ({ aggregator }, folder) => entryIn(folder, aggregator),
};

async function entryIn(folder, entry) {
  const file = join(folder, 'inspector.json');
  await writeFile(file, JSON.stringify({ mcpServers: { patchbay: entry } }));
  return ['--config', file, '--server', 'patchbay'];
}

/** Peers that know both eras, each in front of a hub with a server of each era. */
export const peers = [
  { peer: claude, way: '`/mcp`', play: playClaude },
  ...['legacy', 'auto', 'modern'].flatMap((era) =>
    Object.entries(ways).map(([way, argumentsFor]) => ({
      peer: inspector,
      way: `${way}, \`--protocol-era ${era}\``,
      play: (stage) => playInspector(stage, era, argumentsFor),
    })),
  ),
];

/** Resolves to what was seen; rejects where it could not be played. */
export async function playEras({ play }) {
  const stage = await openStage(servers);
  try {
    await stage.start();
    await stage.tools();
    return await play(stage);
  } finally {
    await stage.close();
    await stage.remove();
  }
}

/** Claude Code with Patchbay's address in its config; there is nobody to answer a question, so it cancels. */
async function playClaude(stage) {
  const folder = await installed(claude);
  const { url, token } = await stage.endpoint();
  const recorder = new Recorder(url);
  let protocol;
  const before = async () => {
    protocol = await stage.protocol(claude.calls);
  };
  // Different answers, since the model takes equal ones for the same question asked again.
  const [toNew, toOld] = ['grüße 1.0', 'grüße 2.0'];
  const model = new ScriptedModel(claude.dialect, [
    { call: 'new__echo', args: { text: toNew } },
    { call: 'old__echo', args: { text: toOld } },
    { call: 'new__ask' },
    { call: 'old__ask' },
    { call: 'old__slow', before },
  ]);
  try {
    const port = await model.listen();
    await claude.prepare(stage.home, port);
    const headers = { Authorization: `Bearer ${token}` };
    const patchbay = { type: 'http', url: await recorder.listen(), headers };
    const config = { hasCompletedOnboarding: true, mcpServers: { patchbay } };
    await writeFile(join(stage.home, claude.file), JSON.stringify(config));
    const words = await run(claude.run(port), folder, stage);
    const [first, fromNew, fromOld, askedNew, askedOld] = model.turns;
    if (askedOld === undefined) throw new Error(`it did not go through all acts: ${words}`);
    const says = (turn, words) => turn.results.some((result) => result.includes(words));
    return {
      first: recorder.methods[0],
      protocol,
      listed: ['new__ask', 'old__ask'].every((name) => toolNamed(first.tools, name) !== undefined),
      answered: says(fromNew, toNew) && says(fromOld, toOld),
      asked: says(askedNew, 'cancel') && says(askedOld, 'cancel'),
    };
  } finally {
    model.close();
    recorder.close();
  }
}

/** Each call is a run of its own: it connects, asks one thing and exits. */
async function playInspector(stage, era, argumentsFor) {
  const folder = await installed(inspector);
  const { node } = await suiteRunner();
  const program = join(folder, 'node_modules', inspector.package, 'clients/launcher/build/index.js');
  const target = await argumentsFor(stage, stage.home);
  const ask = async (...question) => {
    const flags = ['--cli', '--format', 'json', '--quiet', ...target, '--protocol-era', era];
    const args = [program, ...flags, '--method', ...question];
    const { stdout } = await promisify(execFile)(node, args, { env: stage.env, timeout: 60_000 });
    return JSON.parse(stdout).result;
  };
  const { tools } = await ask('tools/list');
  const named = (key) =>
    tools.map(({ name }) => name).find((name) => /^(new|old)(__|:)echo$/.test(name) && name.startsWith(key));
  const answers = [];
  for (const key of Object.keys(servers)) {
    const { content } = await ask('tools/call', '--tool-name', named(key), '--tool-arg', 'text=grüße');
    answers.push(content[0].text);
  }
  return {
    protocol: await stage.protocol('inspector'),
    listed: Object.keys(servers).every((key) => named(key) !== undefined),
    answered: answers.every((text) => text === 'grüße'),
  };
}
