import type { SecretsView } from '../../../shared/model/secret.ts';
import type { Event } from '../base/emitter.ts';

/**
 * The part of the engine that stores the secrets servers refer to as `${secret:NAME}`. No value ever leaves
 * it.
 */
export interface SecretsEngine {
  readonly secrets: {
    list(): SecretsView;
    /** Restarts servers that refer to it. Rejects with `secret.exists` unless `replace` is set. */
    set(name: string, value: string, replace: boolean): Promise<void>;
    /** Rejects with `secret.in_use` while servers refer to it, unless `force` is set. */
    delete(name: string, force: boolean): Promise<void>;
    readonly onChange: Event<SecretsView>;
  };
}
