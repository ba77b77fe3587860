import { z } from 'zod';
import { toolDetailSchema } from '../model/tool.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about tools, one row each; see `contract.ts`. */
export const toolCalls = {
  'tool.get': { input: z.object({ serverKey: z.string(), name: z.string() }), output: toolDetailSchema },
  'tool.setEnabled': {
    input: z.object({ serverKey: z.string(), names: z.array(z.string()), enabled: z.boolean() }),
    output: nothing,
  },
} as const satisfies IpcRows;
