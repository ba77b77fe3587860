import { parseArgs } from 'node:util';
import type { NameStyle } from '../../shared/model/client/client.ts';
import type { EraSetting } from '../engine/transport/modern/era.ts';

/** Parsed command line. */
export type BridgeArgs =
  | ({ readonly kind: 'run' | 'doctor' } & BridgeSettings)
  /** Print to standard output, exit 0. */
  | { readonly kind: 'print'; readonly text: string }
  /** Print to standard error, exit 2. */
  | { readonly kind: 'usage'; readonly text: string };

export interface BridgeSettings {
  /** Data folder of the hub, if it is not the default one. */
  readonly dataDir?: string | undefined;
  /** Name style in the client's config. */
  readonly names?: NameStyle | undefined;
  /** Profile that limits its client. */
  readonly profile?: string | undefined;
  /** True if its client gets a short list of tools. */
  readonly compact?: boolean | undefined;
  /** Id of the client, if its config sets one. */
  readonly client?: string | undefined;
  /** How its client speaks; found out by default. */
  readonly protocol?: EraSetting | undefined;
}

/** Parses the arguments after the program name; pure, never exits. */
export function parseBridgeArgs(argv: readonly string[], version: string): BridgeArgs {
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true });
    if (values.help) return { kind: 'print', text: helpText };
    if (values.version) return { kind: 'print', text: `${version}\n` };
    const empty = (['data-dir', 'client', 'profile'] as const).find((name) => values[name]?.trim() === '');
    if (empty !== undefined) return usage(`--${empty} has no value; is a variable in it unset?`);
    const names = values.names === undefined ? undefined : styles.find((style) => style === values.names);
    if (values.names !== undefined && names === undefined) {
      return usage(`--names must be one of ${styles.join(', ')}, not "${values.names}".`);
    }
    const protocol = protocols.find((setting) => setting === values.protocol);
    if (values.protocol !== undefined && protocol === undefined)
      return usage(`--protocol must be one of ${protocols.join(', ')}, not "${values.protocol}".`);
    const { doctor, profile, compact, client, 'data-dir': dataDir } = values;
    return { kind: doctor ? 'doctor' : 'run', dataDir, names, profile, compact, client, protocol };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

const styles: readonly NameStyle[] = ['colon', 'dot', 'safe'];
const protocols: readonly EraSetting[] = ['auto', 'legacy', 'modern'];

const options = {
  'data-dir': { type: 'string' },
  names: { type: 'string' },
  client: { type: 'string' },
  profile: { type: 'string' },
  compact: { type: 'boolean' },
  protocol: { type: 'string' },
  doctor: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const helpText = `patchbay-bridge: connects an MCP client on standard input and output to Patchbay.

MCP clients start it for you. Run by hand, it reports its state.

  --doctor          report what works and what to fix, then exit (0 all fine, 1 not)
  --data-dir DIR    folder of the Patchbay to connect to (default: PATCHBAY_DATA_DIR, else ~/.patchbay)
  --names STYLE     how tools are named: ${styles.join(', ')} (default: what suits the client)
  --profile NAME    limit the client to this profile of Patchbay
  --compact         give the client a short list of tools that find and call the others
  --protocol ERA    legacy (with sessions) or modern (stateless, MCP 2026-07-28) (default: auto)
  --client ID       name this entry in Patchbay's list of clients
  --version, --help
`;

function usage(message: string): BridgeArgs {
  return { kind: 'usage', text: `${message}\nSee patchbay-bridge --help.\n` };
}
