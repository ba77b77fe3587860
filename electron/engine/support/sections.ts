import type { Problem } from '../../../shared/error/problem.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { LogLine, ServerEra, ServerView } from '../../../shared/model/server/server.ts';

/** Names of the programs around the engine to their versions, for a support bundle: `Electron` to `45.5.0`. */
export type ProgramFacts = Readonly<Record<string, string | undefined>>;

/** Facts that a running hub adds. */
export interface LiveFacts {
  readonly servers: readonly { readonly view: ServerView; readonly log: readonly LogLine[] }[];
  readonly clients: readonly ClientView[];
}

export interface SupportFacts {
  readonly at: number;
  readonly program: ProgramFacts;
  readonly hub: HubView;
  readonly live?: LiveFacts;
  readonly settings: string;
  readonly config: string;
  readonly log: string;
}

export function supportText(facts: SupportFacts): string {
  const { at, hub, live, settings, config, log } = facts;
  return [
    'PATCHBAY SUPPORT BUNDLE',
    `Created ${new Date(at).toISOString()}. Secrets are masked; read it before you share it.`,
    ...section('Program', programLines(facts)),
    ...section('Patchbay problems', hub.problems.flatMap(problemLines)),
    ...(live === undefined ? [] : liveSections(live)),
    ...section('Settings', [settings]),
    ...section('mcp.json', [config]),
    ...section('Program log, last lines', [log]),
    '',
  ].join('\n');
}

function programLines({ program, hub, live }: SupportFacts): readonly string[] {
  const { version, pid, startedAt, dataDir, endpoint, revision, secretsKeptBy } = hub;
  const running = live === undefined ? {} : { pid, since: new Date(startedAt).toISOString(), revision };
  return factLines({
    Patchbay: version,
    ...program,
    'data folder': dataDir,
    hub: live === undefined ? 'not running in this program' : 'running',
    ...running,
    endpoint,
    'secrets stored by': secretsKeptBy,
  });
}

function liveSections({ servers, clients }: LiveFacts): readonly string[] {
  return [
    ...section(
      'Clients',
      clients.map(
        ({ name, version, via, era, nameStyle, listedTools, stale, calls }) =>
          `${name} ${version}, via ${via}${era === 'modern' ? ', stateless' : ''}, ${nameStyle} names, ${listedTools} tools${stale ? ', has an outdated list' : ''}, ${calls} calls`,
      ),
    ),
    ...servers.flatMap(({ view, log }) => [
      ...section(`Server ${view.key}`, serverLines(view)),
      ...log
        .slice(-logLines)
        .map(({ at, stream, text }) => `  ${new Date(at).toISOString()} ${stream} ${text}`),
    ]),
  ];
}

function serverLines(view: ServerView): readonly string[] {
  const { status, enabled, since, transport, target, resolvedCommand, serverInfo, protocolVersion } = view;
  const { counts, restarts, start, isolation, problem, warnings, health, update } = view;
  return [
    ...factLines({
      status: `${status} since ${new Date(since).toISOString()}${enabled ? '' : ', turned off'}`,
      transport,
      target,
      runs: resolvedCommand,
      server: serverInfo === undefined ? undefined : `${serverInfo.name} ${serverInfo.version}`,
      protocol: view.era === undefined ? protocolVersion : eraText(view.era),
      options: `start ${start}, ${isolation}`,
      offers: `${counts.tools} tools (${counts.disabledTools} off), ${counts.resources} resources, ${counts.prompts} prompts`,
      restarts,
      health: health === undefined ? undefined : JSON.stringify(health),
      update: update?.kind,
    }),
    ...[...(problem === undefined ? [] : [problem]), ...warnings].flatMap(problemLines),
  ];
}

function eraText({ era, version, reason }: ServerEra): string {
  return `${version}, ${era === 'modern' ? 'stateless' : 'with sessions'}: ${reason}`;
}

function problemLines({ code, sentence, evidence }: Problem): readonly string[] {
  return [`! ${code}: ${sentence}`, ...evidence.map(({ label, value }) => `    ${label}: ${value}`)];
}

function factLines(facts: Readonly<Record<string, string | number | undefined>>): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(16)} ${value}`],
  );
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', `== ${title}`, ...(lines.length === 0 ? ['none'] : lines)];
}

const logLines = 60;
