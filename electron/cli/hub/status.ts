import type { Command } from 'commander';
import { formatCount } from '../../../shared/model/amount.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import {
  clientProtocolText,
  hasConnection,
  serverProtocolText,
} from '../../../shared/model/server/protocol-text.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { startingText } from '../../../shared/model/server/starting.ts';
import type { OperationOutput } from '../../../shared/operations/table.ts';
import { printableWord } from '../../../shared/printable.ts';
import { shellWord } from '../../../shared/shell-word.ts';
import { approvalsText } from '../access/approvals-text.ts';
import type { CliCommand, Environment } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';
import { withHub } from './with-hub.ts';

export interface StatusArgs {
  readonly kind: 'status';
  readonly dataDir?: string;
  readonly json: boolean;
}

export const statusCommand: CliCommand<StatusArgs> = { describe: describeStatus, run: runStatus };

function describeStatus(command: Command, onStatus: (args: StatusArgs) => void): void {
  command
    .command('status')
    .description('show the state of Patchbay and its servers')
    .option(...dataDirOption)
    .option('--json', 'print all details as JSON, for programs')
    .action(({ json = false, ...folder }: { readonly dataDir?: string; readonly json?: boolean }) =>
      onStatus({ kind: 'status', json, ...folder }),
    );
}

/** Runs `patchbay status`; resolves to the exit code: 0 if a hub runs, whatever the state of its servers. */
function runStatus(args: StatusArgs, env: Environment): Promise<number> {
  return withHub(args.dataDir, env, async (hub) => {
    const status = await hub.ask('hub.status', undefined);
    print(args.json ? `${JSON.stringify(status, undefined, 2)}\n` : statusText(status));
    return 0;
  });
}

function statusText({ hub, servers, clients, waiting }: OperationOutput<'hub.status'>): string {
  const keys = servers.map(({ key }) => printableWord(key));
  const keyWidth = Math.max(0, ...keys.map((key) => key.length));
  const statusWidth = Math.max(0, ...servers.map((server) => statusOf(server).length));
  const lines = servers.map((server, at) => {
    const columns = [
      (keys[at] ?? '').padEnd(keyWidth),
      statusOf(server).padEnd(statusWidth),
      toolsText(server),
      ...(server.title === undefined ? [] : [printableWord(`“${server.title}”`)]),
    ];
    return [columns.join('  '), ...notesOf(server)].join('\n');
  });
  return [
    `Patchbay ${hub.version} is running (process ${hub.pid}).`,
    `  data folder  ${hub.dataDir}`,
    `  servers      ${hub.configFile}`,
    `  endpoint     ${hub.endpoint ?? 'off'}`,
    ...hub.problems.map(problemText),
    ...(waiting.length === 0 ? [] : ['', approvalsText(waiting).trimEnd()]),
    '',
    ...(lines.length === 0 ? ['No servers yet. To add some: patchbay import'] : lines),
    '',
    ...(clients.length === 0 ? [] : ['Clients that are connected:', ...clients.map(clientText), '']),
  ].join('\n');
}

function statusOf({ status, asleep }: ServerView): string {
  return asleep === undefined ? status : 'asleep';
}

function clientText(client: ClientView): string {
  const { name, title, version, via, era, protocolVersion } = client;
  const shown = [title ?? name, version].map(printableWord).join(' ').trim();
  const lastRequest = hasConnection(client) ? '' : `, last request ${agoText(client.lastActiveAt)}`;
  return [
    `  ${shown === '' ? 'A client without a name' : shown}, by ${transports[via]}${lastRequest}`,
    ...(era === undefined || protocolVersion === undefined
      ? []
      : [protocolLine(clientProtocolText(era, protocolVersion))]),
  ].join('\n');
}

function agoText(at: number): string {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

const transports = { bridge: 'bridge', http: 'HTTP', stdio: 'stdio' } as const;

function protocolLine(text: string): string {
  return `    MCP ${printableWord(text)}`;
}

function toolsText({ counts, heldTools }: ServerView): string {
  const quarantinedCount = heldTools === undefined ? 0 : heldTools.waiting + heldTools.blocked;
  return `${formatCount(counts.tools, 'tool')}${quarantinedCount === 0 ? '' : `, ${quarantinedCount} to review or blocked`}`;
}

function notesOf(server: ServerView): readonly string[] {
  const { problem, warnings, starting, since } = server;
  const all = problem === undefined ? warnings : [problem, ...warnings];
  const seconds = Math.max(0, Math.round((Date.now() - since) / 1000));
  const start = starting && `    Starting, ${seconds} s: ${printableWord(startingText(server))}`;
  return [
    ...(start === undefined ? [] : [start]),
    ...(server.era === undefined ? [] : [protocolLine(serverProtocolText(server.era))]),
    ...all.map((found) => problemText(found).replace(/^/gm, '    ')),
    ...commandsFor(server).map((command) => `      run: ${command}`),
  ];
}

/** Lists the commands that fix the problems of a server. */
function commandsFor({ key, status, auth, problem, missing = [] }: ServerView): readonly string[] {
  const enter = `patchbay secret enter ${shellWord(key)}`;
  const entered = missing.map(({ label }) => (missing.length === 1 ? enter : `${enter} ${shellWord(label)}`));
  const isSignIn = status === 'needs-auth' && auth !== undefined && problem?.code === 'server.unauthorized';
  return isSignIn ? [`patchbay sign-in ${shellWord(key)}`, ...entered] : entered;
}
