import type { NameStyle } from '../../../shared/model/client.ts';
import type { ClientProfile } from './contract.ts';
import { cautiousBudget, safePattern } from './wire-name.ts';

export interface ProfileWish {
  /** Asked for by the user: `--names`, `?names=`, a client's setting. */
  readonly asked?: NameStyle;
  /** `clientInfo.name` of the handshake. */
  readonly clientName?: string;
  /** What this program uses for clients that take anything: `colon` for the command, `safe` for the hub. */
  readonly programDefault: NameStyle;
}

/**
 * How to tell names to a client: the style asked for, else the program's default, unless the client is known to
 * refuse that style as such; then safe names, because a client with unexpected names beats one with no tools at all.
 */
export function chooseProfile(wish: ProfileWish): ClientProfile {
  const known = wish.clientName === undefined ? undefined : byName.get(nameKey(wish.clientName));
  if (known === undefined) return unknownClient(wish.asked ?? wish.programDefault);
  const { asked, programDefault } = wish;
  const style = [asked, programDefault].find((it) => it !== undefined && known.pattern.test(probes[it]));
  return { ...known, style: style ?? known.style };
}

/** The longest message in bytes that a client of this name takes over stdio; undefined for any length. */
export function longestMessage(clientName: string): number | undefined {
  return longest.get(nameKey(clientName));
}

/** A name of each style as ordinary as can be: a client that refuses it refuses the style. */
const probes: Readonly<Record<NameStyle, string>> = { colon: 'a:b', dot: 'a.b', safe: 'a__b', raw: 'a' };

function unknownClient(style: NameStyle): ClientProfile {
  const pattern = style === 'safe' ? safePattern : anyName;
  const budget = cautiousBudget;
  const listPatience = defaultListPatience;
  return { style, budget, pattern, listPatience, honoursListChanged: true, refusesUnfit: false };
}

const anyName = /^[\s\S]+$/;

/**
 * Milliseconds that a client waits for its first list where nothing is known of it. Nearly all are on an SDK that waits 60 s
 * for an answer, but those whose limit for a whole start is known give up after 10 to 60 s, most after 30.
 */
export const defaultListPatience = 20_000;

/** What is known of one client. */
interface ClientFacts {
  /** The values of `clientInfo.name` it introduces itself by. */
  readonly names: readonly string[];
  /** Longest name of ours in characters: the client's limit without the prefix it adds for a server `patchbay`. */
  readonly budget: number;
  /**
   * `refuses`: names outside `a-zA-Z0-9_-`, or hands them to a model API that does, or is not known to map them back.
   * `rewrites`: replaces what it dislikes and still calls the original.
   */
  readonly oddNames: 'refuses' | 'rewrites';
  /** Tools beyond this number are cut, warned about or refused. */
  readonly toolCap?: number;
  /** Seconds that its start may take before it gives the server up, where that is known; see {@link defaultListPatience}. */
  readonly startLimit?: number;
  /** False where the first list is kept whatever is announced. */
  readonly honoursListChanged?: boolean;
  /** Longest message in bytes over stdio; left out where any length is taken, or nothing is known. */
  readonly maxMessageBytes?: number;
}

/** Clients built on the official TypeScript SDK: since 1.30 its buffer of this size closes the connection. */
const typescriptSdk = { maxMessageBytes: 10 * 1024 * 1024 };

