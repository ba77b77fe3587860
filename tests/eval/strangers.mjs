/**
 * Makes the sets of strangers' tools and queries in tests/eval/data from copies of the repositories that they are from:
 * `node tests/eval/strangers.mjs FOLDER`, where FOLDER/<owner>+<name>/repo is the git folder of each. What is drawn, and
 * which half it is in, goes by digests of the texts, so that it is the same each time. A query is in the half of the tool
 * that is wanted: what is learnt from the dev half cannot be the answer in the other one.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.'] = process.argv.slice(2);
const most = { metatool: 500, single: 150, multi: 150, tools: 1_200 };

metaTool();
sealTools();
toolAlpaca();
liveMcp();

function metaTool() {
  const repository = 'HowieHwong+MetaTool';
  const described = JSON.parse(show(repository, 'dataset/plugin_des.json'));
  const tools = Object.entries(described).map(([name, text]) => toolLine(name, [], text));
  const queries = rows(show(repository, 'dataset/data/all_clean_data.csv'))
    .slice(1)
    .map(([query, tool]) => ({ half: halfOf(tool), type: 'metatool', query, wanted: [`plugins:${tool}`] }));
  write('metatool', 'MetaTool (github.com/HowieHwong/MetaTool), MIT, see LICENSE beside this file.', {
    tools: ['[plugins] dev', ...tools],
    queries: drawn(queries, most.metatool),
  });
}

function sealTools() {
  const repository = 'fairyshine+Seal-Tools';
  const all = linesOf(show(repository, 'Seal-Tools_Dataset/tool.jsonl'))
    .map((line) => JSON.parse(line))
    .filter((tool) => /^\w+$/.test(tool.api_name));
  const known = new Set(all.map((tool) => tool.api_name));
  const asked = ['dev', 'test_in_domain', 'test_out_domain'].flatMap((part) =>
    linesOf(show(repository, `Seal-Tools_Dataset/${part}.jsonl`)).map((line) => JSON.parse(line)),
  );
  const queries = asked.flatMap(({ query, calling }) => {
    const names = [...new Set(calling.map(({ api }) => api))];
    if (!names.every((name) => known.has(name))) return [];
    const type = names.length > 1 ? 'multi' : 'single';
    return [{ half: halfOf(names[0]), type, query, wanted: names.map((name) => `apis:${name}`) }];
  });
  const some = ['single', 'multi'].flatMap((type) =>
    drawn(
      queries.filter((one) => one.type === type),
      most[type],
    ),
  );
  const wanted = new Set(some.flatMap((one) => one.wanted));
  const rest = byDigest(
    all.filter((tool) => !wanted.has(`apis:${tool.api_name}`)),
    (tool) => tool.api_name,
  );
  const kept = new Set(rest.slice(0, most.tools - wanted.size));
  const tools = all
    .filter((tool) => wanted.has(`apis:${tool.api_name}`) || kept.has(tool))
    .map((tool) => toolLine(tool.api_name, Object.keys(tool.parameters), tool.api_description));
  write('sealtools', 'Seal-Tools (github.com/fairyshine/Seal-Tools), Apache License 2.0; a part of it.', {
    tools: ['[apis] dev', ...tools],
    queries: some.map((one) => ({ ...one, type: `api-${one.type}` })),
  });
}

function toolAlpaca() {
  const apis = ['eval_simulated', 'eval_real'].flatMap((file) =>
    JSON.parse(show('tangqiaoyu+ToolAlpaca', `data/${file}.json`)),
  );
  const tools = [];
  const queries = [];
  for (const { Name, Function_Description, Instructions, Golden_Answers } of apis) {
    const server = keyOf(Name);
    const names = Object.keys(Function_Description).filter((name) => name !== 'components');
    tools.push('', `[${server}] ${halfOf(server)}`);
    for (const name of names) {
      const [text] = Function_Description[name].split('\n');
      const given = /Parameters: (\{.*\})/.exec(Function_Description[name])?.[1] ?? '';
      const parameters = [...given.matchAll(/"(\w+)":/g)].map((match) => match[1]);
      tools.push(toolLine(name, [...new Set(parameters)], text));
    }
    Instructions.forEach((query, index) => {
      const called = [...new Set((Golden_Answers[index] ?? []).map(({ Action }) => Action))];
      if (called.length === 0 || !called.every((name) => names.includes(name))) return;
      queries.push({
        half: halfOf(server),
        type: 'toolalpaca',
        query,
        wanted: called.map((name) => `${server}:${name}`),
      });
    });
  }
  const from = 'ToolAlpaca (github.com/tangqiaoyu/ToolAlpaca), Apache License 2.0: its two evaluation sets.';
  write('toolalpaca', from, { tools, queries });
}

function liveMcp() {
  const repository = 'icip-cas+LiveMCPBench';
  const tools = [];
  const ids = new Map();
  for (const entry of JSON.parse(show(repository, 'tools/LiveMCPTool/tools.json')))
    for (const [name, offer] of Object.entries(entry.tools)) {
      const server = keyOf(name);
      tools.push('', `[${server}] ${halfOf(server)}`);
      for (const tool of offer.tools) {
        const parameters = Object.keys(tool.inputSchema.properties ?? {});
        tools.push(toolLine(tool.name, parameters, (tool.description ?? '').slice(0, 600)));
        ids.set(tool.name, [...(ids.get(tool.name) ?? []), `${server}:${tool.name}`]);
      }
    }
  const tasks = JSON.parse(show(repository, 'annotated_data/all_annotations.json'));
  const queries = tasks.flatMap((task) => {
    const told = task['Annotator Metadata'].Tools;
    const names = [...told.matchAll(/^\s*\d+\.\s*([^\s(]+)/gm)].map((match) => match[1]);
    if (names.length === 0 || !names.every((name) => ids.has(name))) return [];
    const wanted = [...new Set(names)].flatMap((name) => ids.get(name));
    return [{ half: halfOf(task.task_id), type: 'livemcp task', query: task.Question, wanted }];
  });
  const from =
    'LiveMCPBench (github.com/icip-cas/LiveMCPBench), Apache License 2.0: real servers, and tasks of many steps.';
  write('livemcp', from, { tools, queries });
}

function show(repository, path) {
  const git = ['-C', join(folder, repository, 'repo'), 'show', `HEAD:${path}`];
  return execFileSync('git', git, { encoding: 'utf8', maxBuffer: 64e6 });
}

function write(name, from, { tools, queries }) {
  const target = join(import.meta.dirname, 'data', name);
  mkdirSync(target, { recursive: true });
  const head = `# From ${from}\n# Brought into this form by tests/eval/strangers.mjs.\n`;
  writeFileSync(join(target, 'tools.txt'), `${head}${tools.join('\n')}\n`);
  const asked = queries.map(
    ({ half, type, query, wanted }) =>
      `${half} | ${type} | ${plain(query)} | ${wanted.map((id) => `${id}=3`).join(' ')}\n`,
  );
  writeFileSync(join(target, 'queries.txt'), head + asked.join(''));
  console.log(`${name}: ${tools.length} lines, ${queries.length} queries`);
}

/** So many of each half. */
function drawn(queries, count) {
  const sorted = byDigest(queries, ({ query, wanted }) => `${wanted[0]} ${query}`);
  return ['dev', 'held'].flatMap((half) => sorted.filter((one) => one.half === half).slice(0, count));
}

function byDigest(items, textOf) {
  return items
    .map((item) => [digest(textOf(item)), item])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);
}

function halfOf(text) {
  return Number.parseInt(digest(text).slice(0, 8), 16) % 2 === 0 ? 'dev' : 'held';
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex');
}

function toolLine(name, parameters, text) {
  const words = parameters.map((one) => one.replace(/\W/g, '_')).join(' ');
  return `${name} | ${words} | ${plain(text)} |`;
}

function plain(text) {
  return text.replace(/[\s|]+/g, ' ').trim();
}

function keyOf(name) {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}

/** The rows of a file of comma-separated values. */
function rows(text) {
  const found = [];
  let row = [];
  for (const [, quoted, plainCell, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plainCell ?? '');
    if (end === ',') continue;
    if (row.length > 1) found.push(row);
    row = [];
  }
  return found;
}
