import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type {
  IpcCallName,
  IpcEvent,
  IpcEventName,
  IpcInput,
  IpcOutput,
} from '../../../shared/ipc/contract.ts';
import type { HubLink } from '../model.ts';
import { useModel } from '../model-context.tsx';

/** State of something fetched from the engine. */
export type EngineState<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'failed'; readonly problem: Problem };

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** Events that carry the same value as a call's answer. */
type EventFor<T> = { [E in IpcEventName]: IpcEvent<E> extends T ? E : never }[IpcEventName];

interface Refresh<N extends IpcCallName> {
  /** Carries newer values; subscribed only while mounted. */
  readonly event?: EventFor<IpcOutput<N>>;
  /** Values whose change means that the answer may differ; always as many. */
  readonly again?: readonly unknown[];
}

/** Calls the engine, again for another input, and follows the event that carries newer values. */
export function useEngine<N extends IpcCallName>(
  call: N,
  input: IpcInput<N>,
  { event, again = [] }: Refresh<N> = {},
): EngineState<IpcOutput<N>> {
  const [state] = useAnswer<IpcOutput<N>>(
    (link) => link.call(call, input),
    [call, JSON.stringify(input), event, ...again],
    event && ((link, show) => link.on(event, (value) => show(value as IpcOutput<N>))),
  );
  return state;
}

/**
 * Asks once, and again when one of `again` changes, keeping the last state until the answer is there. A value
 * that `follow` has shown meanwhile is newer than the answer. The returned function shows a value at once.
 */
export function useAnswer<T>(
  ask: (link: HubLink) => Promise<Answer<T>>,
  again: readonly unknown[],
  follow?: (link: HubLink, show: (value: T) => void) => () => void,
): readonly [EngineState<T>, (value: T) => void] {
  const { link } = useModel();
  const [state, setState] = useState<EngineState<T>>({ kind: 'loading' });
  const show = (value: T) => setState({ kind: 'known', value });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when to ask again
  useEffect(() => {
    let wanted = true;
    const stop = follow?.(link, (value) => {
      wanted = false;
      show(value);
    });
    void ask(link).then((answer) => {
      if (!wanted) return;
      if (answer.ok) show(answer.value);
      else setState({ kind: 'failed', problem: answer.problem });
    });
    return () => {
      wanted = false;
      stop?.();
    };
  }, [link, ...again]);
  return [state, show];
}

/** Returns the value once known; for what may be missing without a word. */
export function knownValue<T>(state: EngineState<T>): T | undefined {
  return state.kind === 'known' ? state.value : undefined;
}

/** Returns the value once known, and reports a failure in a message. */
export function useReported<T>(state: EngineState<T>): T | undefined {
  const { notify } = useModel();
  useEffect(() => {
    if (state.kind === 'failed') notify.problem(state.problem);
  }, [state, notify]);
  return knownValue(state);
}
