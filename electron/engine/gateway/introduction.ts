import { z } from 'zod';

const text = z.string().catch('');

/** Clients are taken as they come: a field that is missing or of a wrong type is no reason to refuse a client. */
const introductionSchema = z
  .looseObject({
    protocolVersion: z.unknown().optional(),
    clientInfo: z
      .looseObject({ name: text, version: text, title: z.string().optional().catch(undefined) })
      .catch({ name: '', version: '' }),
  })
  .catch({ protocolVersion: undefined, clientInfo: { name: '', version: '' } });

/** How a client introduced itself in `initialize`. */
export interface Introduction {
  readonly protocolVersion: unknown;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

export function readIntroduction(params: unknown): Introduction {
  const { protocolVersion, clientInfo } = introductionSchema.parse(params ?? {});
  const { name, version, title } = clientInfo;
  return { protocolVersion, name, version, ...(title === undefined ? {} : { title }) };
}
