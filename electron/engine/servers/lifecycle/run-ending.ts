import type { Problem } from '../../../../shared/error/problem.ts';

/** How a server process ended; the first cause counts. All its processes are gone, except those in `left`. */
export type RunEnding =
  /** We ended it. */
  | { readonly kind: 'stopped' }
  /** Cannot work unless its config or the machine changes. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** Ended, or was given up, before its handshake. */
  | { readonly kind: 'early'; readonly problem: Problem }
  /** Ended after its handshake. */
  | { readonly kind: 'lost'; readonly problem: Problem; readonly connectedFor: number }
  /** Given up while connected, because it did not respond. */
  | { readonly kind: 'unhealthy'; readonly problem: Problem; readonly connectedFor: number }
  /** A remote server does not respond; `connectedFor` is 0 if it never did. */
  | { readonly kind: 'unreachable'; readonly problem: Problem; readonly connectedFor: number }
  /** The server works, but no longer knows our session. */
  | { readonly kind: 'session-over'; readonly problem: Problem; readonly connectedFor: number }
  | { readonly kind: 'unauthorized'; readonly problem: Problem };
