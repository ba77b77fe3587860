import { ProblemError, problem, toProblem } from '../../shared/error/problem.ts';
import type { SecretKeeper } from '../../shared/model/hub.ts';
import type { MissingValue } from '../../shared/model/missing-value.ts';
import type { SecretsView, SecretUse } from '../../shared/model/secret.ts';
import type { ServerView } from '../../shared/model/server.ts';
import { printableWord } from '../engine/base/printable.ts';
import {
  defaultDataDir,
  existingDataDir,
  type OfflineSecrets,
  openOfflineSecrets,
} from '../engine/engine.ts';
import type { SecretArgs } from './patchbay-args.ts';
import { print, printError } from './print.ts';
import { readSecret } from './read-secret.ts';
import { problemText } from './report.ts';
import { unknownServer } from './unknown-server.ts';
import { withHub } from './with-hub.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay secret`; resolves to the exit code. Never prints a secret value. */
export async function runSecret(args: SecretArgs, env: Environment): Promise<number> {
  if (args.verb === 'enter') return enterValue(args, env);
  try {
    const dir = args.dataDir ?? defaultDataDir(env);
    const toStore = args.verb === 'set';
    const secrets = await openOfflineSecrets(toStore ? dir : await existingDataDir(dir), env, toStore);
    print(await runVerb(args, secrets));
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

type EnterArgs = Extract<SecretArgs, { verb: 'enter' }>;

/** Stores a value that a server of the running hub is missing. */
function enterValue(args: EnterArgs, env: Environment): Promise<number> {
  const { server: key } = args;
  return withHub(args.dataDir, env, async (hub) => {
    const { servers } = await hub.ask('hub.status', undefined);
    const server = servers.find((one) => one.key === key);
    if (server === undefined)
      throw new ProblemError(
        unknownServer(
          key,
          servers.map((one) => one.key),
        ),
      );
    const { place, label } = chosenValue(server, args);
    const value = await readSecret(label);
    const { secret } = await hub.ask('server.enterValue', { key, place, value });
    print(`${secret} is stored. ${printableWord(key)} starts with it.\n`);
    return 0;
  });
}

function chosenValue({ key, missing = [] }: ServerView, { value, header, scheme }: EnterArgs): MissingValue {
  if (header !== undefined || scheme !== undefined) {
    const place = { kind: 'header', header: header ?? 'Authorization', scheme: scheme ?? '' } as const;
    return { place, label: 'API key' };
  }
  const [first] = missing;
  const found = value === undefined ? first : missing.find(({ label }) => label === value);
  if (found !== undefined) return found;
  const labels = missing.map(({ label }) => label).join(', ');
  const fix =
    first === undefined
      ? 'To give a remote server another API key, name its header: --header Authorization --scheme Bearer.'
      : `Name one of these: ${labels}.`;
  throw new ProblemError(
    problem('secret.unknown', `${key} is not missing ${value === undefined ? 'any value' : value}.`, fix),
  );
}

async function runVerb(args: Exclude<SecretArgs, EnterArgs>, secrets: OfflineSecrets): Promise<string> {
  switch (args.verb) {
    case 'list':
      return listText(await secrets.list());
    case 'set':
      await secrets.set(args.name, await readSecret(args.name));
      return `${args.name} is stored, ${keepers[secrets.keeper]}.\nServers refer to it as \${secret:${args.name}}.\n`;
    case 'delete':
      await secrets.delete(args.name, args.force);
      return `${args.name} is deleted.\n`;
  }
}

const keepers: Readonly<Record<SecretKeeper, string>> = {
  keychain: 'encrypted with the system keychain',
  'key-file': 'encrypted with a key file in the data folder, because the keychain needs the app',
  'key-env': 'encrypted with the key in PATCHBAY_KEY',
};

function listText({ secrets, missing }: SecretsView): string {
  const lines = [
    ...secrets.map(
      ({ name, readable, usedBy }) =>
        `${printableWord(name)}  ${usesText(usedBy)}${readable ? '' : '  (encrypted with another key)'}`,
    ),
    ...missing.map(({ name, usedBy }) => `${printableWord(name)}  ${usesText(usedBy)}  (missing)`),
  ];
  return lines.length === 0 ? 'No secrets stored.\n' : `${lines.join('\n')}\n`;
}

function usesText(usedBy: readonly SecretUse[]): string {
  if (usedBy.length === 0) return 'not used';
  return usedBy.map(({ key, fields }) => printableWord(`${key} (${fields.join(', ')})`)).join(', ');
}
