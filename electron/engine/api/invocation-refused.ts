import type { InvocationFailure } from './contract.ts';

/** Thrown when a call made for the API has no result. */
export class InvocationRefused extends Error {
  readonly failure: InvocationFailure;

  constructor(failure: InvocationFailure) {
    super(failure.message);
    this.name = 'InvocationRefused';
    this.failure = failure;
  }
}
