import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { isRecord } from '../../../../shared/json.ts';
import { type GuardMode, guardModes } from '../../../../shared/model/tool/guard.ts';
import { printableWord } from '../../../../shared/printable.ts';
import type { ServerEntry } from '../../../../shared/schema/server-entry.ts';
import { digestOf } from '../../base/digest.ts';
import type { ConfiguredServer, MissingReference, ServerTarget } from '../contract.ts';
import type { JsonNode, ParsedText } from '../jsonc/parse.ts';
import { memberOf, nearestNode, type Path, plainValue } from '../jsonc/tree.ts';
import { type Issue, isError, isNonEmpty, issuesProblem } from '../validate/issue.ts';
import { isDisabled, type ValidatedServer } from '../validate/validate.ts';
import { entryMember } from './aliases.ts';
import { displayOf } from './display.ts';
import { type ExpandContext, type ExpandedEntry, expandEntry, withEnvFile } from './expand-entry.ts';
import { placeholdersIn } from './placeholders.ts';
import { secretReferencesIn } from './secret-references.ts';
import { ownToolLists } from './tool-lists.ts';

/**
 * Turns a validated entry into what the hub runs: its expanded target, or the problem that keeps it from
 * running.
 */
export async function configureServer(
  parsed: ParsedText,
  server: ValidatedServer,
  context: ExpandContext,
): Promise<ConfiguredServer> {
  const { key, member, entry } = server;
  const { target, issues, secrets, written } = await resolveTarget(server, context);
  const warnings = warningsOf(issues);
  const secretReferences = secretReferencesIn(member.value);
  const missing = missingIn(issues);
  const value = plainValue(member.value);
  const placeholders = isRecord(value) ? placeholdersIn(value, key) : [];
  const options = processOptionsOf(entry?.patchbay);
  // Read from the text, so that the tools stay turned off in an entry with an error elsewhere.
  const { enabledTools, disabledTools } = ownToolLists(isRecord(value) ? value : {});
  const title = titleIn(value, key);
  return {
    key,
    enabled: !isDisabled(member.value),
    display: displayOf(member.value),
    ...options,
    options: digestOf({ ...options, fallback: [...options.fallback], callTimeout: entry?.timeout }),
    ...(entry?.timeout === undefined ? {} : { callTimeout: entry.timeout }),
    disabledTools: new Set(disabledTools),
    ...(enabledTools === undefined ? {} : { enabledTools: new Set(enabledTools) }),
    ...(title === undefined ? {} : { title }),
    ...sortOptionsOf(entry?.patchbay),
    guard: guardOf(member.value),
    transport: transportOf(member.value),
    ...(secrets === undefined ? {} : { secrets }),
    ...(written === undefined ? {} : { written }),
    ...(missing.length === 0 ? {} : { missing }),
    ...(placeholders.length === 0 ? {} : { placeholders }),
    ...(secretReferences.length === 0 ? {} : { secretReferences }),
    ...targetResult(parsed, target, issues.filter(isError)),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Options that only sort servers; a change restarts nothing. */
function sortOptionsOf(options: ServerEntry['patchbay'] = {}): Pick<ConfiguredServer, 'tags' | 'favorite'> {
  const { tags = [], favorite } = options;
  return { ...(tags.length === 0 ? {} : { tags }), ...(favorite === true ? { favorite } : {}) };
}

/** Returns a server's display name: ours, or one from another program. Undefined if it equals the key. */
export function titleIn(entry: unknown, key: string): string | undefined {
  if (!isRecord(entry)) return undefined;
  const own = isRecord(entry.patchbay) ? entry.patchbay.title : undefined;
  const title = [own, entry.title, entry.name].find((one) => typeof one === 'string' && one.trim() !== '');
  if (typeof title !== 'string') return undefined;
  const line = printableWord(title.replace(/\s+/g, ' ').trim()).slice(0, maxTitleLength);
  return line === key ? undefined : line;
}

const maxTitleLength = 80;

type RunOptions = Pick<
  ConfiguredServer,
  'restart' | 'start' | 'idleStop' | 'isolation' | 'maxInstances' | 'health' | 'concurrency' | 'fallback'
>;

function processOptionsOf(options: ServerEntry['patchbay'] = {}): RunOptions {
  const { restart = 'always', start = 'auto', isolation = 'shared', concurrency, fallback = {} } = options;
  const { maxInstances } = options;
  const idleStop = options.idleStop ?? (start === 'on-demand' ? defaultIdleStop : false);
  const { healthCheckUrl: url, healthInterval: interval, healthTimeout: timeout } = options;
  return {
    restart,
    start,
    ...(idleStop === false ? {} : { idleStop }),
    isolation,
    ...(maxInstances === undefined ? {} : { maxInstances }),
    health: {
      ...(url === undefined ? {} : { url }),
      ...(interval === undefined ? {} : { interval }),
      ...(timeout === undefined ? {} : { timeout }),
    },
    ...(concurrency === undefined ? {} : { concurrency }),
    fallback: new Map(Object.entries(fallback)),
  };
}

const defaultIdleStop = 10 * 60_000;

/** Expands a validated entry, and returns the issues of both steps. */
export async function resolveTarget(server: ValidatedServer, context: ExpandContext): Promise<ExpandedEntry> {
  const { entry, member, issues } = server;
  if (entry === undefined) return { issues };
  const place = offsetOf(member.value, member.keyNode.offset);
  const expanded = await withEnvFile(expandEntry(entry, place, context), place, context);
  return { ...expanded, issues: [...issues, ...expanded.issues] };
}

/** Returns the offset of a path of an entry; missing members point to the entry's key. */
export function offsetOf(entry: JsonNode, fallback: number): (path: Path) => number {
  return (path) => {
    const found = nearestNode(entry, path);
    return found === entry ? fallback : found.offset;
  };
}

function targetResult(
  parsed: ParsedText,
  target: ServerTarget | undefined,
  errors: readonly Issue[],
): Pick<ConfiguredServer, 'target' | 'fingerprint'> {
  if (target !== undefined)
    return { target: { ok: true, value: target }, fingerprint: fingerprintOf(target) };
  const found = isNonEmpty(errors) ? issuesProblem(parsed, errors) : unknownProblem();
  const { code, sentence } = found;
  return { target: { ok: false, problem: found }, fingerprint: digestOf({ code, sentence }) };
}

function unknownProblem(): Problem {
  return problem('config.invalid_schema', 'This entry cannot be used.', 'Fix it in the config.');
}

/** The order of variables and headers does not matter, so it must not restart a server. */
function fingerprintOf(target: ServerTarget): string {
  if (target.kind !== 'stdio') return digestOf({ ...target, headers: sorted(target.headers) });
  const { kind, command, args, env, cwd, protocol } = target;
  return digestOf({ kind, command, args, env: sorted(env), cwd, protocol });
}

function sorted(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Skips references of other programs that no user can give a value for. */
function missingIn(issues: readonly Issue[]): readonly MissingReference[] {
  const found = issues.flatMap(({ severity, code, variable }): readonly MissingReference[] => {
    if (severity !== 'error' || variable === undefined) return [];
    if (code === 'missing_secret') return [{ kind: 'secret', name: variable }];
    return /^(?:input:)?[A-Za-z_][\w.-]*$/.test(variable) ? [{ kind: 'variable', name: variable }] : [];
  });
  return found.filter((one, index) => found.findIndex(({ name }) => name === one.name) === index);
}

/** Returns one warning per location, so that each can be shown and fixed separately. */
function warningsOf(issues: readonly Issue[]): readonly Problem[] {
  return issues
    .filter((issue) => !isError(issue))
    .map(({ path, message }) =>
      problem('config.invalid_schema', `${path.join('.')}: ${message}.`, 'Fix this field in the config.'),
    );
}

/** Read from the text: neither an error elsewhere nor an invalid mode may make its tools trusted. */
function guardOf(entry: JsonNode): GuardMode {
  const written = memberOf(memberOf(entry, 'patchbay')?.value, 'guard');
  if (written === undefined) return 'changes';
  return guardModes.find((mode) => mode === written.value.value) ?? 'each';
}

/** Also works for an entry too broken to have a target. */
function transportOf(entry: JsonNode): ConfiguredServer['transport'] {
  const text = (name: string) => entryMember(entry, name)?.value.value ?? '';
  if (text('url') === '' || text('command') !== '') return 'stdio';
  return text('type') === 'sse' ? 'sse' : 'http';
}