const table: readonly ClientFacts[] = [
  // One bad name costs all tools and blocks every chat. Adds no prefix.
  {
    ...typescriptSdk,
    names: ['claude-ai'],
    budget: 64,
    oddNames: 'refuses',
    startLimit: 60,
    honoursListChanged: false,
  },
  // mcp__patchbay__ within 64.
  { ...typescriptSdk, names: ['claude-code'], budget: 49, oddNames: 'rewrites', startLimit: 30 },
  // Server and tool together below 60.
  { ...typescriptSdk, names: ['cursor-vscode'], budget: 51, oddNames: 'refuses', toolCap: 40 },
  // A prefix of up to 18, cut at 64.
  {
    names: ['Visual Studio Code', 'Visual Studio Code - Insiders'],
    budget: 46,
    oddNames: 'rewrites',
    toolCap: 128,
  },
  // The length of its prefix is not known.
  {
    names: ['github-copilot-developer', 'JetBrains-IU-copilot-intellij'],
    budget: cautiousBudget,
    oddNames: 'refuses',
  },
  { names: ['Windsurf', 'windsurf-client'], budget: cautiousBudget, oddNames: 'refuses', toolCap: 100 },
  // patchbay_ within 64, only where two servers clash.
  { names: ['Zed'], budget: 55, oddNames: 'refuses' },
  // patchbay__ within 64.
  { ...typescriptSdk, names: ['Cline'], budget: 54, oddNames: 'rewrites' },
  // mcp--patchbay-- within 64; strips what it dislikes.
  { ...typescriptSdk, names: ['Roo Code'], budget: 49, oddNames: 'refuses', toolCap: 60 },
  // mcp__patchbay__ within 64.
  { names: ['codex-mcp-client'], budget: 49, oddNames: 'rewrites', startLimit: 10 },
  // mcp_patchbay_ within 63, longer ones are cut in the middle.
  { ...typescriptSdk, names: ['gemini-cli-mcp-client'], budget: 50, oddNames: 'rewrites' },
  // patchbay__ within the 64 of its model provider, which also judges the characters.
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
  // mcp__patchbay__ within 63, as in the program that it comes from.
  {
    ...typescriptSdk,
    names: ['qwen-cli-mcp-client-patchbay', 'qwen-cli-mcp-client', 'qwen-code'],
    budget: 48,
    oddNames: 'rewrites',
  },
  // patchbay___ within 64; takes letters, digits and underscores.
  { names: ['Q-DEV-CLI', 'q-cli'], budget: cautiousBudget, oddNames: 'refuses' },
  // The length of their prefixes is not known.
  { names: ['Kiro CLI', 'amp-mcp-client', 'warp'], budget: cautiousBudget, oddNames: 'refuses' },
  // mcp__patchbay__ within 63.
  { ...typescriptSdk, names: ['Cherry Studio'], budget: 48, oddNames: 'rewrites' },
  { names: ['ChatGPT'], budget: 64, oddNames: 'refuses', honoursListChanged: false },
];

const byName: ReadonlyMap<string, ClientProfile> = new Map(
  table.flatMap((facts) => facts.names.map((name) => [nameKey(name), toProfile(facts)] as const)),
);

const longest: ReadonlyMap<string, number | undefined> = new Map(
  table.flatMap(({ names, maxMessageBytes }) => names.map((name) => [nameKey(name), maxMessageBytes])),
);

/** The `mcp-remote` program adds itself to the name of the client that it relays for. */
function nameKey(clientName: string): string {
  const relayed = clientName.endsWith(')') ? clientName.indexOf(' (via mcp-remote ') : -1;
  return (relayed === -1 ? clientName : clientName.slice(0, relayed)).toLowerCase();
}

/** Share of the list patience left for the hub behind a bridge, which may have had to start it. */
export const hubShare = 0.6;

/** Milliseconds that lists may take: most of what a client allows for its start, so that some is left for the rest. */
function patienceOf(startLimit: number | undefined): number {
  return startLimit === undefined ? defaultListPatience : startLimit * 750;
}

function toProfile(facts: ClientFacts): ClientProfile {
  const { budget, oddNames, toolCap, startLimit, honoursListChanged = true } = facts;
  return {
    style: 'safe',
    budget,
    pattern: oddNames === 'refuses' ? new RegExp(`^[a-zA-Z0-9_-]{1,${budget}}$`) : anyName,
    ...(toolCap === undefined ? {} : { toolCap }),
    listPatience: patienceOf(startLimit),
    honoursListChanged,
    // All of them are built on an SDK, or on a parser, that takes a list whole or not at all.
    refusesUnfit: true,
  };
}
