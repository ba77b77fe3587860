import { z } from 'zod';

const text = z.string().catch('');

/** Clients are taken as they come: a field that is missing or of a wrong type is no reason to refuse a client. */
const introductionSchema = z
  .looseObject({
    protocolVersion: z.unknown().optional(),
    capabilities: z.record(z.string(), z.unknown()).catch({}),
    clientInfo: z
      .looseObject({ name: text, version: text, title: z.string().optional().catch(undefined) })
      .catch({ name: '', version: '' }),
  })
  .catch({ protocolVersion: undefined, capabilities: {}, clientInfo: { name: '', version: '' } });

/** How a client introduced itself in `initialize`. */
export interface Introduction {
  readonly protocolVersion: unknown;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** What it said it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

export function readIntroduction(params: unknown): Introduction {
  const { protocolVersion, capabilities, clientInfo } = introductionSchema.parse(params ?? {});
  const { name, version, title } = clientInfo;
  return { protocolVersion, name, version, capabilities, ...(title === undefined ? {} : { title }) };
}
