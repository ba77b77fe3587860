import type { DeclaredTool, ServerRecord } from '../contract.ts';
import type { Registration, RejectedTool } from '../schema/tool.ts';
import type { SchemaValidator } from './schema-fault.ts';

export interface ValidatedTools {
  readonly registered: readonly DeclaredTool[];
  readonly rejected: readonly RejectedTool[];
}

/**
 * Splits declared tools into registered and rejected ones: one bad tool never rejects its server. The last
 * tool of a name wins.
 */
export function validateTools(
  tools: Registration['tools'],
  versions: ServerRecord['versions'],
  validator: SchemaValidator,
): ValidatedTools {
  const registered = new Map<string, DeclaredTool>();
  const rejected: RejectedTool[] = [];
  for (const tool of tools) {
    const { declared, reason } = validateTool(tool, validator);
    if (reason !== undefined) rejected.push(reason);
    if (declared === undefined) continue;
    const fits = isCompatible(versions, declared.name, declared.version);
    if (!fits) rejected.push(incompatible(declared));
    registered.set(declared.name, { ...declared, enabled: fits && tool.enabled !== false });
  }
  return { registered: [...registered.values()], rejected };
}

/**
 * Applies the version matrix: unlisted tools and tools without a version are compatible (REQ-MCP-REG-003).
 */
export function isCompatible(
  versions: ServerRecord['versions'],
  name: string,
  version: string | undefined,
): boolean {
  const compatible = Object.hasOwn(versions, name) ? versions[name] : undefined;
  return version === undefined || compatible === undefined || compatible.includes(version);
}

function validateTool(
  { name, schema, version }: Registration['tools'][number],
  validator: SchemaValidator,
): { readonly declared?: Omit<DeclaredTool, 'enabled'>; readonly reason?: RejectedTool } {
  const tool_name = typeof name === 'string' && name !== '' ? name.slice(0, maxNameLength) : 'unknown';
  const reject = (...errors: readonly string[]) => ({
    reason: { tool_name, reason: 'Invalid JSON schema', errors: [...errors] },
  });
  if (typeof name !== 'string' || name === '') return reject('the tool has no name');
  if (name.length > maxNameLength) return reject(`the name is longer than ${maxNameLength} characters`);
  if (version !== undefined && typeof version !== 'string') return reject('the version is not text');
  const faults = validator.faults(schema);
  if (faults.length > 0) return reject(...faults);
  const declared = { name, schema: schema as Readonly<Record<string, unknown>> };
  return { declared: version === undefined ? declared : { ...declared, version } };
}

const maxNameLength = 255;

function incompatible({ name, version }: Pick<DeclaredTool, 'name' | 'version'>): RejectedTool {
  return {
    tool_name: name,
    reason: 'Version incompatibility',
    ...(version === undefined ? {} : { version }),
  };
}
