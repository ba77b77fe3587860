import { z } from 'zod';
import { toolDetailSchema } from '../model/tool/tool.ts';
import { operation, toolNote } from './operation.ts';
import { nothing } from './parts.ts';

export const toolOperations = {
  'tool.get': operation({
    input: z.object({ serverKey: z.string(), name: z.string() }),
    output: toolDetailSchema,
    doors: ['window', 'rest'],
  }),
  'tool.setEnabled': operation({
    input: z.object({ serverKey: z.string(), names: z.array(z.string()), enabled: z.boolean() }),
    output: nothing,
    doors: ['window', 'rest'],
    audit: ({ serverKey, names, enabled }) =>
      names.map((tool) => toolNote(enabled ? 'enable-tool' : 'disable-tool', serverKey, tool)),
  }),
};
