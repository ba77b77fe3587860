import type { Command } from 'commander';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { formatCount } from '../../../shared/model/amount.ts';
import type {
  DefinitionPart,
  DifferenceLine,
  QuarantinedTool,
  ToolReview,
} from '../../../shared/model/tool/guard.ts';
import { printableWord } from '../../../shared/printable.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import type { HubChannel } from '../hub/hub-channel.ts';
import { unknownServer } from '../hub/unknown-server.ts';
import { withHub } from '../hub/with-hub.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print } from '../terminal/print.ts';

/** A review command for tools whose definitions are new or have changed. */
type GuardVerb =
  | { readonly verb: 'list'; readonly server?: string; readonly json: boolean; readonly short: boolean }
  /** Without tools, all that need review. A tool may be `NAME@DIGEST`, as printed by the list. */
  | { readonly verb: 'approve' | 'deny'; readonly server: string; readonly tools: readonly string[] }
  | { readonly verb: 'undo'; readonly id: string };

export type GuardArgs = GuardVerb & { readonly kind: 'guard'; readonly dataDir?: string };

interface Options {
  readonly dataDir?: string;
  readonly json?: boolean;
  readonly short?: boolean;
}

export const guardCommand: CliCommand<GuardArgs> = { describe: describeGuard, run: runGuard };

function describeGuard(command: Command, onGuard: (args: GuardArgs) => void): void {
  const want = ({ dataDir }: Options, verb: GuardVerb) =>
    onGuard({ kind: 'guard', ...verb, ...(dataDir === undefined ? {} : { dataDir }) });
  const group = command
    .command('guard')
    .description('review tools that are blocked because they are new or have changed');
  group
    .command('list [server]', { isDefault: true })
    .description('list blocked tools and their changes since you approved them')
    .option(...dataDirOption)
    .option('--short', 'one line per tool, without definitions')
    .option('--json', 'print all details as JSON, for programs')
    .action((server: string | undefined, options: Options) =>
      want(options, {
        verb: 'list',
        ...(server === undefined ? {} : { server }),
        json: options.json === true,
        short: options.short === true,
      }),
    );
  for (const [verb, does] of [
    ['approve', 'let clients use tools as they are now'],
    ['deny', 'block tools as they are now; you are asked again if they change'],
  ] as const) {
    group
      .command(verb)
      .argument('<server>', 'name of the server')
      .argument('[tool...]', 'tools to decide on (default: all that need review)')
      .description(does)
      .option(...dataDirOption)
      .action((server: string, tools: readonly string[], options: Options) =>
        want(options, { verb, server, tools }),
      );
  }
  group
    .command('undo <id>')
    .description('undo a decision; its ID was printed with it')
    .option(...dataDirOption)
    .action((id: string, options: Options) => want(options, { verb: 'undo', id }));
}

type ListArgs = Extract<GuardArgs, { verb: 'list' }>;
type Decision = Extract<GuardArgs, { verb: 'approve' | 'deny' }>;

/** Runs `patchbay guard`; resolves to the exit code: 1 if it failed. */
function runGuard(args: GuardArgs, env: Environment): Promise<number> {
  return withHub(args.dataDir, env, async (hub) => {
    print(`${await runVerb(hub, args)}\n`);
    return 0;
  });
}

async function runVerb(hub: HubChannel, args: GuardArgs): Promise<string> {
  switch (args.verb) {
    case 'list':
      return list(hub, args);
    case 'undo':
      await hub.ask('guard.undo', { undoId: args.id });
      return 'Decision undone.';
    default:
      return decide(hub, args);
  }
}

async function list(hub: HubChannel, { server, json, short }: ListArgs): Promise<string> {
  const quarantined = await quarantinedTools(hub, server);
  if (quarantined.length === 0 && server !== undefined) await refuseUnknown(hub, server);
  if (short && !json)
    return quarantined.length === 0 ? nothingToReview : quarantined.map(quarantinedLine).join('\n');
  const reviews: { readonly tool: QuarantinedTool; readonly review: ToolReview }[] = [];
  for (const tool of quarantined) reviews.push({ tool, review: await hub.ask('guard.review', tool) });
  if (json)
    return JSON.stringify({ held: quarantined, reviews: reviews.map(({ review }) => review) }, undefined, 2);
  if (quarantined.length === 0) return nothingToReview;
  const texts = reviews.map(({ tool, review }) => quarantinedText(tool, review));
  const servers = [
    ...new Set(quarantined.filter(({ blocked }) => !blocked).map(({ serverKey }) => serverKey)),
  ];
  const commands = servers.map(
    (key) => `  patchbay guard approve ${shellWord(key)}, or: patchbay guard deny ${shellWord(key)}`,
  );
  const all = commands.length === 0 ? [] : ['All tools:', ...commands];
  return [...texts, '', 'One tool: patchbay guard approve SERVER TOOL@DIGEST', ...all].join('\n');
}

const nothingToReview = 'No tools to review.';

