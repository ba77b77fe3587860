import { end, start } from '../bench/lib/process.mjs';
import { pause, until, within } from '../bench/lib/wait.mjs';
import { configOf, installed, programOf } from './clients.mjs';
import { ScriptedModel, toolNamed } from './model/scripted-model.mjs';
import { openStage } from './stage.mjs';

const timeoutMs = 150_000;
/** Milliseconds in which a client has asked for its list again, once it was told that it has changed. */
const relisted = 1_500;

/**
 * One client from an empty home to its end: it is connected as a person would, and a scripted model has it call tools while a
 * server is turned off and on and the hub is killed. Resolves to what was seen, rejects where it could not be played.
 */
export async function play(client) {
  const folder = await installed(client);
  const stage = await openStage();
  let protocol;
  const onFirstAnswer = async () => {
    protocol = await stage.protocol(client.calls);
  };
  const model = new ScriptedModel(client.dialect, actsOn(stage, onFirstAnswer));
  try {
    const port = await model.listen();
    await client.prepare(stage.home, port);
    await stage.start();
    const offered = await stage.tools();
    const isUndone = await undone(client, stage);
    await stage.patchbay('connect', 'apply', client.id);
    const words = await run(client.run(port), folder, stage);
    if (model.faults.length > 0) throw new Error(model.faults.join('; '));
    if (model.turns.length === 0) throw new Error(`it asked its model nothing: ${words}`);
    const isOut = await takenOut(client, stage);
    await stage.close();
    return {
      ...seen(model.turns, offered),
      protocol,
      isUndone: isUndone && isOut,
      left: await endedPrograms(stage),
    };
  } finally {
    model.close();
    await stage.close();
    await stage.remove();
  }
}

/** Each act is one turn of the model; what it brought stands in the turn after it. */
function actsOn(stage, onFirstAnswer) {
  const settled = () => pause(relisted);
  return [
    { call: 'everything__get-sum', args: { a: 40, b: 2 } },
    { call: 'everything__get-tiny-image', before: onFirstAnswer },
    { call: 'counter__count' },
    { call: 'counter__count', before: () => stage.switch('everything', false).then(settled) },
    { call: 'counter__count', before: () => stage.switch('everything', true).then(settled) },
    { call: 'counter__count', before: () => stage.killHub().then(settled) },
  ];
}

function seen(turns, offered) {
  const [first, sum, image, counted, off, on, last] = turns;
  const has = (turn, key) => turn?.tools.some((tool) => tool.includes(`${key}__`)) ?? false;
  return {
    offered: offered.length,
    listed: offered.filter((name) => toolNamed(first.tools, name) !== undefined).length,
    answered: says(sum, /\b42\b/),
    image: says(image, /iVBORw0KGgo/),
    once: says(counted, isCall(1)) && says(off, isCall(2)) && says(on, isCall(3)),
    goes: !has(off, 'everything'),
    comes: has(on, 'everything'),
    survives: says(last, isCall(1)),
  };
}

const isCall = (number) => new RegExp(`This is call ${number}\\.`);

const says = (turn, pattern) => turn?.results.some((result) => pattern.test(result)) ?? false;

export async function run({ program, args, env }, folder, { home, project, env: base }) {
  const options = { cwd: project, env: { ...base, ...env } };
  const child = start(programOf(folder, program), args, options);
  child.stdin.end();
  let said = '';
  child.stdout.on('data', (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  await within(timeoutMs, `${program} in ${home}`, gone).finally(() => end(child));
  return `${said}\n${child.lastWords()}`.trim();
}

/** Written and undone at once, every byte is as it was. */
async function undone(client, stage) {
  const before = await configOf(stage.home, client);
  await stage.patchbay('connect', 'apply', client.id);
  await stage.patchbay('connect', 'undo', client.id);
  return (await configOf(stage.home, client)) === before;
}

/** Returns whether undo removes our entry and leaves what the client itself has written since. */
async function takenOut(client, stage) {
  await stage.patchbay('connect', 'undo', client.id);
  return !(await configOf(stage.home, client)).includes('patchbay');
}

async function endedPrograms(stage) {
  await until(
    10_000,
    'the end of all programs',
    async () => ((await stage.left()).length === 0 ? true : undefined),
    200,
  ).catch(() => undefined);
  return stage.left();
}
