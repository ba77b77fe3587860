import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Validates a JSON Schema against the meta-schema of its dialect and returns one sentence per fault
 * (REQ-MCP-REG-002). Never compiles schemas, since they are untrusted.
 */
export class SchemaValidator {
  readonly #options = { strict: false, logger: false, allErrors: true } as const;
  readonly #known = new WeakMap<object, readonly string[]>();
  /** Created on demand: both are expensive, and most schemas use one dialect. */
  #draft7: Ajv | undefined;
  #latest: Ajv2020 | undefined;

  faults(schema: unknown): readonly string[] {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      return ['the schema is not an object'];
    }
    const { $schema, ...rest } = schema as Readonly<Record<string, unknown>>;
    const ajv = typeof $schema === 'string' && olderDrafts.test($schema) ? this.#older() : this.#newest();
    try {
      if (ajv.validateSchema(rest) === true) return [];
      const errors = ajv.errors ?? [];
      return errors
        .slice(0, maxErrors)
        .map(({ instancePath, message }) =>
          `${instancePath === '' ? 'the schema' : instancePath} ${message ?? 'is invalid'}`.slice(0, 300),
        );
    } catch {
      return ['the schema is nested too deeply'];
    }
  }

  /** Caches the faults of a schema by its object. */
  cachedFaults(schema: object): readonly string[] {
    const known = this.#known.get(schema) ?? this.faults(schema);
    this.#known.set(schema, known);
    return known;
  }

  #older(): Ajv {
    this.#draft7 ??= new Ajv(this.#options);
    return this.#draft7;
  }

  #newest(): Ajv2020 {
    this.#latest ??= new Ajv2020(this.#options);
    return this.#latest;
  }
}

const olderDrafts = /draft-0[3-7]/;
const maxErrors = 10;
