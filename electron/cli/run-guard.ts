import { ProblemError, problem } from '../../shared/error/problem.ts';
import { formatCount } from '../../shared/model/amount.ts';
import type { QuarantinedTool, ToolReview } from '../../shared/model/guard.ts';
import { printableWord } from '../engine/base/printable.ts';
import { chooseQuarantined, toolReference } from './choose-held.ts';
import type { GuardArgs } from './guard-args.ts';
import { quarantinedLine, quarantinedText } from './guard-text.ts';
import type { HubChannel } from './hub-channel.ts';
import { print } from './print.ts';
import { unknownServer } from './unknown-server.ts';
import { withHub } from './with-hub.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type ListArgs = Extract<GuardArgs, { verb: 'list' }>;
type Decision = Extract<GuardArgs, { verb: 'approve' | 'deny' }>;

/** Runs `patchbay guard`; resolves to the exit code: 1 if it failed. */
export function runGuard(args: GuardArgs, env: Environment): Promise<number> {
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
  const commands = servers.map((key) => `  patchbay guard approve ${key}, or: patchbay guard deny ${key}`);
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
  const done = verb === 'approve' ? 'Approved' : 'Denied';
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
      : `To review: ${names.join(', ')}. See the changes: patchbay guard list ${server}`;
  return problem('guard.changed_meanwhile', sentence, fix, { server });
}
