import type { Command } from 'commander';
import { dataDirOption, resolvePath } from './option-values.ts';

/** Imports servers from elsewhere. */
export interface ImportArgs {
  readonly kind: 'import';
  readonly dataDir?: string;
  readonly source: ImportSource;
  /** Adds the servers that are found; without it nothing is written. */
  readonly yes: boolean;
  readonly json: boolean;
}

export type ImportSource =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'input' }
  | { readonly kind: 'link'; readonly link: string }
  /** All apps of this computer, or one. */
  | { readonly kind: 'apps'; readonly client?: string }
  | { readonly kind: 'undo'; readonly undoId: string };

interface Options {
  readonly dataDir?: string;
  readonly from?: string;
  readonly undo?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function describeImport(command: Command, onImport: (args: ImportArgs) => void): void {
  command
    .command('import')
    .argument('[file]', 'a config, README, bundle or link; - for standard input; all apps if left out')
    .description('show the servers found in a file, a text or your apps; add them with --yes')
    .option(...dataDirOption)
    .option('--from <app>', 'only the servers of this app, by its id in "patchbay connect list"')
    .option('--yes', 'add the servers; secrets are stored encrypted')
    .option('--undo <id>', 'undo an import while Patchbay is running')
    .option('--json', 'print all details as JSON, for programs')
    .action((file: string | undefined, { dataDir, from, undo, yes, json }: Options) => {
      if ([file, from, undo].filter((one) => one !== undefined).length > 1)
        command.error('error: choose only one source: a file, --from or --undo');
      onImport({
        kind: 'import',
        source: sourceOf(file, from, undo),
        yes: yes === true,
        json: json === true,
        ...(dataDir === undefined ? {} : { dataDir }),
      });
    });
}

function sourceOf(
  file: string | undefined,
  client: string | undefined,
  undoId: string | undefined,
): ImportSource {
  if (undoId !== undefined) return { kind: 'undo', undoId };
  if (file === '-') return { kind: 'input' };
  if (file !== undefined && isLink(file)) return { kind: 'link', link: file };
  if (file !== undefined) return { kind: 'file', file: resolvePath(file) };
  return client === undefined ? { kind: 'apps' } : { kind: 'apps', client };
}

/** A single letter before the colon is a Windows drive, not a scheme. */
function isLink(word: string): boolean {
  return /^[a-z][a-z0-9+.-]+:[^\\]/i.test(word);
}
