import { randomUUID } from 'node:crypto';
import type { TestQuestion } from '../../../shared/model/tool/tester.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { memberSpans } from '../jsonrpc/json/json-spans.ts';
import { RpcError } from '../jsonrpc/message.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { capabilityMissing, clientDisconnected } from '../routing/server-requests/client-errors.ts';
import type { ClientBoundRequest } from '../routing/server-requests/contract.ts';
import { testerName } from '../routing/tester-session.ts';
import type { MaskText } from '../secrets/known-secrets.ts';
import { replyMessage } from './requests.ts';

interface PendingQuestion {
  readonly question: TestQuestion;
  readonly answer: (message: RawMessage | Readonly<Record<string, unknown>>) => void;
  readonly refuse: (error: RpcError) => void;
}

/** Server requests during test runs, answered by a person. */
export class Questions implements Disposable {
  readonly #pending = new Map<string, PendingQuestion>();
  readonly #mask: MaskText;
  readonly #asked = new Emitter<TestQuestion>();
  readonly #ended = new Emitter<{ readonly questionId: string }>();
  readonly onAsked = this.#asked.event;
  readonly onEnded = this.#ended.event;

  constructor(mask: MaskText) {
    this.#mask = mask;
  }

  get open(): readonly TestQuestion[] {
    return [...this.#pending.values()].map(({ question }) => question);
  }

  /**
   * Resolves to the person's answer; rejects if there is none, or if the tester does not support the request.
   */
  ask(serverKey: string, { message, signal }: ClientBoundRequest): Promise<unknown> {
    const kind = kindOf(message);
    if (kind instanceof RpcError) return Promise.reject(kind);
    if (signal.aborted) return Promise.reject(clientDisconnected(message.method));
    const text = this.#mask(paramsText(message));
    const question = { questionId: randomUUID(), serverKey, kind, text };
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        if (!this.#pending.delete(question.questionId)) return;
        signal.removeEventListener('abort', onAbort);
        this.#ended.fire({ questionId: question.questionId });
        settle();
      };
      const refuse = (error: RpcError) => end(() => reject(error));
      const onAbort = () => refuse(clientDisconnected(message.method));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(question.questionId, {
        question,
        answer: (result) => end(() => resolve(result)),
        refuse,
      });
      this.#asked.fire(question);
    });
  }

  /** Throws `tester.invalid_arguments`; the request then remains open. */
  reply({ questionId, reply }: OperationInput<'tester.reply'>): void {
    const waiting = this.#pending.get(questionId);
    if (waiting === undefined) return;
    if (reply.kind === 'result') waiting.answer(replyMessage(reply.text));
    else if (waiting.question.kind === 'elicitation') waiting.answer({ action: 'decline' });
    else waiting.refuse(refused);
  }

  /** Closes the requests of a server without runs, because nobody waits for their answers. */
  closeAll(serverKey: string): void {
    for (const { question, refuse } of [...this.#pending.values()])
      if (question.serverKey === serverKey) refuse(clientDisconnected(question.kind));
  }

  dispose(): void {
    for (const { question, refuse } of [...this.#pending.values()]) refuse(clientDisconnected(question.kind));
    this.#asked.dispose();
    this.#ended.dispose();
  }
}

/** The protocol's error for a sampling request that the person rejects. */
const refused = new RpcError({
  code: -1,
  message: 'The user rejected the sampling request.',
});

/** Returns the kind of a request that a person can answer, or the error. */
function kindOf({ method, params }: RawMessage): TestQuestion['kind'] | RpcError {
  if (method === 'sampling/createMessage') return 'sampling';
  if (method === 'elicitation/create') {
    const isForm = params?.mode === undefined || params.mode === 'form';
    return isForm ? 'elicitation' : capabilityMissing(testerName, 'elicitation by URL', 'invalidParams');
  }
  return capabilityMissing(testerName, method === 'roots/list' ? 'roots' : String(method));
}

function paramsText(message: RawMessage): string {
  const line = message.line();
  const span = memberSpans(line, 'params').at(-1);
  return span === undefined ? '{}' : line.toString('utf8', span.start, span.end);
}
