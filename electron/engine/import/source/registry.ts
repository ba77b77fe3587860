import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { secretNameOf } from '../../config/entry/plain-secrets.ts';
import type { Entry, FoundServer } from '../found.ts';
import type { InputCollector } from '../reference/input-collector.ts';
import { literal } from '../reference/map-texts.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the `server.json` entries of the MCP registry in a value: a single one, bare or wrapped by the API,
 * or a list.
 */
export function registryEntries(value: unknown): readonly unknown[] {
  if (isRegistryEntry(value)) return [value];
  const list = isRecord(value) ? value.servers : value;
  return Array.isArray(list) && list.length > 0 && list.every(isRegistryEntry) ? list : [];
}

function isRegistryEntry(value: unknown): boolean {
  const server = unwrapped(value);
  return (
    server !== undefined &&
    typeof server.name === 'string' &&
    (listOf(server.packages).length > 0 || listOf(server.remotes).length > 0)
  );
}

/** Returns one server for each way to run or reach it: its packages, then its addresses. */
export function readRegistry(value: unknown, inputs: InputCollector): readonly FoundServer[] {
  const server = unwrapped(value) ?? {};
  const key = scalarText(server.name);
  const asked = new InputNumbering(inputs);
  const names = { key, ...(typeof server.title === 'string' ? { title: server.title } : {}) };
  return [
    ...listOf(server.packages).map((one) => ({ ...names, ...packageEntry(one, asked) })),
    ...listOf(server.remotes).map((one) => ({ ...names, ...remoteEntry(one, asked) })),
  ];
}

function unwrapped(value: unknown): Values | undefined {
  if (!isRecord(value)) return undefined;
  return isRecord(value.server) ? value.server : value;
}

type ReadServer = Pick<FoundServer, 'entry' | 'issues'>;

function packageEntry(written: Values, asked: InputNumbering): ReadServer {
  // The first version of the registry used other names.
  const type = scalarText(written.registryType ?? written.registry_type ?? written.registry_name);
  const one: Values = { identifier: written.name, ...written };
  const transport = isRecord(one.transport) ? scalarText(one.transport.type ?? 'stdio') : 'stdio';
  if (transport !== 'stdio') {
    return unusableServer('type', 'this package runs its own HTTP server; start it, then add its address');
  }
  const launch = launchers[type];
  if (launch === undefined) {
    return unusableServer(
      'command',
      `a package of type "${type}" cannot be started here; import its bundle instead`,
    );
  }
  const env = namedValues(one.environmentVariables ?? one.environment_variables, asked);
  const runtime = argumentsOf(one.runtimeArguments ?? one.runtime_arguments, asked);
  const own = argumentsOf(one.packageArguments ?? one.package_arguments, asked);
  const { command, before = [], args } = launch(one, Object.keys(env));
  const hint = one.runtimeHint ?? one.runtime_hint;
  return {
    entry: {
      command: typeof hint === 'string' && hint !== '' ? hint : command,
      args: [...(runtime[0] === before[0] ? [] : before), ...runtime, ...args, ...own],
      ...(Object.keys(env).length === 0 ? {} : { env }),
    },
    issues: [],
  };
}

type Launch = (
  one: Values,
  variables: readonly string[],
) => {
  readonly command: string;
  /** Arguments before those of the runtime. */
  readonly before?: readonly string[];
  readonly args: readonly string[];
};

const withVersion = (one: Values, between: string) => {
  const { identifier, version } = one;
  return typeof version === 'string' && version !== ''
    ? `${scalarText(identifier)}${between}${version}`
    : scalarText(identifier);
};

const launchers: Readonly<Record<string, Launch>> = {
  npm: (one) => ({ command: 'npx', args: ['-y', withVersion(one, '@')] }),
  pypi: (one) => ({ command: 'uvx', args: [withVersion(one, '==')] }),
  nuget: (one) => ({ command: 'dnx', args: [withVersion(one, '@'), '--yes'] }),
  oci: (one, variables) => ({
    command: 'docker',
    before: ['run', '-i', '--rm'],
    args: [
      ...variables.flatMap((name) => ['-e', name]),
      /:[^/:]*$/.test(scalarText(one.identifier)) ? scalarText(one.identifier) : withVersion(one, ':'),
    ],
  }),
};

