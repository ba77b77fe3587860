import type { ServerCallOptions } from '../../routing/call-attempts.ts';
import type { Limits } from './limits.ts';

type OptionsOf = (serverKey: string) => ServerCallOptions | undefined;

/**
 * Adds the call timeout of the limits, if one was chosen, to call options whose server has none of its own.
 */
export function withCallTimeout(configured: OptionsOf, limits: Pick<Limits, 'callTimeout'>): OptionsOf {
  const bounded = new WeakMap<ServerCallOptions, ServerCallOptions>();
  return (serverKey) => {
    const options = configured(serverKey);
    const { callTimeout } = limits;
    if (callTimeout === undefined || options === undefined || options.callTimeout !== undefined)
      return options;
    const known = bounded.get(options);
    if (known?.callTimeout === callTimeout) return known;
    const made = { ...options, callTimeout };
    bounded.set(options, made);
    return made;
  };
}
