import { isRecord } from '../../../../shared/json.ts';

/** A capabilities object that names what is missing. */
export type MissingCapabilities = Readonly<Record<string, unknown>>;

/**
 * Returns the capabilities that a client lacks to be asked this; undefined if it has them. Elicitation without
 * a mode means forms, as in the session-based protocol.
 */
export function missingForQuestion(
  capabilities: Readonly<Record<string, unknown>>,
  method: string,
  params: Readonly<Record<string, unknown>>,
): MissingCapabilities | undefined {
  switch (method) {
    case 'sampling/createMessage': {
      const needsTools = params.tools !== undefined || params.toolChoice !== undefined;
      const needed = needsTools ? { sampling: { tools: {} } } : { sampling: {} };
      const { sampling } = capabilities;
      const has = isRecord(sampling) && (!needsTools || isRecord(sampling.tools));
      return has ? undefined : needed;
    }
    case 'elicitation/create': {
      const mode = params.mode === 'url' ? 'url' : 'form';
      const { elicitation } = capabilities;
      if (!isRecord(elicitation)) return { elicitation: { [mode]: {} } };
      const has =
        mode === 'url' ? isRecord(elicitation.url) : isRecord(elicitation.form) || !isRecord(elicitation.url);
      return has ? undefined : { elicitation: { [mode]: {} } };
    }
    case 'roots/list':
      return isRecord(capabilities.roots) ? undefined : { roots: {} };
    default:
      return { [method]: {} };
  }
}