function remoteEntry(one: Values, asked: InputNumbering): ReadServer {
  const type = scalarText(one.type ?? one.transport_type ?? 'streamable-http');
  const headers = namedValues(one.headers, asked);
  return {
    entry: {
      type: type === 'sse' ? 'sse' : 'http',
      url: asked.filled(scalarText(one.url), one.variables, 'url'),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    },
    issues: [],
  };
}

/** Reads variables or headers: fixed values, and those to ask for. */
function namedValues(value: unknown, asked: InputNumbering): Entry {
  return Object.fromEntries(
    listOf(value).flatMap((one) =>
      typeof one.name === 'string' ? [[one.name, asked.value(one, one.name)]] : [],
    ),
  );
}

/** A flag and its value stay together: neither makes sense alone. */
function argumentsOf(value: unknown, asked: InputNumbering): readonly (string | readonly string[])[] {
  return listOf(value).map((one) => {
    if (one.type !== 'named')
      return asked.value(one, scalarText(one.valueHint ?? one.value_hint ?? 'argument'));
    const name = scalarText(one.name);
    const isFlag =
      one.value === undefined && one.default === undefined && one.isRequired !== true && !hasHint(one);
    return isFlag ? name : [name, asked.value(one, name.replace(/^-+/, ''))];
  });
}

function hasHint(one: Values): boolean {
  return ['valueHint', 'value_hint', 'format', 'choices', 'isSecret', 'description'].some(
    (field) => one[field] !== undefined,
  );
}

/** Numbers the inputs: equal names in two packages are two inputs. */
class InputNumbering {
  readonly #inputs: InputCollector;
  #count = 0;

  constructor(inputs: InputCollector) {
    this.#inputs = inputs;
  }

  /** Returns a fixed value with its `{variables}` filled in, or a token for the value to type. */
  value(one: Values, name: string): string {
    if (typeof one.value === 'string') return this.filled(one.value, one.variables, name);
    return this.#token(inputOf(one, name));
  }

  filled(text: string, variables: unknown, name: string): string {
    const known = isRecord(variables) ? variables : {};
    return text
      .split(/(\{[A-Za-z0-9_.-]+\})/)
      .map((part) => {
        const inner = /^\{(.+)\}$/.exec(part)?.[1];
        const variable = inner === undefined ? undefined : known[inner];
        if (inner === undefined || !isRecord(variable)) return literal(part);
        return this.#token(inputOf(variable, inner === name ? name : inner));
      })
      .join('');
  }

  #token(input: Omit<ImportInput, 'id'>): string {
    this.#count += 1;
    const token = `\${input:registry.${this.#count}}`;
    this.#inputs.add({ id: `registry:${this.#count}`, ...input }, { text: token });
    return token;
  }
}

function inputOf(one: Values, title: string): Omit<ImportInput, 'id'> {
  const isSecret = one.isSecret === true || one.is_secret === true;
  const first = one.default;
  const preset = typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
  const options = Array.isArray(one.choices) ? one.choices.map(scalarText) : [];
  const format = isSecret
    ? 'password'
    : options.length > 0
      ? 'choice'
      : (kinds[scalarText(one.format)] ?? 'text');
  return {
    title,
    kind: format,
    required: (one.isRequired === true || one.is_required === true) && preset === undefined,
    description: typeof one.description === 'string' ? one.description : undefined,
    default: isSecret ? undefined : preset,
    options: options.length === 0 ? undefined : options,
    secretName: isSecret ? secretNameOf(title) : undefined,
  };
}

const kinds: Readonly<Record<string, ImportInput['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  filepath: 'file',
  file_path: 'file',
};

function unusableServer(path: string, message: string): ReadServer {
  const issue: EntryIssue = { severity: 'error', path, message };
  return { entry: {}, issues: [issue] };
}

function listOf(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
