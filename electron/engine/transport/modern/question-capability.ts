import { isRecord } from '../../../../shared/json.ts';

/** A capabilities object that names what is missing. */
export type MissingCapabilities = Readonly<Record<string, unknown>>;

type Members = Readonly<Record<string, unknown>>;

/** Requests of servers that a client answers only if it has declared that it can. */
export const questionMethods: ReadonlySet<string> = new Set([
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
]);

/**
 * Returns the capabilities that a client lacks to be asked this; undefined if it has them, or if no capability is
 * about this method. Clients that declare no
 * mode of elicitation support only forms, which was the only mode when they were written.
 */
export function missingForQuestion(
  capabilities: Members,
  method: string,
  params: Members,
): MissingCapabilities | undefined {
  switch (method) {
    case 'sampling/createMessage': {
      const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
      const { sampling } = capabilities;
      const has = isDeclared(sampling) && (!needsTools || hasMember(sampling, 'tools'));
      return has ? undefined : { sampling: needsTools ? { tools: {} } : {} };
    }
    case 'elicitation/create': {
      const mode = params.mode === 'url' ? 'url' : 'form';
      const { elicitation } = capabilities;
      const isPlain = mode === 'form' && !hasMember(elicitation, 'url');
      const has = isDeclared(elicitation) && (isPlain || hasMember(elicitation, mode));
      return has ? undefined : { elicitation: { [mode]: {} } };
    }
    case 'roots/list':
      return isDeclared(capabilities.roots) ? undefined : { roots: {} };
    default:
      return undefined;
  }
}

/** Some clients declare `true` instead of an object. */
export function isDeclared(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function hasMember(value: unknown, name: string): boolean {
  return isRecord(value) && isDeclared(value[name]);
}
