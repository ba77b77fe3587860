/** `npm run eval:classify [-- --data DIR] [--misses] [--fit]`: measures how often skills are right and how well their confidence fits. See docs/search.md. */
import { parseArgs } from 'node:util';
import {
  classifyByRules,
  evidenceFor,
  features,
  logistic,
} from '../../electron/engine/search/classify/classify.ts';
import { buildSkillKeywords } from '../../electron/engine/search/classify/skill-keywords.ts';
import { taxonomy } from '../../electron/engine/search/classify/taxonomy.ts';
import { calibrationError, mean } from './lib/measure.ts';
import type { LabelledTool } from './lib/read-data.ts';
import { dataFolder, readSets } from './lib/sets.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string' },
    misses: { type: 'boolean' },
    fit: { type: 'boolean' },
  },
});
const unnamed = 'mcp1';
const all = 'all of them';
const tools = readSets(values.data ?? dataFolder)
  .filter(({ name }) => values.set === undefined || name === values.set)
  .flatMap((set) => set.tools.map((tool) => ({ ...tool, set: set.name })));
const lexicon = buildSkillKeywords(taxonomy);
const servers = [...group(tools, ({ set, document }) => `${set} ${document.serverKey}`).values()];
const answers = [...servers, ...nameless(servers)].flatMap((ofServer) => {
  const documents = ofServer.map(({ document }) => document);
  const found = classifyByRules(documents[0]?.serverKey ?? '', documents, lexicon);
  return ofServer.map((tool, index) => ({ ...tool, skills: tool.skills, found: found[index]?.skills ?? [] }));
});

console.log(
  '| set | half | server | tools | first answer acceptable | first answer the best | with a primary | calibration error |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [set, half, server] of kinds()) {
  const some = answers.filter(
    (one) =>
      (set === all || one.set === set) &&
      one.half === half &&
      one.skills.length > 0 &&
      serverKind(one) === server,
  );
  if (some.length === 0) continue;
  const first = some.map(({ skills, found }) => ({
    confidence: found[0]?.confidence ?? 0,
    isRight: isAcceptable(found[0]?.id, skills),
  }));
  const best = some.map(({ skills, found }) => (found[0]?.id === skills[0] ? 1 : 0));
  const figures = [
    mean(first.map(({ isRight }) => (isRight ? 1 : 0))),
    mean(best),
    mean(first.map(({ confidence }) => (confidence >= 0.5 ? 1 : 0))),
    calibrationError(first),
  ];
  console.log(
    `| ${set} | ${half} | ${server} | ${some.length} | ${figures.map((one) => one.toFixed(3)).join(' | ')} |`,
  );
}

if (values.misses)
  for (const { half, document, skills, found } of answers.filter((one) => one.skills.length > 0))
    if (half === 'dev' && document.serverKey !== unnamed && !isAcceptable(found[0]?.id, skills)) {
      const given = found.map(({ id, confidence }) => `${id} ${confidence.toFixed(2)}`).join(', ');
      console.log(`${document.serverKey}:${document.name}\n  ${skills.join(' ')} | ${given}`);
    }
if (values.fit)
  console.log(
    fitWeights(
      [...servers, ...nameless(servers)].filter(
        ([one]) => one !== undefined && one.skills.length > 0 && one.half === 'dev',
      ),
    ),
  );

function isAcceptable(id: string | undefined, labels: readonly string[]): boolean {
  return id !== undefined && labels.includes(id);
}

function group<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** The same servers under keys that say nothing: what nobody has heard of has to be classified by its tools alone. */
function nameless<T extends LabelledTool>(named: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return named.map((ofServer) =>
    ofServer.map((tool) => ({ ...tool, document: { ...tool.document, serverKey: unnamed } })),
  );
}

function serverKind({ document }: LabelledTool): 'by its name' | 'without a name' {
  return document.serverKey === unnamed ? 'without a name' : 'by its name';
}

function kinds() {
  const sets = [...new Set(tools.map(({ set }) => set)), all];
  const halves = ['dev', 'held'] as const;
  const named = ['by its name', 'without a name'] as const;
  return sets.flatMap((set) => halves.flatMap((half) => named.map((kind) => [set, half, kind] as const)));
}

/** Logistic regression by plain descent, with a little pull towards nothing. */
function fitWeights(ofDev: readonly (readonly LabelledTool[])[]): string {
  const samples = ofDev.flatMap((ofServer) => {
    const evidence = evidenceFor(
      ofServer[0]?.document.serverKey ?? '',
      ofServer.map(({ document }) => document),
      lexicon,
    );
    return ofServer.flatMap(({ skills }, index) =>
      (evidence[index] ?? []).map((one) => ({
        values: Object.values(features(one)),
        target: skills.includes(lexicon.ids[one.skill] ?? '') ? 1 : 0,
      })),
    );
  });
  const names = ['constant', 'first', 'share', 'lead', 'strength', 'context'];
  const weights = names.map(() => 0);
  for (let round = 0; round < 20_000; round += 1) {
    const slope = names.map(() => 0);
    for (const sample of samples) {
      const error =
        logistic(sample.values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)) -
        sample.target;
      sample.values.forEach((value, at) => {
        slope[at] = (slope[at] ?? 0) + error * value;
      });
    }
    for (const at of weights.keys())
      weights[at] =
        (weights[at] ?? 0) - 0.5 * ((slope[at] ?? 0) / samples.length + 0.0005 * (weights[at] ?? 0));
  }
  return names.map((name, at) => `${name}: ${weights[at]?.toFixed(3)}`).join(', ');
}
