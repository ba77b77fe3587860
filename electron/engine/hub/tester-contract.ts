import type { IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type {
  Check,
  CheckInput,
  OfferedItems,
  TestAnswer,
  TestProgress,
  TestQuestion,
  TestRecord,
  TestTarget,
} from '../../../shared/model/tester.ts';
import type { Event } from '../base/emitter.ts';

/** Runs tools, prompts and resources as a client of its own; see the contract rows of `tester-calls.ts`. */
export interface Tester {
  call(run: IpcInput<'tester.call'>): Promise<TestAnswer>;
  cancel(runId: string): void;
  reply(answer: IpcInput<'tester.reply'>): void;
  questions(): readonly TestQuestion[];
  offer(serverKey: string): OfferedItems;
  complete(wish: IpcInput<'tester.complete'>): Promise<IpcOutput<'tester.complete'>>;
  history(target: TestTarget): readonly TestRecord[];
  clearHistory(target: TestTarget): void;
  /** Returns the complete answer of a recent run as JSON. Throws `tester.run_gone`. */
  answer(runId: string): string;
  readonly onProgress: Event<TestProgress>;
  readonly onQuestion: Event<TestQuestion>;
  readonly onQuestionEnded: Event<{ readonly questionId: string }>;
}

/** Runs with a known right answer, stored in `checks.json`. */
export interface Checks {
  list(): Promise<readonly Check[]>;
  add(check: CheckInput): Promise<string>;
  remove(id: string): Promise<void>;
  run(which: IpcInput<'check.run'>): Promise<IpcOutput<'check.run'>>;
  readonly onChange: Event<readonly Check[]>;
}

/** The tester part of the engine. */
export interface TesterEngine {
  readonly tester: Tester;
  readonly checks: Checks;
}
