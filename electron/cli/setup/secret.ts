import type { Command } from 'commander';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { SecretKeeper } from '../../../shared/model/hub/hub.ts';
import type { SecretsView, SecretUse } from '../../../shared/model/hub/secret.ts';
import type { MissingValue } from '../../../shared/model/server/missing-value.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { printableWord } from '../../../shared/printable.ts';
import {
  defaultDataDir,
  existingDataDir,
  type OfflineSecrets,
  openOfflineSecrets,
} from '../../engine/engine.ts';
import { unknownServer } from '../hub/unknown-server.ts';
import { withHub } from '../hub/with-hub.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { readSecret } from '../terminal/read-secret.ts';

/** A command on the secret vault. */
type SecretVerb =
  | { readonly verb: 'list' }
  | { readonly verb: 'set'; readonly name: string }
  | {
      readonly verb: 'enter';
      readonly server: string;
      /** Label of the value, if the server needs several. */
      readonly value?: string;
      readonly header?: string;
      readonly scheme?: string;
    }
  | { readonly verb: 'delete'; readonly name: string; readonly force: boolean };

export type SecretArgs = SecretVerb & { readonly kind: 'secret'; readonly dataDir?: string };

interface SecretOptions {
  readonly dataDir?: string;
  readonly force?: boolean;
}

interface EnterOptions extends SecretOptions {
  readonly header?: string;
  readonly scheme?: string;
}

export const secretCommand: CliCommand<SecretArgs> = { describe: describeSecret, run: runSecret };

/** A value is never an argument: other users of the machine can read those. */
function describeSecret(command: Command, onSecret: (args: SecretArgs) => void): void {
  const want = ({ dataDir }: SecretOptions, args: SecretVerb) =>
    onSecret({ kind: 'secret', ...args, ...(dataDir === undefined ? {} : { dataDir }) });
  const group = command
    .command('secret')
    .description('store secrets that servers refer to by name; values are never shown');
  group
    .command('list')
    .description('list stored secrets and the servers that use them')
    .option(...dataDirOption)
    .action((options: SecretOptions) => want(options, { verb: 'list' }));
  group
    .command('set <name>')
    .description('store a value, read from standard input or typed at a prompt')
    .option(...dataDirOption)
    .action((name: string, options: SecretOptions) => want(options, { verb: 'set', name }));
  group
    .command('enter <server> [value]')
    .description('enter a value that a server is missing (see patchbay status), and start the server')
    .option(...dataDirOption)
    .option('--header <name>', 'header that carries the API key of a remote server')
    .option('--scheme <word>', 'word before the key in that header, such as Bearer')
    .action((server: string, value: string | undefined, options: EnterOptions) => {
      const { header, scheme } = options;
      want(options, {
        verb: 'enter',
        server,
        ...(value === undefined ? {} : { value }),
        ...(header === undefined ? {} : { header }),
        ...(scheme === undefined ? {} : { scheme }),
      });
    });
  group
    .command('delete <name>')
    .description('delete a secret; refused while servers refer to it')
    .option(...dataDirOption)
    .option('--force', 'delete it anyway; servers that use it will not start')
    .action((name: string, options: SecretOptions) =>
      want(options, { verb: 'delete', name, force: options.force === true }),
    );
}

/** Runs `patchbay secret`; resolves to the exit code. Never prints a secret value. */
async function runSecret(args: SecretArgs, env: Environment): Promise<number> {
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
      : `Choose one of these: ${labels}.`;
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
