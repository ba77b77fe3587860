import type { NameStyle } from '../../../shared/model/client/client.ts';
import type { ClientProfile } from './contract.ts';
import { defaultBudget, safePattern } from './wire-name.ts';

export interface ProfileRequest {
  /** Requested by the user: `--names`, `?names=`, a client's setting. */
  readonly asked?: NameStyle;
  /** `clientInfo.name` of the handshake. */
  readonly clientName?: string;
  /**
   * Default style of this program for clients that accept any name: `colon` for the command, `safe` for the
   * hub.
   */
  readonly programDefault: NameStyle;
}

/**
 * Chooses how to name things for a client: the requested style or else the program's default, unless the
 * client is known to refuse that style. Then it gets safe names, because unexpected names are better than no
 * tools.
 */
export function chooseProfile(request: ProfileRequest): ClientProfile {
  const known = request.clientName === undefined ? undefined : byName.get(nameKey(request.clientName));
  if (known === undefined) return unknownClient(request.asked ?? request.programDefault);
  const { asked, programDefault } = request;
  const style = [asked, programDefault].find((it) => it !== undefined && known.pattern.test(sampleNames[it]));
  return { ...known, style: style ?? known.style };
}

/** Returns the maximum message size in bytes that this client accepts over stdio; undefined if unlimited. */
export function maxMessageBytesOf(clientName: string): number | undefined {
  return maxMessageSizes.get(nameKey(clientName));
}

/** The simplest possible name of each style: a client that refuses it refuses the style. */
const sampleNames: Readonly<Record<NameStyle, string>> = { colon: 'a:b', dot: 'a.b', safe: 'a__b', raw: 'a' };

function unknownClient(style: NameStyle): ClientProfile {
  const pattern = style === 'safe' ? safePattern : anyName;
  const budget = defaultBudget;
  const listTimeout = defaultListTimeoutMs;
  return { style, budget, pattern, listTimeoutMs: listTimeout, honoursListChanged: true, isStrict: false };
}

const anyName = /^[\s\S]+$/;

/**
 * Milliseconds that an unknown client waits for its first list. Nearly all use an SDK that waits 60 s for a
 * response, but known limits for a whole start range from 10 to 60 s, mostly 30.
 */
export const defaultListTimeoutMs = 20_000;

/** Known facts about one client. */
interface ClientFacts {
  /** The values of `clientInfo.name` that it sends. */
  readonly names: readonly string[];
  /**
   * Maximum length of our names: the client's limit minus the prefix that it adds for a server `patchbay`.
   */
  readonly budget: number;
  /**
   * `refuses`: refuses names outside `a-zA-Z0-9_-`, passes them to a model API that does, or is not known to
   * map them back. `rewrites`: replaces other characters and still calls the original name.
   */
  readonly oddNames: 'refuses' | 'rewrites';
  /** The pattern of all properties of an inputSchema, if its model API refuses other names. */
  readonly propertyNames?: RegExp;
  /** Number of tools beyond which the client cuts, warns or refuses. */
  readonly toolCap?: number;
  /** Seconds until the client gives up starting the server, if known; see {@link defaultListTimeoutMs}. */
  readonly startLimit?: number;
  /** False if the client keeps its first list whatever is announced. */
  readonly honoursListChanged?: boolean;
  /** Maximum message size in bytes over stdio; absent if unlimited or unknown. */
  readonly maxMessageBytes?: number;
}

/**
 * Clients built on the official TypeScript SDK: since version 1.30 it closes the connection when its buffer
 * exceeds this size.
 */
const typescriptSdk = { maxMessageBytes: 10 * 1024 * 1024 };

/** Clients whose model API refuses all tools for one property with another name. */
const claude = { ...typescriptSdk, propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/ };

