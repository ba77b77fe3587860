import type { Problem } from '../../../../shared/error/problem.ts';
import { isRecord, parseJson } from '../../../../shared/json.ts';

type Node = Readonly<Record<string, unknown>>;

/** An answer parsed as the protocol describes it; the raw text shows the rest. */
export type ReadAnswer =
  | {
      readonly kind: 'tool';
      readonly failed: boolean;
      readonly content: readonly Node[];
      readonly structured?: Node;
    }
  | {
      readonly kind: 'prompt';
      readonly description?: string;
      readonly messages: readonly { readonly role: string; readonly content: Node }[];
    }
  | { readonly kind: 'resource'; readonly contents: readonly Node[] }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly hasData: boolean;
      /** Set for errors of Patchbay, which include a fix. */
      readonly problem?: Problem;
    }
  | { readonly kind: 'other' };

export function readAnswer(kind: 'tool' | 'prompt' | 'resource', isError: boolean, text: string): ReadAnswer {
  const value = parseJson(text);
  if (!isRecord(value)) return { kind: 'other' };
  if (isError) return readError(value);
  if (kind === 'tool' && Array.isArray(value.content)) {
    const { structuredContent, isError: failed } = value;
    return {
      kind,
      failed: failed === true,
      content: value.content.filter(isRecord),
      ...(isRecord(structuredContent) ? { structured: structuredContent } : {}),
    };
  }
  if (kind === 'prompt' && Array.isArray(value.messages)) return readPrompt(value, value.messages);
  if (kind === 'resource' && Array.isArray(value.contents)) {
    return { kind, contents: value.contents.filter(isRecord) };
  }
  return { kind: 'other' };
}

function readPrompt({ description }: Node, messages: readonly unknown[]): ReadAnswer {
  return {
    kind: 'prompt',
    ...(typeof description === 'string' ? { description } : {}),
    messages: messages.filter(isRecord).map(({ role, content }) => ({
      role: String(role ?? ''),
      content: isRecord(content) ? content : { type: 'text', text: String(content) },
    })),
  };
}

function readError({ code, message, data }: Node): ReadAnswer {
  const problem = isRecord(data) ? readProblem(String(message), data) : undefined;
  return {
    kind: 'error',
    code: code === undefined ? '' : String(code),
    message: String(message ?? ''),
    hasData: data !== undefined,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Reads the code, fix and evidence that errors of the hub include. */
function readProblem(sentence: string, { code, fix, evidence }: Node): Problem | undefined {
  if (typeof code !== 'string' || typeof fix !== 'string' || !Array.isArray(evidence)) return undefined;
  const facts = evidence
    .filter(isRecord)
    .map(({ label, value }) => ({ label: String(label), value: String(value) }));
  return { code: code as Problem['code'], sentence, fix, evidence: facts };
}
