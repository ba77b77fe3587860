import { toProblem } from '../../shared/error/problem.ts';
import type { SecretKeeper } from '../../shared/model/hub.ts';
import type { SecretsView, SecretUse } from '../../shared/model/secret.ts';
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

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay secret`; resolves to the exit code. What it prints holds no value. */
export async function runSecret(args: SecretArgs, env: Environment): Promise<number> {
  try {
    const dir = args.dataDir ?? defaultDataDir(env);
    const toStore = args.verb === 'set';
    const secrets = await openOfflineSecrets(toStore ? dir : await existingDataDir(dir), env, toStore);
    print(await outcome(args, secrets));
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

async function outcome(args: SecretArgs, secrets: OfflineSecrets): Promise<string> {
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
  keychain: 'encrypted by the system’s keychain',
  'key-file': 'encrypted by a key file in the data folder, since there is no keychain without the app',
  'key-env': 'encrypted by the key in PATCHBAY_KEY',
};

function listText({ secrets, missing }: SecretsView): string {
  const lines = [
    ...secrets.map(
      ({ name, readable, usedBy }) =>
        `${printableWord(name)}  ${usesText(usedBy)}${readable ? '' : '  (closed with another key)'}`,
    ),
    ...missing.map(({ name, usedBy }) => `${printableWord(name)}  ${usesText(usedBy)}  (missing)`),
  ];
  return lines.length === 0 ? 'No secrets are stored.\n' : `${lines.join('\n')}\n`;
}

function usesText(usedBy: readonly SecretUse[]): string {
  if (usedBy.length === 0) return 'not used';
  return usedBy.map(({ key, fields }) => printableWord(`${key} (${fields.join(', ')})`)).join(', ');
}