/** Names each definition by its digest, so that a definition that has just changed is not approved. */
async function decide(hub: HubChannel, { verb, server, tools }: Decision): Promise<string> {
  const quarantined = await quarantinedTools(hub, server);
  if (quarantined.length === 0) await refuseUnknown(hub, server);
  const choice = chooseQuarantined(quarantined, tools);
  if (!choice.ok) throw new ProblemError(notQuarantined(quarantined, server, choice.unknown));
  if (choice.tools.length === 0) return `No tool of ${server} needs a decision.`;
  const { undoId } = await hub.ask('guard.decide', {
    serverKey: server,
    tools: choice.tools.map(({ name, digest }) => ({ name, digest })),
    decision: verb === 'approve' ? 'approve' : 'block',
  });
  const done = verb === 'approve' ? 'Approved' : 'Blocked';
  return [
    `${done} ${formatCount(choice.tools.length, 'tool')} of ${server}: ${choice.tools.map(toolReference).map(printableWord).join(', ')}`,
    `Undo: patchbay guard undo ${undoId}`,
  ].join('\n');
}

async function quarantinedTools(
  hub: HubChannel,
  server: string | undefined,
): Promise<readonly QuarantinedTool[]> {
  const { held } = await hub.ask('guard.list', undefined);
  return server === undefined ? held : held.filter(({ serverKey }) => serverKey === server);
}

async function refuseUnknown(hub: HubChannel, server: string): Promise<void> {
  const known = (await hub.ask('hub.status', undefined)).servers.map(({ key }) => key);
  if (!known.includes(server)) throw new ProblemError(unknownServer(server, known));
}

function notQuarantined(quarantined: readonly QuarantinedTool[], server: string, words: readonly string[]) {
  const sentence = `No tool of ${server} with this name and definition needs review: ${words.join(', ')}.`;
  const names = [...new Set(quarantined.map(({ name }) => name))];
  const fix =
    names.length === 0
      ? `No tool of ${server} needs review.`
      : `To review: ${names.join(', ')}. See the changes: patchbay guard list ${shellWord(server)}`;
  return problem('guard.changed_meanwhile', sentence, fix, { server });
}

/** Formats a quarantined tool for a terminal: the changes since the approved version, and the findings. */
function quarantinedText({ blocked }: QuarantinedTool, review: ToolReview): string {
  const { serverKey, flags, parts, isBeforeLost } = review;
  const state = blocked ? 'blocked' : review.state;
  const changed = parts.filter(({ isChanged }) => isChanged);
  return [
    `${printableWord(serverKey)}  ${printableWord(toolReference(review))}  (${state})`,
    ...flags.map(
      ({ sentence, place, excerpt }) =>
        `  ! ${printableWord(sentence)} (${printableWord(place)}: ${printableWord(excerpt)})`,
    ),
    ...(isBeforeLost ? ['  The approved version is no longer known; this is the full definition.'] : []),
    ...changed.flatMap(partLines),
  ].join('\n');
}

/** Describes a quarantined tool on one line, without its definition. */
function quarantinedLine({ serverKey, blocked, ...tool }: QuarantinedTool): string {
  return `${printableWord(serverKey)}  ${printableWord(toolReference(tool))}  (${blocked ? 'blocked' : tool.kind})`;
}

function partLines({ part, lines }: DefinitionPart): readonly string[] {
  return [`  ${printableWord(part)}:`, ...lines.map((line) => `    ${lineText(line)}`)];
}

function lineText(line: DifferenceLine): string {
  if (line.kind === 'gap') return `… ${line.lines} unchanged lines`;
  const sign = { same: ' ', added: '+', removed: '-' }[line.kind];
  return `${sign} ${printableWord(line.pieces.map(({ text }) => text).join(''))}`;
}

/** The chosen quarantined definitions, or the words that match none. */
type QuarantineChoice =
  | { readonly ok: true; readonly tools: readonly QuarantinedTool[] }
  | { readonly ok: false; readonly unknown: readonly string[] };

/**
 * Selects quarantined tools of a server: without words all that need review, otherwise by name, or by
 * `NAME@DIGEST` for one exact definition. Tools with a decision are only included when named.
 */
function chooseQuarantined(
  quarantined: readonly QuarantinedTool[],
  words: readonly string[],
): QuarantineChoice {
  if (words.length === 0) return { ok: true, tools: quarantined.filter(({ blocked }) => !blocked) };
  const found = words.map((word) => ({ word, tools: quarantined.filter((tool) => matchesWord(tool, word)) }));
  const unknown = found.filter(({ tools }) => tools.length === 0).map(({ word }) => word);
  if (unknown.length > 0) return { ok: false, unknown };
  return { ok: true, tools: [...new Set(found.flatMap(({ tools }) => tools))] };
}

/** Formats a tool as the list prints it. */
function toolReference({ name, digest }: Pick<QuarantinedTool, 'name' | 'digest'>): string {
  return `${name}@${digest.slice(0, digestLength)}`;
}

function matchesWord(tool: QuarantinedTool, word: string): boolean {
  if (tool.name === word) return true;
  const at = word.lastIndexOf('@');
  const digest = word.slice(at + 1);
  return (
    at > 0 &&
    digest.length >= digestLength &&
    tool.name === word.slice(0, at) &&
    tool.digest.startsWith(digest)
  );
}

/** Tells a few definitions of one name apart. Authors of a definition cannot choose its digest. */
const digestLength = 16;
