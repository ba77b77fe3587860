import type { InvocationFailure } from './contract.ts';

/** Thrown by whoever makes calls for the API: the call brought no result. */
export class InvocationRefused extends Error {
  readonly failure: InvocationFailure;

  constructor(failure: InvocationFailure) {
    super(failure.message);
    this.name = 'InvocationRefused';
    this.failure = failure;
  }
}