const table: readonly ClientFacts[] = [
  // One bad name disables all tools and blocks every chat. Adds no prefix.
  {
    ...claude,
    names: ['claude-ai'],
    budget: 64,
    oddNames: 'refuses',
    startLimit: 60,
    honoursListChanged: false,
  },
  // mcp__patchbay__ within 64.
  { ...claude, names: ['claude-code'], budget: 49, oddNames: 'rewrites', startLimit: 30 },
  // Server and tool together below 60.
  { ...typescriptSdk, names: ['cursor-vscode'], budget: 51, oddNames: 'refuses', toolCap: 40 },
  // A prefix of up to 18 characters, cut at 64.
  {
    names: ['Visual Studio Code', 'Visual Studio Code - Insiders'],
    budget: 46,
    oddNames: 'rewrites',
    toolCap: 128,
  },
  // The length of its prefix is not known.
  {
    names: ['github-copilot-developer', 'JetBrains-IU-copilot-intellij'],
    budget: defaultBudget,
    oddNames: 'refuses',
  },
  { names: ['Windsurf', 'windsurf-client'], budget: defaultBudget, oddNames: 'refuses', toolCap: 100 },
  // patchbay_ within 64, only where two servers clash.
  { names: ['Zed'], budget: 55, oddNames: 'refuses' },
  // patchbay__ within 64.
  { ...typescriptSdk, names: ['Cline'], budget: 54, oddNames: 'rewrites' },
  // mcp--patchbay-- within 64; strips other characters.
  { ...typescriptSdk, names: ['Roo Code'], budget: 49, oddNames: 'refuses', toolCap: 60 },
  // mcp__patchbay__ within 64.
  { names: ['codex-mcp-client'], budget: 49, oddNames: 'rewrites', startLimit: 10 },
  // mcp_patchbay_ within 63, longer ones are cut in the middle.
  { ...typescriptSdk, names: ['gemini-cli-mcp-client'], budget: 50, oddNames: 'rewrites' },
  // patchbay__ within the 64 of its model provider, which also restricts the characters.
  { names: ['goose'], budget: 54, oddNames: 'refuses', toolCap: 25 },
  // patchbay_ within the 64 of its model provider; the tool's part passes through.
  {
    ...typescriptSdk,
    names: ['continue-client', 'continue-cli-client'],
    budget: 55,
    oddNames: 'refuses',
    startLimit: 20,
    honoursListChanged: false,
  },
  // patchbay_ within the 64 of its model provider.
  { ...typescriptSdk, names: ['opencode'], budget: 55, oddNames: 'rewrites' },
  // mcp__patchbay__ within 63, as in the program it is derived from.
  {
    ...typescriptSdk,
    names: ['qwen-cli-mcp-client-patchbay', 'qwen-cli-mcp-client', 'qwen-code'],
    budget: 48,
    oddNames: 'rewrites',
  },
  // patchbay___ within 64; accepts letters, digits and underscores.
  { names: ['Q-DEV-CLI', 'q-cli'], budget: defaultBudget, oddNames: 'refuses' },
  // The length of their prefixes is not known.
  { names: ['Kiro CLI', 'amp-mcp-client', 'warp'], budget: defaultBudget, oddNames: 'refuses' },
  // mcp__patchbay__ within 63.
  { ...typescriptSdk, names: ['Cherry Studio'], budget: 48, oddNames: 'rewrites' },
  { names: ['ChatGPT'], budget: 64, oddNames: 'refuses', honoursListChanged: false },
];

const byName: ReadonlyMap<string, ClientProfile> = new Map(
  table.flatMap((facts) => facts.names.map((name) => [nameKey(name), toProfile(facts)] as const)),
);

const maxMessageSizes: ReadonlyMap<string, number | undefined> = new Map(
  table.flatMap(({ names, maxMessageBytes }) => names.map((name) => [nameKey(name), maxMessageBytes])),
);

/** Normalizes a client name. The `mcp-remote` program appends itself to the name of its client. */
function nameKey(clientName: string): string {
  const relayed = clientName.endsWith(')') ? clientName.indexOf(' (via mcp-remote ') : -1;
  return (relayed === -1 ? clientName : clientName.slice(0, relayed)).toLowerCase();
}

/** Share of the list timeout left for the hub behind a bridge, which may have had to start it. */
export const hubTimeShare = 0.6;

/**
 * Returns the milliseconds that lists may take: most of the client's start limit, leaving some for the rest.
 */
function listTimeoutOf(startLimit: number | undefined): number {
  return startLimit === undefined ? defaultListTimeoutMs : startLimit * 750;
}

function toProfile(facts: ClientFacts): ClientProfile {
  const { budget, oddNames, propertyNames, toolCap, startLimit, honoursListChanged = true } = facts;
  return {
    style: 'safe',
    budget,
    pattern: oddNames === 'refuses' ? new RegExp(`^[a-zA-Z0-9_-]{1,${budget}}$`) : anyName,
    ...(toolCap === undefined ? {} : { toolCap }),
    ...(propertyNames === undefined ? {} : { propertyNames }),
    listTimeoutMs: listTimeoutOf(startLimit),
    honoursListChanged,
    // All of them use an SDK or a parser that accepts a list only as a whole.
    isStrict: true,
  };
}
